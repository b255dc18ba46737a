/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prints what collectives take on networks of which the parameters are known, by simulation.h: for each
 * network of the file, call and number of PEs a line with tabs. The same for nodes that are one machine. scale.py makes tables
 * of both. Arguments: networks.tsv, hosts.tsv, and optionally the most PEs.
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

static bool is_on_host;

/* On a host the sum of longs takes 1.2 times as long as a copy (real/costs.c); the library's own loop, which uses wide
 * registers, is not compiled here. */
static void combine_counted(void *dest, const void *source, size_t count)
{
    uint64_t blocks = sim_me->counts.blocks;
    SHEAF_OPERATOR(sum, long).combine(dest, source, count);
    if (is_on_host) {
        sim_me->counts.blocks = blocks;
        sim_me->counts.copied += count * sizeof(long) * 6 / 5;
    }
}

static struct sheaf_operator counted_sum;

static void run_sum(void)
{
    sheaf_reduce(sim_me->world, half(1), half(0), 1, &counted_sum);
}

static void run_large_sum(void)
{
    sheaf_reduce(sim_me->world, half(1), half(0), LARGE / sizeof(long), &counted_sum);
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

/* most: PEs. An all-to-all is a message for each two PEs: 10^8 with 10,000. */
static const struct call {
    const char *name;
    void (*run)(void);
    int most;
} calls[] = {
    {"barrier", run_barrier, 100000},
    {"broadcast, 8 B", run_broadcast, 100000},
    {"broadcast, 64 KiB", run_large_broadcast, 100000},
    {"sum, 8 B", run_sum, 100000},
    {"sum, 64 KiB", run_large_sum, 100000},
    {"alltoall, 8 B", run_alltoall, 1000},
    {"team_split", run_split, 100000},
};

#define BEGIN 1e9 /* nanoseconds: long after the first calls */
#define MOST_HEAPS 10000 /* of 256 KiB */
#define WARM  100 /* calls on a host, until the processors' turns have settled, and those that are timed */
#define CALLS 300

struct seen {
    double took;
    int rounds;
    uint64_t messages;
};

#define CALL_COUNT (sizeof calls / sizeof *calls)
static struct seen seen[CALL_COUNT];

static bool is_made(const struct call *call, int npes)
{
    return npes <= call->most;
}

static void note(struct seen *of, double took)
{
    of->took = took > of->took ? took : of->took;
    of->rounds = sim_me->rounds > of->rounds ? sim_me->rounds : of->rounds;
    of->messages = sim_me->counts.messages > of->messages ? sim_me->counts.messages : of->messages;
}

/* The second call: teams and tables are warm. All PEs begin it at once. */
static void run_timed(const struct call *call, struct seen *of, double begin)
{
    call->run();
    sim_sleep_until(begin);
    sim_me->rounds = 0;
    sim_me->counts.messages = 0;
    call->run();
    note(of, sim_me->now - begin);
}

/* The calls from argument on, as many as the same PEs make: all where there are many, as most of the time is their making. */
static void run_calls(void *argument)
{
    double begin = BEGIN;
    for (const struct call *call = argument; call < calls + CALL_COUNT; call++, begin += BEGIN) {
        if (is_made(call, sheaf_job.npes))
            run_timed(call, &seen[call - calls], begin);
        if (!sim_has_one_heap)
            return;
    }
}

/* Calls follow each other, as in real/real.c: each but the barrier has a barrier behind it. Returns what one takes. */
static double run_batch(const struct call *call, int count)
{
    double begun = sim_me->now;
    for (int i = 0; i < count; i++) {
        call->run();
        if (call->run != run_barrier)
            run_barrier();
    }
    return (sim_me->now - begun) / count;
}

static double on_host;

static void run_on_host(void *argument)
{
    run_batch(argument, WARM);
    double took = run_batch(argument, CALLS);
    if (sim_me->pe == 0)
        on_host = took;
}

static void print(const char *network, const char *call, int nodes, const struct seen *of)
{
    printf("%s\t%s\t%d\t%d\t%.0f\t%d\t%ju\n", network, call, nodes, sheaf_job.npes, of->took, of->rounds, (uintmax_t)of->messages);
    fflush(stdout);
}

static void model_job(const char *network, const struct wire *wire, int nodes, int per_node)
{
    int npes = nodes * per_node;
    memset(seen, 0, sizeof seen);
    sim_has_one_heap = npes > MOST_HEAPS;
    for (size_t i = 0; i < (sim_has_one_heap ? 1 : CALL_COUNT); i++)
        sim_run_with_world(nodes, per_node, HEAP, wire, run_calls, (void *)(uintptr_t)&calls[i]);
    for (size_t i = 0; i < CALL_COUNT; i++)
        if (is_made(&calls[i], npes))
            print(network, calls[i].name, nodes, &seen[i]);
}

static void model_machine(const struct wire *wire, int nodes, int per_node)
{
    sim_has_one_heap = false;
    is_on_host = true;
    for (size_t i = 0; i < CALL_COUNT; i++) {
        sim_run_with_world(nodes, per_node, HEAP, wire, run_on_host, (void *)(uintptr_t)&calls[i]);
        print("one machine", calls[i].name, nodes, &(struct seen){.took = on_host});
    }
    is_on_host = false;
}

static const int jobs[][2] = {{10, 1}, {10, 10}, {10, 100}, {100, 100}, {1000, 100}};

/* Nodes that are one machine, which have been measured too. */
static const int jobs_on_host[][2] = {{2, 1}, {2, 2}, {2, 4}, {4, 4}, {2, 8}, {2, 32}};

static void model_network(const char *line, int most)
{
    char name[64];
    struct wire wire = {0};
    CHECK(sscanf(line, "%63[^\t]\t%lf\t%lf\t%lf\t%lf\t%lf\t%lf", name, &wire.latency, &wire.overhead, &wire.gap, &wire.per_byte,
                 &wire.near, &wire.block) == 7);
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++)
        if (jobs[i][0] * jobs[i][1] <= most)
            model_job(name, &wire, jobs[i][0], jobs[i][1]);
}

/* One line for jobs of up to two PEs for each processor, whose memory its cache holds, and one for larger jobs. */
static void model_host(const char *line, int most)
{
    struct host host;
    struct wire wire = {.block = 1, .host = &host};
    char name[64];
    CHECK(host_read(line, name, &host));
    for (size_t i = 0; i < sizeof jobs_on_host / sizeof *jobs_on_host; i++) {
        int nodes = jobs_on_host[i][0], per_node = jobs_on_host[i][1];
        bool is_cold = nodes * per_node > 2 * host.processors;
        if (nodes * per_node <= most && is_cold == (strcmp(name, "cold") == 0))
            model_machine(&wire, nodes, per_node);
    }
}

static void for_each_line(const char *path, int most, void (*model_line)(const char *line, int most))
{
    char line[1024];
    FILE *file = fopen(path, "r");
    CHECK(file != NULL);
    while (fgets(line, sizeof line, file))
        if (line[0] != '#' && line[0] != '\n')
            model_line(line, most);
    fclose(file);
}

int main(int argc, char **argv)
{
    CHECK(argc == 3 || argc == 4);
    int most = argc == 4 ? atoi(argv[3]) : 100000;
    sheaf_call.name = "a call";
    counted_sum = SHEAF_OPERATOR(sum, long);
    counted_sum.combine = combine_counted;
    CHECK(sheaf_coll_prepare(&sheaf_job.settings) == 0);
    for_each_line(argv[2], most, model_host);
    for_each_line(argv[1], most, model_network);
    return 0;
}
