/* SPDX-License-Identifier: BSD-3-Clause
 *
 * errno is the program's: no call leaves it changed, whether it succeeds or fails. Waits are long
 * enough to sleep, and a timer interrupts them.
 */
#include "check.h"

#include <errno.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>

#define MARK 4711

/* Evaluates the call and looks at errno after it. */
#define KEEPS(call)                                                                                \
    do {                                                                                           \
        errno = MARK;                                                                              \
        call;                                                                                      \
        CHECK_EQ(errno, MARK);                                                                     \
    } while (0)

static long flag, lock, data[5000], copies[5000 * 64];
static uint64_t signal_word;
static int me, npes, next;

static void on_alarm(int number)
{
    (void)number;
}

/* PE 0 comes so late that the others sleep. */
static void come_late(void)
{
    struct timespec pause = {.tv_nsec = 80000000};
    if (me == 0)
        while (nanosleep(&pause, &pause) != 0)
            continue;
}

static void allocations(void)
{
    void *block = NULL, *huge;
    KEEPS(block = shmem_malloc(100));
    CHECK(block != NULL);
    KEEPS(block = shmem_realloc(block, (size_t)16 << 20));
    CHECK(block != NULL);
    KEEPS(shmem_free(block));
    KEEPS(block = shmem_malloc((size_t)64 << 20));
    KEEPS(shmem_free(block));
    KEEPS(block = shmem_calloc(1 << 20, 16));
    KEEPS(shmem_free(block));
    KEEPS(block = shmem_align(4096, 100));
    KEEPS(shmem_free(block));
    KEEPS(block = shmem_malloc_with_hints(100, SHMEM_MALLOC_ATOMICS_REMOTE));
    KEEPS(shmem_free(block));
    KEEPS(huge = shmem_malloc((size_t)1 << 46));
    CHECK(huge == NULL);
    KEEPS(huge = shmem_align(3, 100));
    CHECK(huge == NULL);
}

static void transfers(void)
{
    KEEPS(shmem_long_p(&flag, 1, next));
    KEEPS(shmem_long_put(data, copies, 5000, next));
    KEEPS(shmem_long_get(copies, data, 5000, next));
    KEEPS(shmem_long_put_nbi(data, copies, 10, next));
    KEEPS(shmem_long_iput(data, copies, 2, 3, 100, next));
    KEEPS(shmem_fence());
    KEEPS(shmem_quiet());
    KEEPS(shmem_long_atomic_fetch_add(&data[7], 1, next));
    KEEPS(shmem_long_atomic_inc(&data[7], next));
    KEEPS(shmem_ptr(data, next));
    KEEPS(shmem_ptr(&next, next));
    KEEPS(shmem_addr_accessible(data, next));
    KEEPS(shmem_long_test(&flag, SHMEM_CMP_EQ, 77));
    shmem_barrier_all();
}

static void waits(void)
{
    flag = 0;
    signal_word = 0;
    shmem_barrier_all();
    come_late();
    if (me == 0)
        for (int pe = 0; pe < npes; pe++) {
            KEEPS(shmem_long_p(&flag, 5, pe));
            KEEPS(shmem_signal_set(&signal_word, 5, pe));
        }
    KEEPS(shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 5));
    KEEPS(shmem_signal_wait_until(&signal_word, SHMEM_CMP_EQ, 5));
    come_late();
    KEEPS(shmem_barrier_all());
    come_late();
    KEEPS(shmem_long_sum_reduce(SHMEM_TEAM_WORLD, copies, data, 5000));
    KEEPS(shmem_long_broadcast(SHMEM_TEAM_WORLD, copies, data, 5000, 0));
    if (npes <= 64)
        KEEPS(shmem_long_fcollect(SHMEM_TEAM_WORLD, copies, data, 5000));
    if (me == 0)
        shmem_set_lock(&lock);
    shmem_barrier_all();
    come_late();
    if (me == 0)
        KEEPS(shmem_clear_lock(&lock));
    KEEPS(shmem_set_lock(&lock));
    KEEPS(shmem_clear_lock(&lock));
    shmem_barrier_all();
}

static void handles(void)
{
    shmem_team_t team;
    shmem_ctx_t ctx;
    KEEPS(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, npes, NULL, 0, &team));
    KEEPS(shmem_ctx_create(0, &ctx));
    KEEPS(shmem_ctx_long_p(ctx, &data[8], 1, next));
    KEEPS(shmem_ctx_quiet(ctx));
    KEEPS(shmem_ctx_destroy(ctx));
    KEEPS(shmem_team_sync(team));
    KEEPS(shmem_team_destroy(team));
}

int main(void)
{
    KEEPS(shmem_init());
    me = shmem_my_pe();
    npes = shmem_n_pes();
    next = (me + 1) % npes;
    signal(SIGALRM, on_alarm);
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 2000}, {0, 2000}}, NULL);
    for (int turn = 0; turn < 2; turn++) {
        allocations();
        transfers();
        waits();
        handles();
    }
    KEEPS(shmem_finalize());
    return 0;
}
