/* SPDX-License-Identifier: BSD-3-Clause
 * See agree.h.
 */
#include "core/team/agree.h"

#include "base/log.h"
#include "core/access/order.h"
#include "core/memory/check.h"
#include "core/memory/guard_check.h"
#include "core/pe/job.h"
#include "core/memory/symmetric.h"
#include "core/team/history.h"
#include "core/team/note.h"
#include "core/team/sync.h"
#include "core/pe/wait.h"
#include "survive/interface/survival.h"

#include <stdio.h>
#include <string.h>

/* One member's note: the value of the argument named by text, or, with number 0, the name of its call. */
struct statement {
    char text[40];
    int64_t number;
};
_Static_assert(sizeof(struct statement) <= SHEAF_NOTE_BYTES, "a statement is one note");

static bool is_on;      /* all PEs compare their arguments */
static bool is_guarded; /* all PEs guard their heaps */
static bool has_checks;      /* a collective's entry checks more than lost members */
static sheaf_agree_visit *visit; /* NULL: none */
bool sheaf_agree_is_checked; /* has_checks is true, or members may be lost */

void sheaf_agree_set_visit(sheaf_agree_visit *wanted)
{
    visit = wanted;
}

static struct statement statement_of(const char *text, int64_t number)
{
    struct statement mine = {.number = number};
    snprintf(mine.text, sizeof mine.text, "%s", text);
    return mine;
}

/* Collective. Returns the first rank whose note differs from rank 0's, with both notes in both[], or -1
 * when all are equal. The result is the same on all members, so that they all print the same line. */
static int first_differing_rank(struct sheaf_team *team, const struct statement *mine,
                                struct statement both[2])
{
    sheaf_note_post(team, mine, sizeof *mine);
    memcpy(&both[0], sheaf_note_wait(team, 0), sizeof both[0]);
    for (int rank = 1; rank < team->size; rank++) {
        memcpy(&both[1], sheaf_note_wait(team, rank), sizeof both[1]);
        if (memcmp(&both[0], &both[1], sizeof both[0]) != 0)
            return rank;
    }
    sheaf_sync(team);
    return -1;
}

/* Each PE's words at start, of which the lowest are found. */
enum level {
    IS_CHECKING,
    NAMES,       /* digest of the library's names of calls */
    OTHER_NAMES, /* its complement: the lowest is that of the highest digest */
    GUARDED,     /* a PE that guards its heap */
    UNGUARDED,
    LEVELS
};
_Static_assert(LEVELS <= SHEAF_LOWEST_WORDS, "they fit a note");

/* Turns the comparisons off: if a member died, the others would wait for its note for ever. */
static void stop_comparing(void)
{
    is_on = is_guarded = false;
    sheaf_history_names = 0;
    if (sheaf_job.pe == 0 && (sheaf_job_checks_args() || sheaf_job_checks_memory()))
        sheaf_debug("SHEAF_FAILURES=report: the arguments and heaps of PEs are not compared with each "
                    "other");
}

/* PEs of several hosts, and statically linked programs, may have libraries with different names of
 * calls. */
void sheaf_agree_init(struct sheaf_team *world)
{
    uint64_t names = sheaf_record_names_digest(), pe = (uint64_t)sheaf_job.pe;
    is_on = sheaf_job_checks_args();
    is_guarded = sheaf_job_checks_memory();
    has_checks = is_on || is_guarded || visit;
    sheaf_agree_is_checked = has_checks || !sheaf_survival->members_stay;
    sheaf_history_names = UINT32_MAX;
    if (!sheaf_survival->members_stay)
        stop_comparing();
    if (world->size == 1 || !sheaf_survival->members_stay)
        return;
    uint64_t lowest[LEVELS] = {is_on, names, ~names, is_guarded ? pe : UINT64_MAX,
                               is_guarded ? UINT64_MAX : pe};
    sheaf_team_lowest(world, lowest, LEVELS);
    is_on = lowest[IS_CHECKING];
    sheaf_history_names = lowest[NAMES] == ~lowest[OTHER_NAMES] ? UINT32_MAX : 0;
    if (lowest[GUARDED] != UINT64_MAX && lowest[UNGUARDED] != UINT64_MAX)
        sheaf_fatal("SH205 SHEAF_CHECK has memory on PE %d and not on PE %d: blocks must lie alike on all "
                    "PEs", (int)lowest[GUARDED], (int)lowest[UNGUARDED]);
    sheaf_sync(world);
}

/* Once all members have arrived, all their earlier puts have arrived too, and the heap can be checked. */
static void check_memory(struct sheaf_team *team, const char *call)
{
    sheaf_quiet_before_sync();
    sheaf_sync(team);
    sheaf_guard_check(call);
}

void sheaf_agree_on_call_now(struct sheaf_team *team, const char *call)
{
    struct statement mine, both[2];
    if (visit)
        visit(team, call);
    if (is_guarded)
        check_memory(team, call);
    sheaf_check_thread(call);
    if (!is_on || team->size == 1)
        return;
    mine = statement_of(call, 0);
    int rank = first_differing_rank(team, &mine, both);
    if (rank >= 0)
        sheaf_fatal("SH120 PE %d is in %s and PE %d in %s: all members of a team must be in the same "
                    "collective",
                    sheaf_team_world_pe(team, 0), both[0].text, sheaf_team_world_pe(team, rank),
                    both[1].text);
}

void sheaf_agree_enter(struct sheaf_team *team, const char *call)
{
    if (sheaf_likely(!sheaf_agree_is_checked))
        return;
    sheaf_survival->enter_team(team);
    if (sheaf_unlikely(has_checks))
        sheaf_agree_on_call_now(team, call);
}

void sheaf_agree_on_number_now(struct sheaf_team *team, const char *name, ptrdiff_t number)
{
    struct statement mine, both[2];
    if (!is_on || team->size == 1)
        return;
    mine = statement_of(name, number);
    int rank = first_differing_rank(team, &mine, both);
    if (rank >= 0)
        sheaf_fatal("SH120 %s: %s is %td on PE %d and %td on PE %d: it must be the same on all members of "
                    "the team", sheaf_call.name, name, (ptrdiff_t)both[0].number,
                    sheaf_team_world_pe(team, 0), (ptrdiff_t)both[1].number,
                    sheaf_team_world_pe(team, rank));
}

void sheaf_agree_on_object_now(struct sheaf_team *team, const char *name, const void *object)
{
    struct statement mine, both[2];
    if (!is_on || team->size == 1)
        return;
    mine = statement_of(name, sheaf_symmetric_position(object));
    int rank = first_differing_rank(team, &mine, both);
    if (rank >= 0 && both[0].number && both[1].number)
        sheaf_fatal("SH120 %s: %s is one object on PE %d and another on PE %d: all members of the team "
                    "must pass the same", sheaf_call.name, name, sheaf_team_world_pe(team, 0),
                    sheaf_team_world_pe(team, rank));
    if (rank >= 0)
        sheaf_sync(team);
}
