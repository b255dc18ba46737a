/* SPDX-License-Identifier: BSD-3-Clause
 * See names.h.
 */
#include "base/settings/names.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME(enumerator, name) name,
static const char *const barrier[] = {SHEAF_BARRIER_NAMES(NAME) NULL};
static const char *const broadcast[] = {SHEAF_BROADCAST_NAMES(NAME) NULL};
static const char *const fcollect[] = {SHEAF_FCOLLECT_NAMES(NAME) NULL};
static const char *const reduce[] = {SHEAF_REDUCE_NAMES(NAME) NULL};
static const char *const copies[] = {SHEAF_COPY_NAMES(NAME) NULL};
static const char *const engines[] = {SHEAF_ENGINE_NAMES(NAME) NULL};
static const char *const ucxs[] = {SHEAF_UCX_NAMES(NAME) NULL};
static const char *const mpis[] = {SHEAF_MPI_NAMES(NAME) NULL};
static const char *const mpi_inits[] = {SHEAF_MPI_INIT_NAMES(NAME) NULL};
static const char *const progresses[] = {SHEAF_PROGRESS_NAMES(NAME) NULL};
static const char *const rmas[] = {SHEAF_RMA_NAMES(NAME) NULL};
static const char *const atomics[] = {SHEAF_ATOMICS_NAMES(NAME) NULL};
static const char *const levels[] = {SHEAF_LEVELS_NAMES(NAME) NULL};
static const char *const stagings[] = {SHEAF_STAGING_NAMES(NAME) NULL};
static const char *const compresses[] = {SHEAF_COMPRESS_NAMES(NAME) NULL};
static const char *const buddies[] = {SHEAF_BUDDY_NAMES(NAME) NULL};
static const char *const aggregates[] = {SHEAF_AGGREGATE_NAMES(NAME) NULL};
static const char *const onnodes[] = {SHEAF_ONNODE_NAMES(NAME) NULL};
static const char *const boots[] = {SHEAF_BOOT_NAMES(NAME) NULL};
static const char *const failure_detectors[] = {SHEAF_FAILURE_DETECTOR_NAMES(NAME) NULL};
static const char *const low_jitters[] = {SHEAF_LOW_JITTER_NAMES(NAME) NULL};
static const char *const windows[] = {SHEAF_WINDOWS_NAMES(NAME) NULL};
static const char *const preempts[] = {SHEAF_PREEMPT_NAMES(NAME) NULL};
static const char *const failures[] = {SHEAF_FAILURES_NAMES(NAME) NULL};
static const char *const checks[] = {SHEAF_CHECK_NAMES(NAME) NULL};

static const char *const switches[] = {"off", "on", NULL};

const char *const *const sheaf_engine_names = engines;
const char *const *const sheaf_ucx_names = ucxs;
const char *const *const sheaf_mpi_names = mpis;
const char *const *const sheaf_mpi_init_names = mpi_inits;
const char *const *const sheaf_progress_names = progresses;
const char *const *const sheaf_rma_names = rmas;
const char *const *const sheaf_atomics_names = atomics;
const char *const *const sheaf_levels_names = levels;
const char *const *const sheaf_compress_names = compresses;
const char *const *const sheaf_aggregate_names = aggregates;
const char *const *const sheaf_buddy_names = buddies;
const char *const *const sheaf_onnode_names = onnodes;
const char *const *const sheaf_boot_names = boots;
const char *const *const sheaf_failure_detector_names = failure_detectors;
const char *const *const sheaf_low_jitter_names = low_jitters;
const char *const *const sheaf_staging_names = stagings;
const char *const *const sheaf_windows_names = windows;
const char *const *const sheaf_preempt_names = preempts;
const char *const *const sheaf_check_names = checks;
const char *const *const sheaf_failures_names = failures;
const char *const *const sheaf_switch_names = switches;

const char *const sheaf_family_names[SHEAF_FAMILIES + 1] = {
    [SHEAF_BARRIER] = "barrier",
    [SHEAF_BROADCAST] = "broadcast",
    [SHEAF_FCOLLECT] = "fcollect",
    [SHEAF_REDUCE] = "reduce",
    [SHEAF_COPIES] = "copy",
    [SHEAF_REDUCE_EXACT] = "reduce-exact",
};

const char *const *const sheaf_algorithm_names[SHEAF_FAMILIES] = {
    [SHEAF_BARRIER] = barrier,
    [SHEAF_BROADCAST] = broadcast,
    [SHEAF_FCOLLECT] = fcollect,
    [SHEAF_REDUCE] = reduce,
    [SHEAF_COPIES] = copies,
    [SHEAF_REDUCE_EXACT] = reduce,
};

static bool is_reduction(enum sheaf_family family)
{
    return family == SHEAF_REDUCE || family == SHEAF_REDUCE_EXACT;
}

static bool carries_notes(enum sheaf_family family, int algorithm)
{
    return family == SHEAF_BROADCAST  ? algorithm == SHEAF_BROADCAST_NOTE
           : family == SHEAF_FCOLLECT ? algorithm == SHEAF_FCOLLECT_NOTE
                                      : is_reduction(family) && algorithm == SHEAF_REDUCE_NOTE;
}

size_t sheaf_algorithm_limit(enum sheaf_family family, int algorithm)
{
    if (carries_notes(family, algorithm))
        return SHEAF_NOTE_LIMIT;
    if (is_reduction(family) && algorithm == SHEAF_REDUCE_GATHER)
        return SHEAF_GATHER_LIMIT;
    return SIZE_MAX;
}

bool sheaf_names_is_off(const char *text)
{
    return !strcmp(text, "off") || !strcmp(text, "0") || !strcmp(text, "no") || !strcmp(text, "none");
}

static int find_exactly(const char *const *names, const char *text)
{
    for (int place = 0; names[place]; place++)
        if (!strcmp(names[place], text))
            return place;
    return -1;
}

int sheaf_names_find(const char *const *names, const char *text)
{
    int place = find_exactly(names, text);
    if (place < 0 && sheaf_names_is_off(text))
        place = find_exactly(names, "off");
    else if (place < 0 && (!strcmp(text, "1") || !strcmp(text, "yes")))
        place = find_exactly(names, "on");
    return place;
}

static int find_part(const char *const *names, const char *text, size_t length)
{
    for (int place = 0; names[place]; place++)
        if (strlen(names[place]) == length && memcmp(names[place], text, length) == 0)
            return place;
    return -1;
}

int sheaf_names_parse_set(const char *const *names, const char *text, unsigned *set)
{
    unsigned found = 0;
    const char *part = text;
    do {
        size_t length = strcspn(part, ",");
        int place = find_part(names, part, length);
        if (place < 0 && *text)
            return -1;
        found |= place < 0 ? 0 : 1U << place;
        part += length;
    } while (*part++ == ',');
    *set = found;
    return 0;
}

int sheaf_names_parse_networks(const char *text, unsigned *set)
{
    const unsigned alone = 1U << SHEAF_ENGINE_AUTO | 1U << SHEAF_ENGINE_OFF;
    int place = sheaf_names_find(engines, text);
    if (place >= 0)
        *set = 1U << place;
    else if (sheaf_names_parse_set(engines, text, set) != 0 || !*set || *set & alone)
        return -1;
    return 0;
}

static unsigned smaller(unsigned one, unsigned other)
{
    return one < other ? one : other;
}

/* Row i of the table has the distances of one's first i letters to other's first j. */
unsigned sheaf_names_distance(const char *one, const char *other)
{
    unsigned rows[3][64];
    size_t length = strlen(one), width = strlen(other);
    if (length > 63 || width > 63)
        return UINT_MAX;
    for (size_t j = 0; j <= width; j++)
        rows[0][j] = (unsigned)j;
    for (size_t i = 1; i <= length; i++) {
        unsigned *now = rows[i % 3], *last = rows[(i + 2) % 3], *before_last = rows[(i + 1) % 3];
        now[0] = (unsigned)i;
        for (size_t j = 1; j <= width; j++) {
            now[j] = smaller(last[j - 1] + (one[i - 1] != other[j - 1]), smaller(last[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1])
                now[j] = smaller(now[j], before_last[j - 2] + 1);
        }
    }
    return rows[length % 3][width];
}

void sheaf_names_print(const char *const *names, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int place = 0; names[place] && used < size; place++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", place ? ", " : "", names[place]);
}
