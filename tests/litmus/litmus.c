/* SPDX-License-Identifier: BSD-3-Clause
 * See litmus.h.
 */
#include "litmus.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#define BATCH          64    /* runs between two judgements */
#define RUNS           20000 /* of a shape, or as many as fit into the time */
#define NANOSECONDS    300000000L
#define BROKEN_SECONDS 10    /* within which a broken form must show itself */
#define CHAOS_SECONDS  60    /* within which an allowed outcome must, with SHEAF_CHAOS */
#define SOAK_RUNS      1000000

struct report {
    long saw[BATCH][LITMUS_SEEN], x[BATCH], y[BATCH];
};

static struct litmus_words words[BATCH];
static struct report reports[LITMUS_ROLES]; /* on PE 0 */
static long here[LITMUS_ROLES];             /* how often each role has come to a meeting */
static long stop, first;                    /* PE 0's decision on each PE: the next batch's first PE */

shmem_ctx_t litmus_context;
static uint64_t seed;
static int me, n;
static bool is_broken, is_soak, is_chaos;
static long *heap; /* a word of each run of a batch */

static long now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000L + now.tv_nsec;
}

/* Of all lengths alike: 1 to 2 steps as often as 2,048 to 4,096, about 2 us. */
void litmus_pause(struct litmus_run *run)
{
    const uint64_t longest = UINT64_C(2) << test_random_below(&seed, run->is_broken ? 14 : 12);
    const uint64_t steps = test_random_below(&seed, longest);
    for (volatile uint64_t step = 0; step < steps; step++)
        ;
}

long *litmus_heap_word(const struct litmus_run *run)
{
    return &heap[run->at - words];
}

/* All roles begin a run at about the same time. Numbers come in their order, by the fence. */
static void meet(const struct litmus_run *run, int roles)
{
    shmem_fence();
    for (int role = 0; role < roles; role++)
        if (role != run->role)
            shmem_long_p(&here[run->role], run->number, run->pe[role]);
    for (int role = 0; role < roles; role++)
        if (role != run->role)
            shmem_long_wait_until(&here[role], SHMEM_CMP_GE, run->number);
}

static void run_batch(const struct litmus_shape *shape, const int *pe, int role, long number,
                      struct report *report)
{
    memset(report, 0, sizeof *report);
    for (int i = 0; i < BATCH; i++) {
        struct litmus_run run = {&words[i], role, pe, me, is_broken, number + i, report->saw[i]};
        if (role >= 0) {
            meet(&run, shape->roles);
            litmus_pause(&run);
        }
        shape->act(&run);
    }
}

/* After a barrier: to PE 0, with what became of my variables; they are zero again. */
static void send(int role, struct report *report)
{
    for (int i = 0; i < BATCH; i++) {
        report->x[i] = words[i].x;
        report->y[i] = words[i].y;
    }
    if (role >= 0)
        shmem_putmem(&reports[role], report, sizeof *report, 0);
    memset(words, 0, sizeof words);
    memset(heap, 0, BATCH * sizeof *heap);
}

static void fail(const struct litmus_shape *shape, const struct litmus_outcome *outcome, const int *pe)
{
    printf("%s: forbidden: %s\n", shape->name, shape->forbidden);
    for (int role = 0; role < shape->roles; role++)
        printf("  role %d on PE %d saw %ld %ld %ld %ld; x is %ld, y is %ld\n", role, pe[role],
               outcome->saw[role][0], outcome->saw[role][1], outcome->saw[role][2],
               outcome->saw[role][3], outcome->x[role], outcome->y[role]);
    test_end(TEST_STATUS_FAILED);
}

/* How many of the batch's runs had the outcome. */
static long judge(const struct litmus_shape *shape, const int *pe)
{
    long seen = 0;
    for (int i = 0; i < BATCH; i++) {
        struct litmus_outcome outcome = {0};
        for (int role = 0; role < shape->roles; role++) {
            memcpy(outcome.saw[role], reports[role].saw[i], sizeof outcome.saw[role]);
            outcome.x[role] = reports[role].x[i];
            outcome.y[role] = reports[role].y[i];
        }
        if (!shape->is_forbidden(&outcome))
            continue;
        seen++;
        if (!is_broken && !shape->is_allowed)
            fail(shape, &outcome, pe);
    }
    return seen;
}

/* PE 0 alone: whether the shape has been run often enough. */
static bool is_enough(const struct litmus_shape *shape, long runs, long seen, long since)
{
    if (is_soak)
        return runs >= SOAK_RUNS;
    if (is_chaos && shape->is_allowed)
        return seen != 0 || now_ns() - since > CHAOS_SECONDS * 1000000000L;
    if (!is_broken)
        return runs >= RUNS || now_ns() - since > NANOSECONDS;
    return seen != 0 || now_ns() - since > BROKEN_SECONDS * 1000000000L;
}

static void tell_all(long stops, long next)
{
    for (int pe = 0; pe < n && me == 0; pe++) {
        shmem_long_p(&stop, stops, pe);
        shmem_long_p(&first, next, pe);
    }
    shmem_barrier_all();
}

static int place_roles(const struct litmus_shape *shape, int *pe)
{
    int mine = -1;
    for (int role = 0; role < shape->roles; role++) {
        pe[role] = (int)((first + role) % n);
        if (pe[role] == me)
            mine = role;
    }
    return mine;
}

/* Returns how many runs had the outcome; on PE 0. */
static long run_shape(const struct litmus_shape *shape, long *number)
{
    static struct report report;
    long runs = 0, seen = 0, since = now_ns();
    shmem_sync_all(); /* all have read the last decision */
    tell_all(0, 0);
    while (!stop) {
        int pe[LITMUS_ROLES];
        const int role = place_roles(shape, pe);
        run_batch(shape, pe, role, *number, &report);
        shmem_barrier_all();
        send(role, &report);
        shmem_barrier_all();
        *number += BATCH;
        runs += BATCH;
        if (me == 0)
            seen += judge(shape, pe);
        tell_all(me == 0 && is_enough(shape, runs, seen, since), first + 1);
    }
    if (me == 0)
        printf("%s: %ld runs, %ld %s\n", shape->name, runs, seen,
               shape->is_allowed ? "weak" : is_broken ? "caught" : "forbidden");
    return seen;
}

/* Broken forms show themselves soonest where nobody watches. */
static bool is_asked(const struct litmus_shape *shape)
{
    if (shape->roles > n)
        return false;
    return !is_broken || (!shape->is_allowed && (shape->roles > 2) == (n > 2));
}

/* A race needs its PEs on processors at the same time: where they share them, or others take them, a broken
 * form may get by. One that is caught shows that the test sees. */
static void judge_broken(int caught, int missed)
{
    if (missed == 0)
        return;
    const bool is_crowded = n > sysconf(_SC_NPROCESSORS_ONLN);
    printf("%d broken forms were not caught in %d s each, %d were\n", missed, BROKEN_SECONDS, caught);
    test_end(caught == 0 && !is_crowded ? TEST_STATUS_FAILED : TEST_STATUS_SKIPPED);
}

static bool has_word(int argc, char **argv, const char *word)
{
    return argc > 1 && strcmp(argv[1], word) == 0;
}

static int print_names(const struct litmus_shape *shapes)
{
    for (const struct litmus_shape *shape = shapes; shape->name; shape++)
        printf("%s\t%s\n", shape->name, shape->is_allowed ? "allowed" : "forbidden");
    return 0;
}

int litmus_main(int argc, char **argv, const struct litmus_shape *shapes)
{
    if (has_word(argc, argv, "names"))
        return print_names(shapes);
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    is_broken = has_word(argc, argv, "broken");
    is_soak = has_word(argc, argv, "soak");
    is_chaos = getenv("SHEAF_CHAOS") != NULL;
    heap = shmem_calloc(BATCH, sizeof *heap);
    seed = (uint64_t)now_ns() + (uint64_t)me;
    CHECK_EQ(shmem_ctx_create(0, &litmus_context), 0);
    memset(here, 0, sizeof here);
    long number = 1;
    int caught = 0, missed = 0, hidden = 0;
    for (const struct litmus_shape *shape = shapes; shape->name; shape++) {
        if (!is_asked(shape))
            continue;
        if (run_shape(shape, &number) != 0)
            caught++;
        else if (shape->is_allowed)
            hidden++;
        else
            missed++;
    }
    if (me == 0 && is_broken)
        judge_broken(caught, missed);
    if (me == 0 && is_chaos && !is_soak && hidden != 0) {
        printf("%d outcomes that are allowed were not seen in %d s each\n", hidden, CHAOS_SECONDS);
        test_end(TEST_STATUS_FAILED);
    }
    shmem_ctx_destroy(litmus_context);
    shmem_free(heap);
    return test_finish();
}
