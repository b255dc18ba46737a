/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The messages, bytes and basic blocks of each call, on the PE that has the most, as the number of nodes
 * grows: simulation.h. None may grow faster than the table below says. The loops that it allows are
 * explained in docs/understand/scale.md.
 */
#include "simulation.h"
#include "unit.h"

#include "coll/coll.h"
#include "coll/operators.h"
#include "core/pe/call.h"
#include "core/pe/job.h"
#include "core/team/note.h"
#include "core/team/sync.h"
#include "core/team/team.h"

#include <limits.h>
#include <string.h>

#define PER_NODE 16

/* How a count may grow: as the logarithm of the number of nodes, or in proportion to the PEs, whose
 * data the PE receives or sends. */
enum growth { LOGARITHM, LINEAR };

struct call {
    const char *name;
    sim_program *run;
    enum growth messages, bytes, blocks;
    int most; /* PEs */
};

static long *words(size_t at)
{
    return (long *)sim_me->heap + at;
}

/* Source and dest of collectives: the heap's halves. */
static char *half(int which)
{
    return sim_me->heap + (size_t)which * sim_heap_bytes / 2;
}

static void check_sum(const long *sums, size_t count)
{
    long all = (long)sheaf_job.npes * (sheaf_job.npes - 1) / 2;
    for (size_t i = 0; i < count; i++)
        CHECK(sums[i] == all + (long)i * sheaf_job.npes);
}

static void reduce(size_t count)
{
    for (size_t i = 0; i < count; i++)
        words(0)[i] = sim_me->pe + (long)i;
    sheaf_reduce(sim_me->world, half(1), half(0), count, &SHEAF_OPERATOR(sum, long));
    check_sum((long *)half(1), count);
}

static void run_barrier(void *unused)
{
    (void)unused;
    sheaf_sync(sim_me->world);
}

static void broadcast(size_t bytes)
{
    memset(half(0), 1 + sim_me->pe % 7, bytes);
    sheaf_broadcast(sim_me->world, half(1), half(0), bytes, sheaf_job.npes / 3, true);
    CHECK(half(1)[bytes - 1] == 1 + sheaf_job.npes / 3 % 7);
}

static void run_broadcast(void *unused)
{
    (void)unused;
    broadcast(8);
}

static void run_large_broadcast(void *unused)
{
    (void)unused;
    broadcast(4096);
}

static void run_reduce(void *unused)
{
    (void)unused;
    reduce(1);
}

static void run_reduce_of_five(void *unused)
{
    (void)unused;
    reduce(5);
}

static void run_large_reduce(void *unused)
{
    (void)unused;
    reduce(512);
}

static void run_fcollect(void *unused)
{
    (void)unused;
    *words(0) = sim_me->pe;
    sheaf_fcollect(sim_me->world, half(1), half(0), 8);
    for (int pe = 0; pe < sheaf_job.npes; pe++)
        CHECK(((long *)half(1))[pe] == pe);
}

static void run_collect(void *unused)
{
    (void)unused;
    *words(0) = sim_me->pe;
    sheaf_collect(sim_me->world, half(1), half(0), sim_me->pe % 2 ? 8 : 0);
    for (int pe = 1; pe < sheaf_job.npes; pe += 2)
        CHECK(((long *)half(1))[pe / 2] == pe);
}

static void run_alltoall(void *unused)
{
    (void)unused;
    for (int pe = 0; pe < sheaf_job.npes; pe++)
        words(0)[pe] = (long)sim_me->pe << 20 | pe;
    sheaf_alltoall(sim_me->world, half(1), half(0), 8);
    for (int pe = 0; pe < sheaf_job.npes; pe++)
        CHECK(((long *)half(1))[pe] == ((long)pe << 20 | sim_me->pe));
}

static void run_scan(void *unused)
{
    (void)unused;
    *words(0) = sim_me->pe;
    sheaf_scan(sim_me->world, half(1), half(0), 1, &SHEAF_OPERATOR(sum, long), false);
    CHECK(*(long *)half(1) == (long)sim_me->pe * (sim_me->pe + 1) / 2);
}

/* A team of every second PE, and its barrier. */
static void run_split(void *unused)
{
    (void)unused;
    shmem_team_t half_of_all;
    CHECK(sheaf_team_split_strided(sim_me->world, 0, 2, sheaf_job.npes / 2, NULL, 0, &half_of_all) == 0);
    CHECK((half_of_all != SHMEM_TEAM_INVALID) == (sim_me->pe % 2 == 0));
    if (half_of_all != SHMEM_TEAM_INVALID)
        sheaf_sync(half_of_all);
    sheaf_team_destroy(half_of_all);
}

/* Columns of one PE of each node, rows that are nodes. */
static void run_split_2d(void *unused)
{
    (void)unused;
    shmem_team_t row, column;
    CHECK(sheaf_team_split_2d(sim_me->world, PER_NODE, NULL, 0, &row, NULL, 0, &column) == 0);
    CHECK(!row->multinode && column->multinode && column->size == sim_nodes);
    sheaf_sync(column);
    sheaf_team_destroy(column);
    sheaf_team_destroy(row);
}

/* What PEs of several nodes exchange in shmem_malloc. */
static void run_allocation(void *unused)
{
    (void)unused;
    CHECK(sheaf_team_first(sim_me->world, false) == -1);
    CHECK(sheaf_team_first(sim_me->world, sim_me->pe >= PER_NODE + 3) == PER_NODE + 3);
}

static const struct call calls[] = {
    {"barrier", run_barrier, LOGARITHM, LOGARITHM, LOGARITHM, 4096},
    {"broadcast of 8 bytes", run_broadcast, LOGARITHM, LOGARITHM, LOGARITHM, 4096},
    {"broadcast of 4 KiB", run_large_broadcast, LOGARITHM, LOGARITHM, LOGARITHM, 4096},
    {"reduce of 8 bytes", run_reduce, LOGARITHM, LOGARITHM, LOGARITHM, 4096},
    {"reduce of 40 bytes", run_reduce_of_five, LOGARITHM, LOGARITHM, LOGARITHM, 4096},
    {"reduce of 4 KiB", run_large_reduce, LOGARITHM, LOGARITHM, LOGARITHM, 4096},
    {"fcollect of 8 bytes", run_fcollect, LOGARITHM, LINEAR, LINEAR, 4096},
    {"collect of 8 bytes", run_collect, LOGARITHM, LINEAR, LINEAR, 4096},
    {"alltoall of 8 bytes", run_alltoall, LINEAR, LINEAR, LINEAR, 512},
    {"scan of 8 bytes", run_scan, LOGARITHM, LINEAR, LINEAR, 4096},
    {"team_split_strided", run_split, LOGARITHM, LOGARITHM, LINEAR, 4096},
    {"team_split_2d", run_split_2d, LOGARITHM, LOGARITHM, LINEAR, 4096},
    {"malloc, exchange of", run_allocation, LOGARITHM, LOGARITHM, LOGARITHM, 4096},
};
static const int sizes[] = {64, 512, 4096};

/* The most of any PE, and of all but the representatives. */
static struct counts most, most_of_others;

static void raise(struct counts *counts, const struct counts *mine)
{
    counts->messages = mine->messages > counts->messages ? mine->messages : counts->messages;
    counts->bytes = mine->bytes > counts->bytes ? mine->bytes : counts->bytes;
    counts->blocks = mine->blocks > counts->blocks ? mine->blocks : counts->blocks;
}

/* The second call of its kind: the first one meets cold tables. */
static void run_counted(void *argument)
{
    const struct call *call = argument;
    call->run(NULL);
    sim_me->counts = (struct counts){0};
    call->run(NULL);
    struct counts mine = sim_me->counts;
    raise(&most, &mine);
    if (sim_me->slot != 0)
        raise(&most_of_others, &mine);
}

static int rounds_of(int pes)
{
    return 31 - __builtin_clz((unsigned)(pes / PER_NODE));
}

/* Whether a count has grown no faster than it may, from one size to another: half as much again is
 * granted, and a few for what begins with a power of two. */
static bool is_within(enum growth growth, uint64_t before, uint64_t after, int pes_before, int pes)
{
    double factor = growth == LINEAR ? (double)pes / pes_before
                                     : (double)rounds_of(pes) / rounds_of(pes_before);
    return (double)after <= 1.5 * factor * (double)before + 8 * factor;
}

static bool check(const struct call *call, const struct counts *before, int pes_before, int pes)
{
    return is_within(call->messages, before->messages, most.messages, pes_before, pes) &&
           is_within(call->bytes, before->bytes, most.bytes, pes_before, pes) &&
           is_within(call->blocks, before->blocks, most.blocks, pes_before, pes);
}

/* Argument: one call's name, for all sizes. */
int main(int argc, char **argv)
{
    static const struct wire wire = {.latency = 1000, .overhead = 200, .gap = 100, .per_byte = 0.1,
                                     .near = 100, .block = 1};
    int failures = 0;
    sheaf_call.name = "a call";
    CHECK(sheaf_coll_prepare(&sheaf_job.settings) == 0);
    printf("%-22s %6s %9s %11s %10s %12s\n", "call", "PEs", "messages", "bytes", "blocks", "not leading");
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        struct counts before = {0};
        int pes_before = 0, largest = argc > 1 ? INT_MAX : calls[i].most;
        if (argc > 1 && strcmp(argv[1], calls[i].name) != 0)
            continue;
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes && sizes[s] <= largest; s++) {
            most = most_of_others = (struct counts){0};
            sim_run_with_world(sizes[s] / PER_NODE, PER_NODE, 1 << 17, &wire, run_counted,
                    (void *)(uintptr_t)&calls[i]);
            bool is_good = !pes_before || check(&calls[i], &before, pes_before, sizes[s]);
            printf("%-22s %6d %9ju %11ju %10ju %12ju%s\n", calls[i].name, sizes[s],
                   (uintmax_t)most.messages, (uintmax_t)most.bytes, (uintmax_t)most.blocks, (uintmax_t)most_of_others.blocks,
                   is_good ? "" : "  grows too fast");
            failures += !is_good;
            before = most;
            pes_before = sizes[s];
        }
    }
    CHECK(most.blocks > 0); /* a call has that name */
    return failures != 0;
}
