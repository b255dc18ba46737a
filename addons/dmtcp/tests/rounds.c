/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rounds of puts, atomic operations and barriers on variables and heap, each with its result checked. Twice
 * PE 0 says that it waits for a file, and does: FOLDER/1, then FOLDER/2. Argument: FOLDER.
 */
#include <shmem.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { ROUNDS = 300, STOPS = 100 };

static long cell, large[1 << 16];

static void wait_for_file(const char *folder, int number)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%d", folder, number);
    printf("waits for %d\n", number);
    fflush(stdout);
    while (access(path, F_OK) != 0)
        usleep(10000);
}

int main(int argc, char **argv)
{
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes(), next = (me + 1) % npes, from = (me + npes - 1) % npes;
    long *sum = shmem_calloc(1, sizeof *sum), expected = 0;
    large[me] = getpid();
    for (long round = 1; round <= ROUNDS; round++) {
        shmem_long_p(&cell, 1000 * round + me, next);
        shmem_long_atomic_add(sum, round, next);
        shmem_long_p(&large[npes + round], me, next);
        shmem_barrier_all();
        expected += round;
        if (cell != 1000 * round + from || *sum != expected || large[npes + round] != from)
            shmem_global_exit(3);
        if (me == 0 && round % STOPS == 0 && round < ROUNDS)
            wait_for_file(argc > 1 ? argv[1] : ".", (int)(round / STOPS));
        shmem_barrier_all();
    }
    printf("PE %d: %ld\n", me, *sum);
    shmem_finalize();
    return large[me] == getpid() ? 0 : 4;
}
