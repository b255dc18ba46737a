/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A PE that is blocked in MPI_Recv is served by Sheaf's thread: the last PE waits for a message that PE 0
 * sends only after its puts, gets and atomic operations on that PE have come back. Argument: how many. With
 * "starve" and SHEAF_PROGRESS=off, across hosts: that nothing comes back before the message.
 */
#include "check.h"

#include <mpi.h>

#include <stdbool.h>
#include <string.h>
#include <time.h>

static long counter, value;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void operate(int operations, int target)
{
    double start = now();
    for (int i = 0; i < operations; i++) {
        CHECK_EQ(shmem_long_atomic_fetch_inc(&counter, target), i);
        shmem_long_p(&value, i + 1, target);
        shmem_quiet();
        CHECK_EQ(shmem_long_g(&value, target), i + 1);
    }
    printf("%.1f us for a fetching increment, a put with quiet and a get, on a PE in MPI_Recv\n",
           (now() - start) * 1e6 / operations);
    fflush(stdout);
}

/* Nobody turns the network at the target, whatever happens here. */
static void starve(int target)
{
    static long never;
    long fetched = -1;
    double start = now();
    shmem_long_atomic_fetch_inc_nbi(&fetched, &counter, target);
    while (now() < start + 0.3)
        (void)shmem_long_test(&never, SHMEM_CMP_NE, 0);
    CHECK_EQ(fetched, -1);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), token = 0;
    bool starves = argc > 1 && strcmp(argv[1], "starve") == 0;
    int operations = starves ? 1 : argc > 1 ? atoi(argv[1]) : 100;
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == 0 && n > 1) {
        if (starves)
            starve(n - 1);
        else
            operate(operations, n - 1);
        MPI_Send(&token, 1, MPI_INT, n - 1, 0, MPI_COMM_WORLD);
    } else if (me == n - 1 && n > 1) {
        MPI_Recv(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    shmem_barrier_all();
    if (me == n - 1 && n > 1) {
        CHECK_EQ(counter, operations);
        CHECK_EQ(value, starves ? 0 : operations);
    }
    shmem_finalize();
    MPI_Finalize();
    return 0;
}
