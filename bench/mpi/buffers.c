/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What MPI's messages cost from and to symmetric memory: half a round trip of a message between the first
 * and the last process, by the memory that both use. One line per length, in microseconds: the median of
 * nine batches, the kinds of memory in turns.
 */
#include <mpi.h>
#include <shmemx.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST    ((size_t)4 << 20)
#define BATCHES 9
#define KINDS   4

static char in_statics[MOST];
static int me, n;

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Microseconds for one way. */
static double batch(char *memory, int length, int trips)
{
    int peer = me == 0 ? n - 1 : 0;
    double start = MPI_Wtime();
    for (int i = 0; i < trips; i++) {
        if (me == 0) {
            MPI_Send(memory, length, MPI_BYTE, peer, 0, MPI_COMM_WORLD);
            MPI_Recv(memory, length, MPI_BYTE, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(memory, length, MPI_BYTE, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(memory, length, MPI_BYTE, peer, 0, MPI_COMM_WORLD);
        }
    }
    return (MPI_Wtime() - start) * 1e6 / trips / 2;
}

static void measure(char *const *memories, size_t length)
{
    double times[KINDS][BATCHES];
    int trips = length > 100000 ? 20 : 200;
    for (int i = -1; i < BATCHES; i++)
        for (int kind = 0; kind < KINDS; kind++) {
            double time = batch(memories[kind], (int)length, trips);
            if (i >= 0)
                times[kind][i] = time;
        }
    if (me != 0)
        return;
    printf("%10zu", length);
    for (int kind = 0; kind < KINDS; kind++) {
        qsort(times[kind], BATCHES, sizeof times[kind][0], compare);
        printf(" %10.2f", times[kind][BATCHES / 2]);
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    shmemx_space_t space;
    if (n < 2 || shmemx_space_create(SHMEM_TEAM_WORLD, "default", 2 * MOST, &space) != 0)
        shmem_global_exit(1);
    char *memories[KINDS] = {malloc(MOST), shmem_malloc(MOST), in_statics, shmemx_space_malloc(space, MOST)};
    for (int kind = 0; kind < KINDS; kind++)
        memset(memories[kind], me + 1, MOST);
    if (me == 0)
        printf("%10s %10s %10s %10s %10s\n", "bytes", "malloc", "heap", "statics", "space");
    shmem_barrier_all();
    if (me == 0 || me == n - 1)
        for (size_t length = 8; length <= MOST; length *= 8)
            measure(memories, length);
    shmem_barrier_all();
    shmem_finalize();
    MPI_Finalize();
    return 0;
}
