/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The protocol over the local transport: two to four PEs, random operations, a transport that by the
 * same seed delays, cuts, keeps, refuses and lets strangers write. Arguments: how, how many seeds, and
 * the first.
 *   steps    no thread; a seed does the same each time. 0 seeds: new ones, for SHEAF_SOAK_SECONDS, on every processor
 *   threads  with the progress thread, as the processors have it
 *   ends     as steps, and a connection breaks: the job ends, or nobody needed it
 */
#include "protocol.h"

#include "local/local.h"
#include "engine/message/engine.h"
#include "engine/message/serve/serve.h"

#include <sched.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define KEY        {UINT64_C(0x1122334455667788), UINT64_C(0x99aabbccddeeff00)}
#define MOST_STEPS 400000

static enum { STEPS, THREADS, ENDS } mode;
static const char *const modes[] = {"steps", "threads", "ends"};
static uint64_t first_seed, last_seed;

static int peer_address(int pe, void **address, size_t *length)
{
    *length = board->length[pe];
    *address = malloc(*length);
    memcpy(*address, board->address[pe], *length);
    return 0;
}

static __attribute__((noreturn)) void failed(int pe, const char *why)
{
    REQUIRE(mode == ENDS && pe >= 0 && pe < pes && why[0], "PE %d: %s", pe, why);
    trace("the job ends: PE %d: %s", pe, why);
    board->has_ended = true;
    die();
}

static __attribute__((noreturn)) void differs(int pe)
{
    REQUIRE(false, "a message of PE %d has met another's receive", pe);
    die();
}

/* By the seed alone, so that all PEs come to the same; is_big is theirs too. */
static void choose(uint64_t seed)
{
    static const uint8_t often[] = {0, 0, 16, 48, 96};
    static const sheaf_amo_set atomics[] = {0, 0, SHEAF_AMO_ALL, SHEAF_AMO_64};
    uint64_t dice = seed * UINT64_C(0x2545f4914f6cdd1d) + 1;
    pes = below(&dice, 16) ? 2 + (int)below(&dice, PROTOCOL_PES - 1) : 1;
    is_big = below(&dice, 20) == 0;
    sheaf_local_settings = (struct sheaf_local_settings){
        .seed = seed,
        .rests = often[below(&dice, 5)],
        .idles = often[below(&dice, 4)],
        .pieces = often[below(&dice, 5)],
        .late_ends = often[below(&dice, 5)],
        .keeps = often[below(&dice, 5)],
        .forges = below(&dice, 4) ? 0 : 40,
        .has_direct = below(&dice, 2),
        .sends_whole = below(&dice, 2),
        .longest = below(&dice, 2) ? (size_t)1 << 20 : 0,
        .atomics = atomics[below(&dice, 4)],
        .refused_open = below(&dice, 8) ? 0 : 2 + (unsigned)below(&dice, 3),
        .at_once = often[below(&dice, 5)],
        .longest_direct = below(&dice, 3) ? 0 : 1 + below(&dice, 2000),
        .last_part = below(&dice, 2) ? 0 : 1 + below(&dice, 2000),
    };
    if (mode == ENDS && me == (int)below(&dice, (uint64_t)pes))
        sheaf_local_settings.lost_message = 1 + (unsigned)below(&dice, 60);
}

/* Without the thread, which no seed commands, nothing gathers without a session: here it does all the same,
 * since those who wait send what has gathered. */
static void gather(void)
{
    sheaf_msg_state.aggregates = true;
    sheaf_msg_batches_prepare(sheaf_msg_state.service);
}

static void start(uint64_t seed)
{
    const void *address;
    struct sheaf_engine_job job = {
        .pe = me,
        .npes = pes,
        .key = KEY,
        .segments = {[SHEAF_SEGMENT_DATA] = {(char *)memory_of(me, IN_DATA), REGION},
                     [SHEAF_SEGMENT_HEAP] = {(char *)memory_of(me, IN_HEAP), HEAP_BYTES}},
        .multiple = seed & 1,
        .progress = mode == THREADS ? SHEAF_PROGRESS_THREAD : SHEAF_PROGRESS_OFF,
        .aggregate = seed & 2 ? SHEAF_AGGREGATE_ON : SHEAF_AGGREGATE_OFF,
        .atomics = sheaf_local_settings.atomics ? SHEAF_ATOMICS_DEVICE : SHEAF_ATOMICS_CPU,
        .peer_address = peer_address,
        .is_in_space = memory_is_in_space,
        .space_address = memory_space_address,
        .accumulate = memory_accumulate,
        .failed = failed,
        .host_failed = failed,
        .differs = differs,
    };
    is_doing("start");
    REQUIRE(engine->start(&job) == 0, "start");
    if (seed % 5 == 0) /* as in a job of many PEs */
        sheaf_msg_state.free_credit = seed % 7 * 512;
    sheaf_msg_dropped.strangers = 1; /* the first one is not told: strangers are expected */
    if (mode != THREADS && (seed & 2))
        gather();
    engine->address(&address, &board->length[me]);
    memcpy(board->address[me], address, board->length[me]);
    REQUIRE(engine->heap_grown(0, HEAP_BYTES) == 0, "the heap");
    meet(pes, NULL);
}

static void serve(void)
{
    engine->progress(below(&chance, 2));
    end_with_job();
}

/* Everybody's operations, then what has come of them. */
static void do_phase(uint64_t plan)
{
    marks_begin(plan);
    tickets_begin();
    messages_begin(plan);
    meet(pes, serve);
    for (uint64_t operations = 2 + below(&chance, 24); operations-- > 0;) {
        operate();
        messages_go_on();
        if (below(&chance, 4) == 0)
            turn((int)below(&chance, (uint64_t)contexts));
    }
    is_doing("messages of collectives");
    messages_finish();
    is_doing("quiet");
    for (int context = 0; context < contexts; context++)
        flights_quiet(context, SHEAF_EVERY_PE);
    is_doing("the barrier after quiet");
    meet(pes, serve);
    unsigned missing = marks_look();
    REQUIRE(missing == 0, "%u marks", missing);
    memory_verify();
    /* ThreadSanitizer sees no order that another process makes: the worker's lock orders what was read here before
     * what the others send after they have met. */
    engine->progress(0);
    meet(pes, serve);
}

static void stop(void)
{
    is_doing("stop");
    contexts_end();
    REQUIRE(sheaf_msg_dropped.malformed == 0, "%lu messages of PEs were dropped",
            (unsigned long)sheaf_msg_dropped.malformed);
    meet(pes, serve);
    engine->stop();
}

static void run_seed(uint64_t seed)
{
    choose(seed);
    repeat_by("test-engine-protocol %s 1 %lu", modes[mode], (unsigned long)seed);
    begin_steps(seed, pes, MOST_STEPS);
    chance = seed * PROTOCOL_PES + (uint64_t)me;
    if (me < pes) {
        start(seed);
        contexts_begin();
        for (uint64_t phase = seed % 4 ? 1 : 3; phase-- > 0;)
            do_phase(seed + (phase << 32));
        stop();
    }
    is_doing("nothing");
}

static void run_seeds(void)
{
    for (uint64_t seed = first_seed; seed < last_seed; seed++)
        run_seed(seed);
}

/* New ones each time; PE 0 looks at the clock. */
static void run_for_a_time(void)
{
    const time_t end = time(NULL) + atol(getenv("SHEAF_SOAK_SECONDS"));
    for (uint64_t seed = first_seed; !board->is_over; seed++) {
        run_seed(seed);
        meet(npes, NULL);
        if (me == 0)
            board->is_over = time(NULL) >= end;
        meet(npes, NULL);
        last_seed = seed;
    }
    if (me == 0)
        printf("%lu seeds\n", (unsigned long)(last_seed - first_seed + 1));
}

static int usage(void)
{
    fprintf(stderr, "usage: test-engine-protocol steps|threads|ends SEEDS FIRST\n");
    return 2;
}

static bool make_tree(void)
{
    if (sheaf_local_make_tree(PROTOCOL_PES) == 0)
        return true;
    perror("sheaf_local_make_tree");
    return false;
}

/* A job that ends leaves nothing that another could begin with. */
static int run_ends(uint64_t count)
{
    int failed = 0;
    for (; !failed && count > 0; count--, first_seed++) {
        last_seed = first_seed + 1;
        if (!make_tree())
            return 1;
        failed = run_processes(PROTOCOL_PES, true, run_seeds);
        sheaf_local_leave_tree();
        memory_accept();
        board->has_ended = false;
    }
    return failed;
}

static int run(uint64_t count)
{
    board = share(sizeof *board);
    memory_make();
    if (mode == ENDS)
        return run_ends(count);
    return make_tree() ? run_processes(PROTOCOL_PES, mode == STEPS, count ? run_seeds : run_for_a_time) : 1;
}

/* A tree of processes for each processor, with seeds of its own: they share nothing. */
static int soak(void)
{
    cpu_set_t allowed, one;
    int status, failed = 0;
    REQUIRE(sched_getaffinity(0, sizeof allowed, &allowed) == 0, "processors");
    for (uint64_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (!CPU_ISSET(cpu, &allowed))
            continue;
        pid_t tree = fork();
        REQUIRE(tree >= 0, "fork: %m");
        if (tree)
            continue;
        CPU_ZERO(&one);
        CPU_SET(cpu, &one);
        sched_setaffinity(0, sizeof one, &one);
        first_seed += cpu << 52;
        exit(run(0));
    }
    while (wait(&status) > 0)
        failed |= status;
    return failed != 0;
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return usage();
    while (strcmp(argv[1], modes[mode]) != 0)
        if (++mode > ENDS)
            return usage();
    uint64_t count = strtoul(argv[2], NULL, 0);
    first_seed = strtoul(argv[3], NULL, 0);
    last_seed = first_seed + count;
    if (!count && !getenv("SHEAF_SOAK_SECONDS")) {
        printf("skipped: set SHEAF_SOAK_SECONDS to the seconds that it takes\n");
        return 77;
    }
    if (!count && !first_seed)
        first_seed = (uint64_t)time(NULL) << 20;
    return count ? run(count) : soak();
}
