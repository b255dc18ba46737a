/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The table of algorithms, and the rules that are built in: see choice.h.
 */
#include "coll/choice.h"
#include "coll/coll_internal.h"
#include "coll/staging.h"

#include "base/log.h"
#include "base/stream.h"
#include "boot/boot.h"
#include "core/access/copy/way.h"

struct sheaf_choice_row sheaf_choices[SHEAF_FAMILIES][SHEAF_SIZE_CLASSES];

/* Measured with oshtune: see docs/do/collectives.md. Inexact reductions use only algorithms that
 * combine in rank order, so a floating-point sum has the same bits for every size. */
static const struct sheaf_rule built_in[] = {
    {SHEAF_BARRIER, 2, SHEAF_ANY_BYTES, SHEAF_BARRIER_DISSEMINATION},
    {SHEAF_BARRIER, 8, SHEAF_ANY_BYTES, SHEAF_BARRIER_CENTRAL},
    {SHEAF_BARRIER, SHEAF_ANY_PES, SHEAF_ANY_BYTES, SHEAF_BARRIER_LEVELS}, /* central on a flat host */
    {SHEAF_BROADCAST, SHEAF_ANY_PES, SHEAF_NOTE_LIMIT, SHEAF_BROADCAST_NOTE},
    {SHEAF_BROADCAST, SHEAF_ANY_PES, SHEAF_ANY_BYTES, SHEAF_BROADCAST_PULL},
    {SHEAF_FCOLLECT, SHEAF_ANY_PES, SHEAF_NOTE_LIMIT, SHEAF_FCOLLECT_NOTE},
    {SHEAF_FCOLLECT, SHEAF_ANY_PES, SHEAF_ANY_BYTES, SHEAF_FCOLLECT_LINEAR},
    {SHEAF_REDUCE, 32, SHEAF_NOTE_LIMIT, SHEAF_REDUCE_NOTE},
    {SHEAF_REDUCE, SHEAF_ANY_PES, SHEAF_GATHER_LIMIT, SHEAF_REDUCE_GATHER},
    {SHEAF_REDUCE, SHEAF_ANY_PES, SHEAF_NOTE_LIMIT, SHEAF_REDUCE_NOTE},
    {SHEAF_REDUCE, SHEAF_ANY_PES, SHEAF_ANY_BYTES, SHEAF_REDUCE_SHARES},
    {SHEAF_COPIES, SHEAF_ANY_PES, SHEAF_ANY_BYTES, SHEAF_COPY_AUTO}, /* learned: core/access/copy/way.c */
};

_Static_assert(SHEAF_NOTE_LIMIT == SHEAF_NOTE_BYTES && SHEAF_GATHER_LIMIT == SHEAF_RESULT_BYTES,
               "the limits that the names come with are those of the code");

static int add_to_row(struct sheaf_choice_row *row, const struct sheaf_rule *rule, int room)
{
    if (row->count > 0 && rule->bytes <= row->bytes[row->count - 1])
        return 0;
    if (row->count >= room)
        return -1;
    row->bytes[row->count] = rule->bytes;
    row->algorithm[row->count++] = (uint8_t)rule->algorithm;
    return 0;
}

static int add_rule(const struct sheaf_rule *rule, int room)
{
    int last = sheaf_size_class(rule->pes), failed = 0;
    for (int class = 0; class <= last; class++) {
        failed |= add_to_row(&sheaf_choices[rule->family][class], rule, room);
        if (rule->family == SHEAF_REDUCE)
            failed |= add_to_row(&sheaf_choices[SHEAF_REDUCE_EXACT][class], rule, room);
    }
    return failed;
}

int sheaf_choice_add(const struct sheaf_rule *rule)
{
    return add_rule(rule, SHEAF_GIVEN_RULES);
}

static void add_named_rules(const struct sheaf_settings *settings)
{
    for (int family = 0; family < SHEAF_FAMILIES; family++) {
        int algorithm = settings->algorithm[family];
        size_t limit = sheaf_algorithm_limit((enum sheaf_family)family, algorithm);
        if (algorithm > 0)
            sheaf_choice_add(&(struct sheaf_rule){family, SHEAF_ANY_PES, limit, algorithm});
    }
}

int sheaf_choice_make(const struct sheaf_settings *settings)
{
    memset(sheaf_choices, 0, sizeof sheaf_choices);
    add_named_rules(settings);
    if (settings->tune_file && sheaf_tune_file_read(settings->tune_file, sheaf_choice_add) != 0)
        return -1;
    for (size_t i = 0; i < sizeof built_in / sizeof *built_in; i++)
        add_rule(&built_in[i], SHEAF_ROW_RULES);
    return 0;
}

/* Whether this processor has the way. */
static bool has_way(int way)
{
    return way == SHEAF_COPY_STREAM   ? sheaf_stream_way() != NULL
           : way == SHEAF_COPY_VECTOR ? sheaf_vector_way() != NULL
                                      : true;
}

static int choose_copies(void)
{
    int class = sheaf_size_class(sheaf_boot.host_npes);
    const struct sheaf_choice_row *row = &sheaf_choices[SHEAF_COPIES][class];
    for (int rule = 0; rule < row->count; rule++)
        if (!has_way(row->algorithm[rule])) {
            sheaf_error("SH207 SHEAF_COPY or SHEAF_TUNE asks for copies by %s, which need AVX2 (stream: "
                        "or AArch64), and this processor lacks it: use auto",
                        sheaf_algorithm_names[SHEAF_COPIES][row->algorithm[rule]]);
            return -1;
        }
    sheaf_copy_set_rules(row->bytes, row->algorithm, row->count);
    if (sheaf_copy_long_from < SIZE_MAX && sheaf_boot.slot == 0)
        sheaf_debug("copies of %zu bytes and more may use vector or streaming instructions (SHEAF_COPY)",
                    sheaf_copy_long_from);
    return 0;
}

_Static_assert((int)SHEAF_BROADCAST_NOTE == SHEAF_FCOLLECT_NOTE &&
                   (int)SHEAF_BROADCAST_NOTE == SHEAF_REDUCE_NOTE,
               "one number means notes in all families");

/* Up to so many bytes the row chooses notes. */
static uint8_t bytes_by_note(const struct sheaf_choice_row *row)
{
    size_t bytes = 0;
    for (int rule = 0; rule < row->count && row->algorithm[rule] == SHEAF_BROADCAST_NOTE; rule++)
        bytes = row->bytes[rule];
    return (uint8_t)(bytes < SHEAF_NOTE_BYTES ? bytes : SHEAF_NOTE_BYTES);
}

static void choose_for(struct sheaf_team *team)
{
    int class = sheaf_size_class(team->size);
    team->barrier = sheaf_choose(SHEAF_BARRIER, team->size, 0);
    for (int family = 0; family < SHEAF_FAMILIES; family++)
        team->by_note[family] = team->note_bytes ? bytes_by_note(&sheaf_choices[family][class]) : 0;
}

int sheaf_coll_prepare(const struct sheaf_settings *settings)
{
    sheaf_sync_set_choice(choose_for);
    sheaf_staging_reset();
    return sheaf_choice_make(settings) != 0 ? -1 : choose_copies();
}
