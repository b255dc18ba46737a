/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI sends from, receives into, reduces in and exposes as windows all that is symmetric: the heap, global
 * and static variables, memory spaces; of lengths from a byte to what MPI copies across address spaces by
 * itself. Meanwhile the PEs add to each other's counters. With the argument "windows" also windows, which Open
 * MPI 4.1.4 does not make for one process, nor across hosts over TCP.
 */
#include "check.h"

#include <mpi.h>
#include <shmemx.h>

#include <string.h>

#define MOST ((size_t)3 << 20)

static unsigned char in_data[2][MOST] = {{1}};
static unsigned char in_bss[2][MOST];
static long puts_seen;

static int me, n, next, before, has_windows;

static unsigned char byte_of(int pe, size_t at, unsigned round)
{
    return (unsigned char)(17 * pe + 13 * at + 7 * (at >> 12) + round);
}

static void fill(unsigned char *bytes, size_t length, unsigned round)
{
    for (size_t at = 0; at < length; at++)
        bytes[at] = byte_of(me, at, round);
}

static void check(const unsigned char *bytes, size_t length, int pe, unsigned round)
{
    for (size_t at = 0; at < length; at++)
        if (bytes[at] != byte_of(pe, at, round))
            CHECK_EQ(bytes[at], byte_of(pe, at, round));
}

/* Round the ring, while OpenSHMEM's operations go on. */
static void ring(unsigned char *from, unsigned char *to, size_t length, unsigned round)
{
    MPI_Request requests[2];
    MPI_Status statuses[2]; /* gcc takes MPICH's MPI_STATUSES_IGNORE for an array that is too short */
    fill(from, length, round);
    memset(to, 0, length);
    MPI_Irecv(to, (int)length, MPI_BYTE, before, (int)round, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(from, (int)length, MPI_BYTE, next, (int)round, MPI_COMM_WORLD, &requests[1]);
    for (int i = 0; i < 10; i++)
        shmem_long_atomic_inc(&puts_seen, next);
    MPI_Waitall(2, requests, statuses);
    check(to, length, before, round);
}

/* A put into what MPI sends from next, and MPI's data read by a get. */
static void put_send_get(unsigned char *from, unsigned char *to, size_t length, unsigned round)
{
    shmem_barrier_all();
    for (size_t at = 0; at < length; at++)
        to[at] = byte_of(me, at, round);
    shmem_putmem(from, to, length, next); /* the neighbour's from is mine now */
    shmem_barrier_all();
    MPI_Sendrecv(from, (int)length, MPI_BYTE, next, 0, to, (int)length, MPI_BYTE, before, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    check(to, length, (before + n - 1) % n, round);
    MPI_Barrier(MPI_COMM_WORLD);
    shmem_getmem(from, to, length, next);
    check(from, length, (next + 2 * n - 2) % n, round);
    shmem_barrier_all();
}

static void reduce(long *numbers)
{
    numbers[0] = me + 1;
    MPI_Allreduce(MPI_IN_PLACE, numbers, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    CHECK_EQ(numbers[0], (long)n * (n + 1) / 2);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void try_window(long *numbers)
{
    MPI_Win window;
    numbers[1] = -1;
    MPI_Win_create(numbers, 64, sizeof *numbers, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    long value = me + 100;
    MPI_Win_fence(0, window);
    MPI_Put(&value, 1, MPI_LONG, next, 1, 1, MPI_LONG, window);
    MPI_Win_fence(0, window);
    CHECK_EQ(numbers[1], before + 100);
    CHECK_EQ(shmem_long_g(&numbers[1], next), me + 100);
    MPI_Win_free(&window);
}

static void try_memory(unsigned char *first, unsigned char *second)
{
    static const size_t lengths[] = {1, 100, 4096, 5000, 40000, (size_t)300 << 10, MOST};
    static unsigned round;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        ring(first, second, lengths[i], ++round);
        put_send_get(first, second, lengths[i], ++round);
    }
    shmem_barrier_all();
    reduce((long *)(void *)first);
    if (has_windows)
        try_window((long *)(void *)first);
    shmem_barrier_all();
}

/* With the argument "mpi-alone": whether this MPI makes a window at all. Open MPI's has no component for one
 * where a machine's settings leave it no transport. */
static int try_alone(void)
{
    MPI_Win window;
    long cell;
    MPI_Win_create(&cell, sizeof cell, sizeof cell, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_free(&window);
    return MPI_Finalize();
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    if (argc > 1 && strcmp(argv[1], "mpi-alone") == 0)
        return try_alone();
    shmem_init();
    has_windows = argc > 1 && strcmp(argv[1], "windows") == 0;
    me = shmem_my_pe();
    n = shmem_n_pes();
    next = (me + 1) % n;
    before = (me + n - 1) % n;
    shmemx_space_t space;
    unsigned char *heap = shmem_malloc(2 * MOST);
    CHECK_EQ(shmemx_space_create(SHMEM_TEAM_WORLD, "default", 3 * MOST, &space), 0);
    unsigned char *spare = shmemx_space_malloc(space, 2 * MOST);
    CHECK(heap && spare);
    try_memory(heap, heap + MOST);
    try_memory(in_data[0], in_data[1]);
    try_memory(in_bss[0], in_bss[1]);
    try_memory(spare, spare + MOST);
    try_memory(in_bss[1], heap); /* of two kinds */
    shmem_barrier_all();
    CHECK_EQ(puts_seen, 10L * 5 * 7);
    shmemx_space_destroy(space);
    shmem_free(heap);
    shmem_finalize();
    MPI_Finalize();
    return 0;
}
