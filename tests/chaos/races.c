/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Programs that lack a fence or a quiet, each beside one that has it: "races racy" fails unless SHEAF_CHAOS
 * makes each of the first kind wrong with one seed of 100, "races correct SEEDS" where one of the second kind
 * is ever wrong. The library is initialized again for every seed.
 */
#include "check.h"

#include <stdbool.h>
#include <string.h>

#define SEEDS 100

static long x, y, flag, counter, lock;
static uint64_t signal_word;
static long block[8];
static bool is_correct;
static int me;

/* The step that a racy program leaves out. */
#define NEEDED(step)                                                                               \
    do {                                                                                           \
        if (is_correct)                                                                            \
            step;                                                                                  \
    } while (0)

static long load(const long *word)
{
    return *(const volatile long *)word;
}

static bool await_flag_and_miss(const long *data, long expected)
{
    shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
    return load(data) != expected;
}

/* Each returns whether this PE saw what its author did not expect. PE 0 writes, PE 1 looks. */
static bool flag_without_fence(void)
{
    if (me == 0) {
        shmem_long_p(&x, 1, 1);
        NEEDED(shmem_fence());
        shmem_long_p(&flag, 1, 1);
    }
    return me == 1 && await_flag_and_miss(&x, 1);
}

static bool atomic_flag_without_fence(void)
{
    if (me == 0) {
        shmem_long_p(&x, 1, 1);
        NEEDED(shmem_fence());
        shmem_long_atomic_inc(&flag, 1);
    }
    return me == 1 && await_flag_and_miss(&x, 1);
}

static bool fence_for_quiet(void)
{
    if (me == 0) {
        shmem_long_p(&x, 1, 1);
        shmem_fence();
        NEEDED(shmem_quiet());
        shmem_long_p(&flag, 1, 2);
    }
    if (me != 2)
        return false;
    shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
    return shmem_long_g(&x, 1) != 1;
}

static bool source_reused(void)
{
    static long source;
    source = 1;
    if (me == 0) {
        shmem_long_put_nbi(&x, &source, 1, 1);
        NEEDED(shmem_quiet());
        source = 2;
    }
    shmem_barrier_all();
    return me == 1 && x != 1;
}

static bool get_read_early(void)
{
    static long got;
    bool missed = false;
    y = 1;
    got = 0;
    shmem_barrier_all();
    if (me == 0) {
        shmem_long_get_nbi(&got, &y, 1, 1);
        NEEDED(shmem_quiet());
        missed = load(&got) != 1;
    }
    shmem_barrier_all();
    y = 0;
    return missed;
}

static bool sync_for_barrier(void)
{
    if (me == 0)
        shmem_long_p(&x, 1, 1);
    NEEDED(shmem_quiet());
    shmem_sync_all();
    return me == 1 && load(&x) != 1;
}

static shmem_ctx_t make_context(void)
{
    shmem_ctx_t context;
    CHECK_EQ(shmem_ctx_create(0, &context), 0);
    return context;
}

static bool flag_of_other_context(void)
{
    shmem_ctx_t context = make_context();
    if (me == 0) {
        shmem_ctx_long_p(context, &x, 1, 1);
        shmem_ctx_fence(context);
        NEEDED(shmem_ctx_quiet(context));
        shmem_long_p(&flag, 1, 1);
    }
    bool missed = me == 1 && await_flag_and_miss(&x, 1);
    shmem_ctx_destroy(context);
    return missed;
}

static bool quiet_of_other_context(void)
{
    shmem_ctx_t context = make_context();
    if (me == 0) {
        shmem_ctx_long_p(context, &x, 1, 1);
        shmem_quiet();
        NEEDED(shmem_ctx_quiet(context));
        shmem_long_p(&flag, 1, 1);
    }
    bool missed = me == 1 && await_flag_and_miss(&x, 1);
    shmem_ctx_destroy(context);
    return missed;
}

/* Both add to a counter on PE 2 under a lock of their own making. */
static bool unlock_without_quiet(void)
{
    const int turns = 4;
    for (int turn = 0; turn < turns && me < 2; turn++) {
        while (shmem_long_atomic_compare_swap(&lock, 0, 1, 2) != 0)
            ;
        shmem_long_p(&counter, shmem_long_g(&counter, 2) + 1, 2);
        NEEDED(shmem_quiet());
        shmem_long_atomic_swap(&lock, 0, 2);
    }
    shmem_barrier_all();
    return me == 2 && counter != 2 * turns;
}

static bool own_put_without_quiet(void)
{
    shmem_long_p(&x, 1, me);
    NEEDED(shmem_quiet());
    return load(&x) != 1;
}

static bool fetched_early(void)
{
    static long got;
    got = -1;
    y = 7;
    shmem_barrier_all();
    bool missed = false;
    if (me == 0) {
        shmem_long_atomic_fetch_add_nbi(&got, &y, 1, 1);
        NEEDED(shmem_quiet());
        missed = load(&got) != 7;
    }
    shmem_barrier_all();
    return missed;
}

static bool two_puts_without_fence(void)
{
    if (me == 0) {
        shmem_long_p(&x, 1, 1);
        NEEDED(shmem_fence());
        shmem_long_p(&x, 2, 1);
    }
    shmem_barrier_all();
    return me == 1 && x != 2;
}

/* put_signal is the other way to have it right. */
static bool signal_apart_from_put(void)
{
    static const long ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    if (me == 0 && is_correct) {
        shmem_long_put_signal(block, ones, 8, &signal_word, 1, SHMEM_SIGNAL_SET, 1);
    } else if (me == 0) {
        shmem_long_put(block, ones, 8, 1);
        shmem_signal_set(&signal_word, 1, 1);
    }
    if (me != 1)
        return false;
    shmem_signal_wait_until(&signal_word, SHMEM_CMP_EQ, 1);
    return load(&block[7]) != 1;
}

static bool put_before_put_signal(void)
{
    static const long one = 1;
    if (me == 0) {
        shmem_long_p(&x, 1, 1);
        NEEDED(shmem_fence());
        shmem_long_put_signal(&y, &one, 1, &signal_word, 1, SHMEM_SIGNAL_ADD, 1);
    }
    if (me != 1)
        return false;
    shmem_signal_wait_until(&signal_word, SHMEM_CMP_EQ, 1);
    return load(&x) != 1;
}

static bool pe_quiet_of_other_pe(void)
{
    const int other = is_correct ? 1 : 2;
    if (me == 0) {
        shmem_long_p(&x, 1, 1);
        shmem_pe_quiet(&other, 1);
        shmem_long_p(&flag, 1, 2);
    }
    if (me != 2)
        return false;
    shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
    return shmem_long_g(&x, 1) != 1;
}

static bool strided_without_fence(void)
{
    static const long ones[4] = {1, 1, 1, 1};
    if (me == 0) {
        shmem_long_iput(block, ones, 2, 1, 4, 1);
        NEEDED(shmem_fence());
        shmem_long_p(&flag, 1, 1);
    }
    return me == 1 && await_flag_and_miss(&block[6], 1);
}

static bool get_behind_put(void)
{
    if (me != 0)
        return false;
    shmem_long_p(&x, 1, 1);
    NEEDED(shmem_quiet());
    return shmem_long_g(&x, 1) != 1;
}

static bool fetch_behind_add(void)
{
    if (me != 0)
        return false;
    shmem_long_atomic_add(&x, 1, 1);
    NEEDED(shmem_quiet());
    return shmem_long_atomic_fetch(&x, 1) != 1;
}

/* A fence takes the next put behind it, not a store by way of shmem_ptr before it is called. */
static bool store_behind_put(void)
{
    long *there = shmem_ptr(&flag, 1);
    if (me == 0 && there) {
        shmem_long_p(&x, 1, 1);
        NEEDED(shmem_fence());
        *(volatile long *)there = 1;
    } else if (me == 0) {
        shmem_long_p(&x, 1, 1);
        NEEDED(shmem_fence());
        shmem_long_p(&flag, 1, 1);
    }
    return me == 1 && await_flag_and_miss(&x, 1);
}

/* PE 1 passes on what it was told, and PE 2 expects what PE 0 had done. */
static bool passed_on(void)
{
    if (me == 0) {
        shmem_long_p(&x, 1, 2);
        shmem_fence();
        NEEDED(shmem_quiet());
        shmem_long_p(&flag, 1, 1);
    } else if (me == 1) {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        shmem_long_p(&flag, 1, 2);
    }
    return me == 2 && await_flag_and_miss(&x, 1);
}

static const struct race {
    const char *name;
    bool (*act)(void);
} races[] = {
    {"a flag without a fence", flag_without_fence},
    {"an atomic flag without a fence", atomic_flag_without_fence},
    {"a fence taken for a quiet", fence_for_quiet},
    {"the source of put_nbi reused", source_reused},
    {"get_nbi read before quiet", get_read_early},
    {"sync_all in place of barrier_all", sync_for_barrier},
    {"data and flag on two contexts", flag_of_other_context},
    {"quiet on the wrong context", quiet_of_other_context},
    {"a lock given back without quiet", unlock_without_quiet},
    {"a put to oneself without quiet", own_put_without_quiet},
    {"a nonblocking fetch used early", fetched_early},
    {"two puts to one place without a fence", two_puts_without_fence},
    {"a signal apart from its put", signal_apart_from_put},
    {"a put before a put with signal", put_before_put_signal},
    {"pe_quiet for another PE", pe_quiet_of_other_pe},
    {"a strided put, a flag, no fence", strided_without_fence},
    {"a get behind a put", get_behind_put},
    {"a fetch behind an addition", fetch_behind_add},
    {"a store behind a put", store_behind_put},
    {"news passed on by a third PE", passed_on},
};
#define RACES (sizeof races / sizeof *races)

static void forget(void)
{
    x = y = flag = counter = lock = 0;
    signal_word = 0;
    memset(block, 0, sizeof block);
}

static bool is_wrong_anywhere(bool is_wrong_here)
{
    static int mine, all;
    shmem_barrier_all();
    mine = is_wrong_here;
    CHECK_EQ(shmem_int_max_reduce(SHMEM_TEAM_WORLD, &all, &mine, 1), 0);
    forget();
    shmem_barrier_all();
    return all != 0;
}

/* On every PE: the first seed that made each race wrong. */
static void run_seed(int seed, int *wrong_by)
{
    char text[16];
    snprintf(text, sizeof text, "%d", seed);
    CHECK(setenv("SHEAF_CHAOS", text, 1) == 0);
    shmem_init();
    me = shmem_my_pe();
    if (shmem_n_pes() < 3)
        test_end(TEST_STATUS_SKIPPED);
    for (size_t i = 0; i < RACES; i++)
        if (is_wrong_anywhere((is_correct || !wrong_by[i]) && races[i].act()) && !wrong_by[i])
            wrong_by[i] = seed;
    shmem_finalize();
}

static bool are_all_wrong(const int *wrong_by)
{
    for (size_t i = 0; i < RACES; i++)
        if (!wrong_by[i])
            return false;
    return true;
}

int main(int argc, char **argv)
{
    int wrong_by[RACES] = {0}, failed = 0;
    is_correct = argc > 1 && strcmp(argv[1], "correct") == 0;
    const int seeds = argc > 2 ? atoi(argv[2]) : SEEDS;
    for (int seed = 1; seed <= seeds && (is_correct || !are_all_wrong(wrong_by)); seed++)
        run_seed(seed, wrong_by);
    for (size_t i = 0; i < RACES; i++) {
        if (me == 0 && wrong_by[i])
            printf("%s: wrong by seed %d\n", races[i].name, wrong_by[i]);
        else if (me == 0 && !is_correct)
            printf("%s: not wrong by any of %d seeds\n", races[i].name, seeds);
        failed |= (wrong_by[i] != 0) == is_correct;
    }
    return failed ? TEST_STATUS_FAILED : 0;
}
