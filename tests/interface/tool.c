/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Settings and counters by name: a loop has all, each is described and has a value; a counter counts; an algorithm that all
 * PEs write is the one that the next reduction takes; constants of waiting change; what cannot be is refused.
 */
#include "check.h"

#include <shmemx.h>

#include <string.h>

static double source[24], dest[24]; /* a share of each of 3 PEs is a cache line */

static void check_names(void)
{
    char name[64], text[512], value[1024];
    int index = 0, settings = 0, counters = 0, writable = 0;
    for (; shmemx_tool_name(index, name, sizeof name) == 0; index++) {
        int kind = shmemx_tool_describe(name, text, sizeof text);
        CHECK(strlen(text) > 10);
        CHECK_EQ(shmemx_tool_read(name, value, sizeof value), 0);
        counters += kind == SHMEMX_TOOL_COUNTER;
        settings += kind == SHMEMX_TOOL_SETTING;
        writable += kind == SHMEMX_TOOL_WRITABLE;
    }
    CHECK(counters == 4 && writable == 6 && settings > 40);
    CHECK_EQ(index, counters + settings + writable);
    CHECK_EQ(shmemx_tool_name(-1, name, sizeof name), -1);
    CHECK_EQ(shmemx_tool_describe("nothing", text, sizeof text), -1);
    CHECK_EQ(shmemx_tool_read("nothing", value, sizeof value), -1);
}

static int is_value(const char *name, const char *wanted)
{
    char value[256];
    return shmemx_tool_read(name, value, sizeof value) == 0 && strcmp(value, wanted) == 0;
}

static void check_counter(void)
{
    char before[32], after[32], cut[2];
    shmemx_tool_read("heap_bytes", before, sizeof before);
    void *block = shmem_malloc(100000);
    shmemx_tool_read("heap_bytes", after, sizeof after);
    CHECK(atol(after) - atol(before) >= 100000);
    CHECK(shmemx_tool_read("heap_bytes", cut, sizeof cut) == 0 && strlen(cut) == 1);
    shmem_free(block);
}

/* Of 3 PEs' values 1e16, -1e16 and 1 the sum is 1 in rank order, and 0 in the second share of a ring, which begins at rank 1. */
static double second_sum(void)
{
    static const double values[] = {1e16, -1e16, 1};
    for (int i = 0; i < 24; i++)
        source[i] = values[shmem_my_pe()];
    shmem_double_sum_reduce(SHMEM_TEAM_WORLD, dest, source, 24);
    shmem_barrier_all();
    return dest[8];
}

static void check_algorithm(void)
{
    CHECK(is_value("SHMEM_REDUCE_ALGORITHM", "auto"));
    CHECK(second_sum() == 1);
    CHECK_EQ(shmemx_tool_write("SHMEM_REDUCE_ALGORITHM", "ring"), 0);
    CHECK(is_value("SHMEM_REDUCE_ALGORITHM", "ring"));
    shmem_barrier_all();
    CHECK(second_sum() == 0);
    CHECK_EQ(shmemx_tool_write("SHMEM_REDUCE_ALGORITHM", "auto"), 0);
    shmem_barrier_all();
    CHECK(second_sum() == 1);
}

/* The barrier's is of teams that are made from then on; all of them work. */
static void check_barriers(void)
{
    static const char *const names[] = {"central", "linear", "dissemination", "tree", "linear-broadcast",
                                         "levels", "auto"};
    for (int i = 0; i < 7; i++) {
        shmem_team_t team;
        shmem_barrier_all();
        CHECK_EQ(shmemx_tool_write("SHMEM_BARRIER_ALGORITHM", names[i]), 0);
        CHECK(is_value("SHMEM_BARRIER_ALGORITHM", names[i]));
        shmem_barrier_all();
        CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 3, NULL, 0, &team), 0);
        for (int k = 0; k < 100; k++)
            CHECK_EQ(shmem_team_sync(team), 0);
        shmem_team_destroy(team);
    }
}

static void check_refusals(void)
{
    CHECK_EQ(shmemx_tool_write("SHEAF_COPY", "memcpy"), 0);
    CHECK(is_value("SHEAF_COPY", "memcpy"));
    CHECK_EQ(shmemx_tool_write("SHEAF_COPY", "fast"), -1);
    CHECK_EQ(shmemx_tool_write("SHEAF_COPY", "auto"), 0);
    CHECK_EQ(shmemx_tool_write("SHEAF_PACE", "spins=77"), 0);
    CHECK(is_value("SHEAF_PACE", "spins=77"));
    CHECK_EQ(shmemx_tool_write("SHEAF_PACE", "spins=many"), -1);
    CHECK(is_value("SHEAF_PACE", "spins=77"));
    CHECK_EQ(shmemx_tool_write("SHMEM_REDUCE_ALGORITHM", "fastest"), -1);
    CHECK(is_value("SHMEM_REDUCE_ALGORITHM", "auto"));
    CHECK_EQ(shmemx_tool_write("SHEAF_ENGINE", "off"), -1);
    CHECK_EQ(shmemx_tool_write("heap_bytes", "0"), -1);
}

int main(void)
{
    shmem_init();
    check_names();
    check_counter();
    check_algorithm();
    check_barriers();
    check_refusals();
    return test_finish();
}
