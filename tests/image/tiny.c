/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The smallest program that uses everything: a value to the next PE in static data and in the
 * heap, an atomic on PE 0. PE 0 prints "tiny: N PEs ok". The tests that look from outside run it.
 */
#include "check.h"

#include <string.h>
#include <unistd.h>

static long cell, sum;

static void exchange(int me, int npes, long salt)
{
    int previous = (me + npes - 1) % npes;
    long *heap = shmem_calloc(2, sizeof *heap);
    CHECK(heap != NULL);
    shmem_long_p(&cell, salt + me, (me + 1) % npes);
    shmem_long_p(&heap[1], salt - me, (me + 1) % npes);
    shmem_long_atomic_add(&sum, salt, 0);
    shmem_barrier_all();
    CHECK_EQ(cell, salt + previous);
    CHECK_EQ(heap[1], salt - previous);
    CHECK_EQ(shmem_long_g(&sum, 0), salt * npes);
    shmem_free(heap);
}

/* Arguments: "salt N" makes this job's values differ from another's; "sleep MS" before the
 * exchange; "close" closes every descriptor after init. */
int main(int argc, char **argv)
{
    long salt = 1000000, pause_ms = 0;
    int close_all = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "close") == 0)
            close_all = 1;
        else if (strcmp(argv[i], "salt") == 0 && i + 1 < argc)
            salt = atol(argv[++i]);
        else if (strcmp(argv[i], "sleep") == 0 && i + 1 < argc)
            pause_ms = atol(argv[++i]);
    }
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    for (int fd = 3; close_all && fd < 1024; fd++)
        close(fd);
    usleep((useconds_t)pause_ms * 1000);
    exchange(me, npes, salt);
    if (me == 0)
        printf("tiny: %d PEs ok\n", npes);
    return test_finish();
}
