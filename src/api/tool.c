/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Settings and counters by name, while the program runs: for tools, as MPI_T is for MPI. The settings are
 * those of the table that reads the environment, the counters those that oshtop shows.
 */
#include "api/define.h"

#ifndef SHEAF_PRINT
#include "base/settings/env.h"
#include "base/times.h"
#include "coll/coll.h"
#include "core/access/copy/copy.h"
#include "core/pe/public_extensions.h"
#include "core/pe/record.h"
#include "core/pe/wait.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *help;
    size_t place;
} counters[] = {
#define COUNTER(name, help) {#name, help, offsetof(struct sheaf_usage, name)},
    SHEAF_COUNTERS(COUNTER)
#undef COUNTER
};
#define COUNTERS (sizeof counters / sizeof *counters)

/* Settings that may change while the program runs: the algorithms of collectives and copies, and the
 * constants of waiting. */
static const struct {
    const char *name;
    enum sheaf_family family; /* SHEAF_FAMILIES: none */
} writable[] = {
    {"SHMEM_BARRIER_ALGORITHM", SHEAF_BARRIER}, /* of teams that are made from then on */
    {"SHMEM_BCAST_ALGORITHM", SHEAF_BROADCAST},
    {"SHMEM_FCOLLECT_ALGORITHM", SHEAF_FCOLLECT},
    {"SHMEM_REDUCE_ALGORITHM", SHEAF_REDUCE},
    {"SHEAF_COPY", SHEAF_COPIES},
    {"SHEAF_PACE", SHEAF_FAMILIES},
};
#define WRITABLE ((int)(sizeof writable / sizeof *writable))

static char pace[256]; /* what was written last */

static int find_writable(const char *name)
{
    for (int i = 0; i < WRITABLE; i++)
        if (strcmp(name, writable[i].name) == 0)
            return i;
    return -1;
}

static bool find_setting(const char *name, struct sheaf_setting_row *row)
{
    for (size_t i = 0; sheaf_settings_row(i, row); i++)
        if (strcmp(name, row->name) == 0)
            return true;
    return false;
}

static int find_counter(const char *name)
{
    for (size_t i = 0; i < COUNTERS; i++)
        if (strcmp(name, counters[i].name) == 0)
            return (int)i;
    return -1;
}

static const char *value_of(const struct sheaf_setting_row *row)
{
    int place = find_writable(row->name);
    enum sheaf_family family = place < 0 ? SHEAF_FAMILIES : writable[place].family;
    if (family < SHEAF_FAMILIES)
        return sheaf_algorithm_names[family][sheaf_job.settings.algorithm[family]];
    if (place >= 0 && pace[0])
        return pace;
    return row->value ? row->value : row->standard ? row->standard : "";
}

static int write_pace(const char *value, const char *call)
{
    char why[240];
    struct sheaf_pace_table table = sheaf_pace_table;
    struct sheaf_times times = sheaf_times;
    if (strlen(value) >= sizeof pace || sheaf_pace_parse(value, &table, &times, why, sizeof why) != 0) {
        sheaf_error("SH104 %s: SHEAF_PACE is \"%s\": %s", call, value,
                    strlen(value) < sizeof pace ? why : "it is too long");
        return -1;
    }
    sheaf_pace_table = table;
    sheaf_times = times;
    snprintf(pace, sizeof pace, "%s", value);
    sheaf_wait_choose_spins();
    return 0;
}

static int choose_algorithm(enum sheaf_family family, int algorithm)
{
    sheaf_job.settings.algorithm[family] = algorithm;
    if (sheaf_coll_prepare(&sheaf_job.settings) != 0)
        return -1;
    sheaf_copy_choose();
    return 0;
}

static int write_algorithm(enum sheaf_family family, const char *name, const char *value, const char *call)
{
    char accepted[256];
    int algorithm = sheaf_names_find(sheaf_algorithm_names[family], value);
    int before = sheaf_job.settings.algorithm[family];
    if (algorithm >= 0 && choose_algorithm(family, algorithm) == 0)
        return 0;
    if (algorithm >= 0) { /* the reason is printed */
        choose_algorithm(family, before);
        return -1;
    }
    sheaf_names_print(sheaf_algorithm_names[family], accepted, sizeof accepted);
    sheaf_error("SH104 %s: %s is \"%s\"; expected one of: %s", call, name, value, accepted);
    return -1;
}
#endif

SHEAF_CHAPTER("Settings and counters for tools: extensions")

/* Copies the name of the index-th setting or counter of the calling PE to name, cut at size - 1 bytes.
 * index: from 0 on. Returns 0, or -1 behind the last one. */
SHEAF_EXTENSION(int, tool_name, (int index, char *name, size_t size), {
    struct sheaf_setting_row row;
    size_t place = (size_t)index;
    sheaf_job_require(call);
    if (index < 0 || (place >= COUNTERS && !sheaf_settings_row(place - COUNTERS, &row)))
        return -1;
    snprintf(name, size, "%s", place < COUNTERS ? counters[place].name : row.name);
    return 0;
})

/* Copies what the setting or counter is for to text, cut at size - 1 bytes. Returns
 * SHMEMX_TOOL_COUNTER, SHMEMX_TOOL_SETTING, SHMEMX_TOOL_WRITABLE for a setting that
 * shmemx_tool_write() takes, or -1 where there is none of that name. */
SHEAF_EXTENSION(int, tool_describe, (const char *name, char *text, size_t size), {
    struct sheaf_setting_row row;
    int counter = find_counter(name);
    sheaf_job_require(call);
    if (counter < 0 && !find_setting(name, &row))
        return -1;
    snprintf(text, size, "%s", counter >= 0 ? counters[counter].help : row.help);
    return counter >= 0               ? SHMEMX_TOOL_COUNTER
           : find_writable(name) >= 0 ? SHMEMX_TOOL_WRITABLE
                                      : SHMEMX_TOOL_SETTING;
})

/* Copies the value that the setting or counter has on the calling PE now to value, cut at size - 1
 * bytes; a counter's in decimal. Costs a look at memory: nothing is counted for it. Returns 0, or -1
 * where there is none of that name. */
SHEAF_EXTENSION(int, tool_read, (const char *name, char *value, size_t size), {
    struct sheaf_setting_row row;
    int counter = find_counter(name);
    sheaf_job_require(call);
    if (counter >= 0) {
        const char *place = (const char *)sheaf_usage + counters[counter].place;
        snprintf(value, size, "%llu", (unsigned long long)sheaf_load_relaxed((const uint64_t *)place));
        return 0;
    }
    if (!find_setting(name, &row))
        return -1;
    snprintf(value, size, "%s", value_of(&row));
    return 0;
})

/* Gives a setting another value on the calling PE, as its variable would have at the start. An algorithm
 * of a collective must be the same on all PEs at their next collective: all write it, while none is in a
 * collective. A new algorithm of barriers applies to teams that are made from then on. SHEAF_PACE
 * changes the constants that it names. Returns 0, or -1 after a line that says why: the value cannot be
 * read, or the setting may not change. */
SHEAF_EXTENSION(int, tool_write, (const char *name, const char *value), {
    struct sheaf_setting_row row;
    int place = find_writable(name);
    sheaf_job_require(call);
    if (place < 0) {
        sheaf_error("SH104 %s: name is \"%s\", which %s", call, name,
                    find_setting(name, &row) ? "holds for the whole run: set the variable before the start"
                                             : "is no setting: shmemx_tool_name() has all names");
        return -1;
    }
    enum sheaf_family family = writable[place].family;
    return family < SHEAF_FAMILIES ? write_algorithm(family, name, value, call) : write_pace(value, call);
})
