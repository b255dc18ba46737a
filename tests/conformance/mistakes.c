/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Mistakes in programs that the library can name: PEs that disagree about a collective, handles
 * used after their end, sizes that were negative. The first argument says which; mistakes.py runs
 * it and knows what must be said.
 */
#include "check.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static long a[64], b[64];
static int me, all;

static void different_calls(const char *mode)
{
    if (strcmp(mode, "barrier-reduce") == 0) {
        if (me == 0)
            shmem_barrier_all();
        else
            shmem_long_sum_reduce(SHMEM_TEAM_WORLD, a, b, 4);
    } else if (strcmp(mode, "sum-max") == 0) {
        if (me == 0)
            shmem_long_max_reduce(SHMEM_TEAM_WORLD, a, b, 4);
        else
            shmem_long_sum_reduce(SHMEM_TEAM_WORLD, a, b, 4);
    } else if (strcmp(mode, "free-barrier") == 0) {
        void *block = shmem_malloc(64);
        if (me == 0)
            shmem_free(block);
        else
            shmem_barrier_all();
    } else if (strcmp(mode, "finalize-barrier") == 0) {
        if (me != 0)
            shmem_barrier_all();
    }
}

static void different_arguments(const char *mode)
{
    shmem_team_t team;
    if (strcmp(mode, "root") == 0)
        shmem_long_broadcast(SHMEM_TEAM_WORLD, a, b, 4, me == 0);
    else if (strcmp(mode, "reduce-size") == 0)
        shmem_long_sum_reduce(SHMEM_TEAM_WORLD, a, b, me == 0 ? 4 : 5);
    else if (strcmp(mode, "fcollect-size") == 0)
        shmem_long_fcollect(SHMEM_TEAM_WORLD, a, b, me == 0 ? 4 : 5);
    else if (strcmp(mode, "alltoall-size") == 0)
        shmem_long_alltoall(SHMEM_TEAM_WORLD, a, b, me == 0 ? 0 : 1);
    else if (strcmp(mode, "stride") == 0)
        shmem_long_alltoalls(SHMEM_TEAM_WORLD, a, b, 1, me == 0 ? 1 : 2, 1);
    else if (strcmp(mode, "scan-dest") == 0)
        shmem_long_sum_inscan(SHMEM_TEAM_WORLD, me == 0 ? a : a + 8, b, 4);
    else if (strcmp(mode, "collect-dest") == 0)
        shmem_long_collect(SHMEM_TEAM_WORLD, me == 0 ? a : a + 8, b, 1);
    else if (strcmp(mode, "split") == 0)
        shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, me == 0 ? 1 : 2, NULL, 0, &team);
    else if (strcmp(mode, "split-2d") == 0)
        shmem_team_split_2d(SHMEM_TEAM_WORLD, me == 0, NULL, 0, &team, NULL, 0, &team);
    else if (strcmp(mode, "malloc") == 0)
        shmem_malloc(me == 0 ? 64 : 128);
}

static void destroyed_handle(const char *mode)
{
    shmem_team_t team;
    shmem_ctx_t ctx;
    CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, all, NULL, 0, &team) == 0);
    CHECK(shmem_ctx_create(0, &ctx) == 0);
    if (strncmp(mode, "team", 4) == 0)
        shmem_team_destroy(team);
    else if (strncmp(mode, "ctx", 3) == 0)
        shmem_ctx_destroy(ctx);
    if (strcmp(mode, "team-sync") == 0)
        shmem_team_sync(team);
    else if (strcmp(mode, "team-destroy") == 0)
        shmem_team_destroy(team);
    else if (strcmp(mode, "ctx-put") == 0)
        shmem_ctx_long_p(ctx, a, 1, 0);
    else if (strcmp(mode, "ctx-destroy") == 0)
        shmem_ctx_destroy(ctx);
}

static void negative_size(const char *mode)
{
    long *block = shmem_malloc(800);
    if (strcmp(mode, "put") == 0)
        shmem_long_put(block, a, (size_t)-1, (me + 1) % all);
    else if (strcmp(mode, "getmem") == 0)
        shmem_getmem(a, block, (size_t)-10, (me + 1) % all);
    else if (strcmp(mode, "static-put") == 0)
        shmem_int_put((int *)a, (int *)b, (size_t)-1, (me + 1) % all);
    else if (strcmp(mode, "static-iput") == 0)
        shmem_long_iput(a + 40, b, -1, 1, 3, (me + 1) % all);
    else if (strcmp(mode, "static-end") == 0)
        shmem_putmem(a, b, (size_t)1 << 30, (me + 1) % all);
}

static void forbidden_argument(const char *mode)
{
    static _Alignas(16) long words[100];
    if (strcmp(mode, "overlap-put") == 0)
        shmem_long_put(words + 1, words, 4, me);
    else if (strcmp(mode, "overlap-get") == 0)
        shmem_getmem(words, (char *)words + 3, 8, me);
    else if (strcmp(mode, "overlap-reduce") == 0)
        shmem_long_sum_reduce(SHMEM_TEAM_WORLD, words + 3, words, 4);
    else if (strcmp(mode, "overlap-fcollect") == 0)
        shmem_long_fcollect(SHMEM_TEAM_WORLD, words, words, 1);
    else if (strcmp(mode, "overlap-alltoall") == 0)
        shmem_long_alltoall(SHMEM_TEAM_WORLD, words, words, 1);
    else if (strcmp(mode, "stride") == 0)
        shmem_long_iput(words, a, 0, 1, 3, (me + 1) % all);
    else if (strcmp(mode, "alltoalls-dst") == 0)
        shmem_long_alltoalls(SHMEM_TEAM_WORLD, a, b, -1, 1, 1);
    else if (strcmp(mode, "alltoalls-sst") == 0)
        shmem_long_alltoalls(SHMEM_TEAM_WORLD, a, b, 1, 0, 1);
    else if (strcmp(mode, "block-stride") == 0)
        shmem_long_ibget(a, words, 4, 3, 4, 2, (me + 1) % all);
    else if (strcmp(mode, "unaligned") == 0)
        shmem_long_atomic_add((long *)((char *)words + 4), 1, (me + 1) % all);
}

/* Every PE calls for the active set of all PEs but the last, as old programs do. */
static void outside_active_set(const char *call)
{
    static long sync_array[SHMEM_SYNC_SIZE], words[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
    const int size = all - 1;
    if (strcmp(call, "shmem_barrier") == 0)
        shmem_barrier(0, 0, size, sync_array);
    else if (strcmp(call, "shmem_sync") == 0)
        shmem_sync(0, 0, size, sync_array);
    else if (strcmp(call, "shmem_broadcast64") == 0)
        shmem_broadcast64(a, b, 1, 0, 0, 0, size, sync_array);
    else if (strcmp(call, "shmem_collect64") == 0)
        shmem_collect64(a, b, 1, 0, 0, size, sync_array);
    else if (strcmp(call, "shmem_fcollect64") == 0)
        shmem_fcollect64(a, b, 1, 0, 0, size, sync_array);
    else if (strcmp(call, "shmem_alltoall64") == 0)
        shmem_alltoall64(a, b, 1, 0, 0, size, sync_array);
    else if (strcmp(call, "shmem_alltoalls64") == 0)
        shmem_alltoalls64(a, b, 1, 1, 1, 0, 0, size, sync_array);
    else if (strcmp(call, "shmem_long_sum_to_all") == 0)
        shmem_long_sum_to_all(a, b, 1, 0, 0, size, words, sync_array);
    else
        CHECK(!"a call that is known here");
}

/* Twice, and once with PEs between the set's: whoever is outside goes on with a dest as it was. */
static void outside(const char *call)
{
    for (size_t i = 0; i < sizeof b / sizeof b[0]; i++) {
        a[i] = -1;
        b[i] = me + 1;
    }
    shmem_barrier_all();
    outside_active_set(call);
    outside_active_set(call);
    if (me == all - 1)
        for (size_t i = 0; i < sizeof a / sizeof a[0]; i++)
            CHECK_EQ(a[i], -1);
    else if (strcmp(call, "shmem_long_sum_to_all") == 0)
        CHECK_EQ(a[0], all * (all - 1) / 2);
    static long sync_array[SHMEM_SYNC_SIZE];
    shmem_barrier(0, 1, (all + 1) / 2, sync_array);
    shmem_barrier_all();
    printf("went on\n");
}

/* PE 1 passes memory of its own, as long as the mode says; the others pass symmetric memory. */
static void private_buffer(const char *mode)
{
    static long to[20000], from[20000];
    long *own = malloc(sizeof from), *dest = to, *source = from;
    size_t count = strtoul(strchr(mode, ':') + 1, NULL, 0);
    CHECK(own != NULL);
    for (size_t i = 0; i < 20000; i++)
        own[i] = from[i] = 1;
    if (me == 1 && strstr(mode, "dest"))
        dest = own;
    else if (me == 1)
        source = own;
    if (strncmp(mode, "reduce", 6) == 0)
        shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest, source, count);
    else if (strncmp(mode, "broadcast", 9) == 0)
        shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, source, count, 1);
    else if (strncmp(mode, "fcollect", 8) == 0)
        shmem_long_fcollect(SHMEM_TEAM_WORLD, dest, source, count);
    else if (strncmp(mode, "collect", 7) == 0)
        shmem_long_collect(SHMEM_TEAM_WORLD, dest, source, count);
    else if (strncmp(mode, "alltoalls", 9) == 0)
        shmem_long_alltoalls(SHMEM_TEAM_WORLD, dest, source, 1, 1, count);
    else if (strncmp(mode, "alltoall", 8) == 0)
        shmem_long_alltoall(SHMEM_TEAM_WORLD, dest, source, count);
    else if (strncmp(mode, "scan", 4) == 0)
        shmem_long_sum_inscan(SHMEM_TEAM_WORLD, dest, source, count);
    shmem_barrier_all();
    for (size_t i = 0; i < count && strncmp(mode, "reduce", 6) == 0; i++)
        CHECK_EQ(dest[i], all);
    printf("right\n");
}

static void *call_from_thread(void *mode)
{
    if (strcmp(mode, "put") == 0)
        shmem_long_p(a, 1, (me + 1) % all);
    else if (strcmp(mode, "test") == 0)
        shmem_long_test(a, SHMEM_CMP_EQ, 0);
    else if (strcmp(mode, "barrier") == 0)
        shmem_barrier_all();
    else if (strcmp(mode, "lock") == 0)
        shmem_set_lock(a);
    else if (strcmp(mode, "initialized") == 0)
        shmem_query_initialized(&all);
    return NULL;
}

static void second_thread(char *mode)
{
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, call_from_thread, mode) == 0);
    pthread_join(thread, NULL);
}

static void unnoticed(const char *mode)
{
    static struct {
        long data[8];
        uint64_t signal;
    } to;
    long on_stack = 0;
    shmem_ctx_t ctx;
    if (strcmp(mode, "wait-stack") == 0)
        shmem_long_wait_until(&on_stack, SHMEM_CMP_EQ, 0);
    else if (strcmp(mode, "test-stack") == 0)
        shmem_long_test(&on_stack, SHMEM_CMP_EQ, 1);
    else if (strcmp(mode, "wait-all-stack") == 0)
        shmem_long_wait_until_all(&on_stack, 1, NULL, SHMEM_CMP_EQ, 0);
    else if (strcmp(mode, "signal-stack") == 0)
        shmem_signal_wait_until((uint64_t *)&on_stack, SHMEM_CMP_EQ, 0);
    else if (strcmp(mode, "signal-in-dest") == 0)
        shmem_long_put_signal(to.data, a, 9, &to.signal, 1, SHMEM_SIGNAL_SET, (me + 1) % all);
    else if (strcmp(mode, "lock-twice") == 0 && me == 0)
        for (int i = 0; i < 2; i++)
            shmem_set_lock(a);
    else if (strcmp(mode, "private-free") == 0)
        shmem_free((char *)malloc(100) + 16 * me);
    else if (strcmp(mode, "negative-count") == 0)
        shmem_long_sum_to_all(a, b, -3, 0, 0, all, b, b);
    else if (strcmp(mode, "context-option") == 0)
        CHECK(shmem_ctx_create(1L << 20, &ctx) == 0);
    shmem_barrier_all();
}

static void too_early(const char *mode)
{
    if (strcmp(mode, "quiet") == 0)
        shmem_quiet();
    else if (strcmp(mode, "fence") == 0)
        shmem_fence();
    else if (strcmp(mode, "test") == 0)
        shmem_long_test(a, SHMEM_CMP_EQ, 0);
    else if (strcmp(mode, "test-any") == 0)
        shmem_long_test_any(a, 1, NULL, SHMEM_CMP_EQ, 0);
}

/* The last PE gets a signal from outside, as from the kill command, once it waits. */
static void send_and_wait(int number)
{
    if (me == all - 1 && fork() == 0) {
        usleep(50000);
        kill(getppid(), number);
        _exit(0);
    }
    shmem_long_wait_until(a, SHMEM_CMP_EQ, 1);
}

/* Nothing is wrong here, in this order and with these differences. */
static void allowed(void)
{
    long *block = shmem_malloc(64 * sizeof *block);
    shmem_long_collect(SHMEM_TEAM_WORLD, a, b, (size_t)me);
    shmem_long_collect(SHMEM_TEAM_WORLD, a, block, me == 0);
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, a, a, 1);
    shmem_long_put(a, a, 2, me);
    shmem_long_put(a + 2, a, 2, me);
    shmem_long_fcollect(SHMEM_TEAM_WORLD, NULL, NULL, 0);
    shmem_free(block);
    for (int i = 0; i < 100; i++) {
        shmem_team_t team;
        CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 1 + i % all, NULL, 0, &team) == 0);
        CHECK((team == SHMEM_TEAM_INVALID) == (me > i % all));
        shmem_ctx_t ctx;
        if (team != SHMEM_TEAM_INVALID) {
            CHECK(shmem_team_n_pes(team) == 1 + i % all);
            CHECK(shmem_team_create_ctx(team, 0, &ctx) == 0);
            shmem_ctx_long_p(ctx, b, i, 0);
            shmem_ctx_destroy(ctx);
        }
        shmem_team_destroy(team);
    }
    printf("allowed\n");
}

int main(int argc, char **argv)
{
    static char none[] = "";
    char *mode = argc > 2 ? argv[2] : none;
    int level = SHMEM_THREAD_SINGLE;
    if (strcmp(argv[1], "early") == 0)
        too_early(mode);
    if (strcmp(argv[1], "funneled") == 0)
        CHECK(shmem_init_thread(SHMEM_THREAD_FUNNELED, &level) == 0);
    else if (strcmp(argv[1], "serialized") == 0)
        CHECK(shmem_init_thread(SHMEM_THREAD_SERIALIZED, &level) == 0);
    else
        shmem_init();
    me = shmem_my_pe();
    all = shmem_n_pes();
    if (strcmp(argv[1], "calls") == 0)
        different_calls(mode);
    else if (strcmp(argv[1], "arguments") == 0)
        different_arguments(mode);
    else if (strcmp(argv[1], "destroyed") == 0)
        destroyed_handle(mode);
    else if (strcmp(argv[1], "negative") == 0)
        negative_size(mode);
    else if (strcmp(argv[1], "forbidden") == 0)
        forbidden_argument(mode);
    else if (strcmp(argv[1], "outside") == 0)
        outside(mode);
    else if (strcmp(argv[1], "private") == 0)
        private_buffer(mode);
    else if (strcmp(argv[1], "unnoticed") == 0)
        unnoticed(mode);
    else if (strcmp(argv[1], "single") == 0 || level != SHMEM_THREAD_SINGLE)
        second_thread(mode);
    else if (strcmp(argv[1], "late") == 0)
        (void)mode;
    else if (strcmp(argv[1], "signal") == 0)
        send_and_wait(atoi(mode));
    else
        allowed();
    shmem_finalize();
    if (strcmp(argv[1], "late") == 0)
        too_early(mode);
    return 0;
}
