/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prints what collectives take on networks of which the parameters are known, by simulation.h: for each
 * network of the file, call and number of PEs a line with tabs. scale.py makes a table of it. Arguments:
 * the file, and optionally the most PEs.
 */
#include "simulation.h"
#include "unit.h"

#include "coll/coll.h"
#include "coll/operators.h"
#include "core/pe/call.h"
#include "core/pe/job.h"
#include "core/team/sync.h"

#define HEAP  ((size_t)256 << 10)
#define LARGE ((size_t)64 << 10)

static char *half(int which)
{
    return sim_me->heap + (size_t)which * sim_heap_bytes / 2;
}

static void run_barrier(void)
{
    sheaf_sync(sim_me->world);
}

static void run_broadcast(void)
{
    sheaf_broadcast(sim_me->world, half(1), half(0), 8, 0, true);
}

static void run_large_broadcast(void)
{
    sheaf_broadcast(sim_me->world, half(1), half(0), LARGE, 0, true);
}

static void run_sum(void)
{
    sheaf_reduce(sim_me->world, half(1), half(0), 1, &SHEAF_OPERATOR(sum, long));
}

static void run_large_sum(void)
{
    sheaf_reduce(sim_me->world, half(1), half(0), LARGE / sizeof(long), &SHEAF_OPERATOR(sum, long));
}

static void run_alltoall(void)
{
    sheaf_alltoall(sim_me->world, half(1), half(0), 8);
}

static void run_split(void)
{
    shmem_team_t team;
    sheaf_team_split_strided(sim_me->world, 0, 1, sheaf_job.npes, NULL, 0, &team);
    sheaf_team_destroy(team);
}

/* most: PEs; what moves much data is left out for more, where its time is spent here. */
static const struct call {
    const char *name;
    void (*run)(void);
    int most;
} calls[] = {
    {"barrier", run_barrier, 100000},
    {"broadcast, 8 B", run_broadcast, 100000},
    {"broadcast, 64 KiB", run_large_broadcast, 10000},
    {"sum, 8 B", run_sum, 100000},
    {"sum, 64 KiB", run_large_sum, 10000},
    {"alltoall, 8 B", run_alltoall, 1000},
    {"team_split", run_split, 10000},
};

#define BEGIN 1e9 /* nanoseconds: long after the first calls */
#define MANY  10  /* nodes: with fewer the job is compared with real ones, on one machine */

static struct {
    double ended;
    int rounds;
    uint64_t messages;
} seen;

/* The second call: teams and tables are warm. All PEs begin it at once. What is compared with real runs has a barrier
 * behind each other call, as those have. */
static void run_timed(void *argument)
{
    const struct call *call = argument;
    call->run();
    sim_sleep_until(BEGIN);
    sim_me->rounds = 0;
    sim_me->counts.messages = 0;
    call->run();
    if (sim_nodes < MANY && call->run != run_barrier)
        run_barrier();
    seen.ended = sim_me->now > seen.ended ? sim_me->now : seen.ended;
    seen.rounds = sim_me->rounds > seen.rounds ? sim_me->rounds : seen.rounds;
    seen.messages = sim_me->counts.messages > seen.messages ? sim_me->counts.messages : seen.messages;
}

static void model(const char *network, const struct wire *wire, int nodes, int per_node)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        if (nodes * per_node > calls[i].most)
            continue;
        memset(&seen, 0, sizeof seen);
        sim_run_with_world(nodes, per_node, HEAP, wire, run_timed, (void *)(uintptr_t)&calls[i]);
        printf("%s\t%s\t%d\t%d\t%.0f\t%d\t%ju\n", network, calls[i].name, nodes, nodes * per_node,
               seen.ended - BEGIN, seen.rounds, (uintmax_t)seen.messages);
        fflush(stdout);
    }
}

/* The jobs: nodes, and PEs of each. Those of few nodes have been measured too. */
static const int jobs[][2] = {{2, 1}, {2, 2}, {2, 4}, {4, 4}, {2, 8}, {2, 32}, {10, 1}, {10, 10},
                              {10, 100}, {100, 100}, {1000, 100}};

static void model_jobs(const char *network, const struct wire *machine, int most)
{
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
        struct wire wire = *machine;
        if (jobs[i][0] >= MANY)
            wire.processors = 0;
        if (jobs[i][0] * jobs[i][1] <= most && (jobs[i][0] >= MANY || wire.processors > 0))
            model(network, &wire, jobs[i][0], jobs[i][1]);
    }
}

int main(int argc, char **argv)
{
    char line[1024], name[64];
    struct wire wire;
    CHECK(argc == 2 || argc == 3);
    FILE *file = fopen(argv[1], "r");
    CHECK(file != NULL);
    sheaf_call.name = "a call";
    CHECK(sheaf_coll_prepare(&sheaf_job.settings) == 0);
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#' || line[0] == '\n')
            continue;
        CHECK(sscanf(line, "%63[^\t]\t%lf\t%lf\t%lf\t%lf\t%lf\t%lf\t%lf\t%d", name,
                     &wire.latency, &wire.overhead, &wire.gap, &wire.per_byte, &wire.near, &wire.block, &wire.turn,
                     &wire.processors) == 9);
        model_jobs(name, &wire, argc == 3 ? atoi(argv[2]) : 100000);
    }
    fclose(file);
    return 0;
}
