/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The deprecated collectives over active sets that move data or synchronize: 32- and 64-bit
 * broadcast, collect, fcollect, alltoall, alltoalls; barrier and sync. pSync must be as before
 * when they return.
 */
#include "types.h"

#include "check.h"


typedef void exchange_call(void *dest, const void *source, size_t count, int start, int log_stride,
                           int size, long *sync);

struct row {
    const char *type;
    exchange_call *collect, *fcollect, *alltoall;
    void (*broadcast)(void *dest, const void *source, size_t count, int root, int start,
                      int log_stride, int size, long *sync);
    void (*alltoalls)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t count,
                      int start, int log_stride, int size, long *sync);
};

static const struct row rows[] = {
    {"32", shmem_collect32, shmem_fcollect32, shmem_alltoall32, shmem_broadcast32,
     shmem_alltoalls32},
    {"64", shmem_collect64, shmem_fcollect64, shmem_alltoall64, shmem_broadcast64,
     shmem_alltoalls64},
};

enum { COUNT = 7, STRIDED = 3, DST = 2, SST = 4, MAX_PES = 64, GUARD = 3 };
enum { CAPACITY = MAX_PES * STRIDED * SST + GUARD };

static uint64_t source[CAPACITY], dest[CAPACITY];
static long sync_array[SHMEM_SYNC_SIZE];
static long barrier_sync[SHMEM_BARRIER_SYNC_SIZE];
static int entered;

struct round {
    const struct row *row;
    const struct test_type *type;
    int start, log_stride, size, rank;
};

static char expected[sizeof dest];

static uint64_t key(int rank, int step)
{
    return 100000 * (uint64_t)(rank + 1) + 1003 * (uint64_t)step;
}

static void prepare(const struct round *round, int step)
{
    test_fill(round->type, source, CAPACITY, key(round->rank, step));
    test_fill(round->type, dest, CAPACITY, 1);
    test_fill(round->type, expected, CAPACITY, 1);
    shmem_barrier_all();
}

static void place(const struct round *round, size_t to, int rank, int step, size_t from,
                  size_t count)
{
    test_fill(round->type, expected + to * round->type->size, count, key(rank, step) + from);
}

static void verify(const struct round *round, const char *what)
{
    test_compare(round->type, dest, expected, CAPACITY, what);
    for (int i = 0; i < SHMEM_SYNC_SIZE; i++)
        CHECK_EQ(sync_array[i], SHMEM_SYNC_VALUE);
    shmem_barrier_all();
}

#define SET round->start, round->log_stride, round->size, sync_array

static void check_broadcast(const struct round *round, int root)
{
    prepare(round, root);
    if (round->rank >= 0) {
        if (round->rank != root)
            place(round, 0, root, root, 0, COUNT);
        round->row->broadcast(dest, source, COUNT, root, SET);
    }
    verify(round, "broadcast");
}

static void check_fcollect(const struct round *round)
{
    prepare(round, 50);
    if (round->rank >= 0) {
        for (int rank = 0; rank < round->size; rank++)
            place(round, (size_t)rank * COUNT, rank, 50, 0, COUNT);
        round->row->fcollect(dest, source, COUNT, SET);
    }
    verify(round, "fcollect");
}

static void check_collect(const struct round *round)
{
    prepare(round, 60);
    if (round->rank >= 0) {
        size_t to = 0;
        for (int rank = 0; rank < round->size; rank++) {
            const size_t count = (size_t)(rank + 2) % 4;
            place(round, to, rank, 60, 0, count);
            to += count;
        }
        round->row->collect(dest, source, (size_t)(round->rank + 2) % 4, SET);
    }
    verify(round, "collect");
}

static void check_alltoall(const struct round *round)
{
    prepare(round, 70);
    if (round->rank >= 0) {
        for (int rank = 0; rank < round->size; rank++)
            place(round, (size_t)rank * COUNT, rank, 70, (size_t)round->rank * COUNT, COUNT);
        round->row->alltoall(dest, source, COUNT, SET);
    }
    verify(round, "alltoall");
}

static void check_alltoalls(const struct round *round)
{
    prepare(round, 80);
    if (round->rank >= 0) {
        for (int i = 0; i < round->size * STRIDED; i++) {
            const int rank = i / STRIDED;
            const size_t from = (size_t)(round->rank * STRIDED + i % STRIDED) * SST;
            place(round, (size_t)i * DST, rank, 80, from, 1);
        }
        round->row->alltoalls(dest, source, DST, SST, STRIDED, SET);
    }
    verify(round, "alltoalls");
}

/* Nobody leaves before the last has entered; the same array serves again at once. */
static void check_synchronization(const struct round *round, bool complete)
{
    entered = 0;
    shmem_barrier_all();
    for (int i = 1; i <= 5 && round->rank >= 0; i++) {
        shmem_int_atomic_inc(&entered, round->start);
        if (complete) {
            shmem_barrier(round->start, round->log_stride, round->size, barrier_sync);
        } else {
            shmem_quiet();
            shmem_sync(round->start, round->log_stride, round->size, barrier_sync);
        }
        CHECK(shmem_int_atomic_fetch(&entered, round->start) >= i * round->size);
        for (int j = 0; j < SHMEM_BARRIER_SYNC_SIZE; j++)
            CHECK_EQ(barrier_sync[j], SHMEM_SYNC_VALUE);
    }
    shmem_barrier_all();
}

static void check_set(int start, int log_stride, int size)
{
    const int distance = shmem_my_pe() - start;
    const bool member = distance >= 0 && distance % (1 << log_stride) == 0
                        && distance >> log_stride < size;
    struct round round = {
        .start = start,
        .log_stride = log_stride,
        .size = size,
        .rank = member ? distance >> log_stride : -1,
    };
    check_synchronization(&round, true);
    check_synchronization(&round, false);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        round.row = &rows[i];
        round.type = test_type(rows[i].type);
        check_broadcast(&round, 0);
        check_broadcast(&round, size - 1);
        check_fcollect(&round);
        check_collect(&round);
        check_alltoall(&round);
        check_alltoalls(&round);
    }
}

int main(void)
{
    shmem_init();
    const int n = shmem_n_pes();
    if (n > MAX_PES)
        TEST_SKIP("more PEs than this test has room for");
    for (int i = 0; i < SHMEM_SYNC_SIZE; i++)
        sync_array[i] = SHMEM_SYNC_VALUE;
    for (int i = 0; i < SHMEM_BARRIER_SYNC_SIZE; i++)
        barrier_sync[i] = SHMEM_SYNC_VALUE;
    shmem_barrier_all();
    check_set(0, 0, n);
    check_set(n - 1, 0, 1);
    if (n > 1)
        check_set(1, 0, n - 1);
    check_set(0, 1, (n + 1) / 2);
    if (n > 2)
        check_set(1, 1, n / 2);
    return test_finish();
}
