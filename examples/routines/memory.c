/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of the symmetric heap: all PEs make the same calls with the same sizes. */
#include <shmem.h>
#include <shmemx.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    shmem_init();
    long *numbers = shmem_malloc(100 * sizeof *numbers);         /* not zeroed */
    long *zeros = shmem_calloc(100, sizeof *zeros);              /* zeroed on all PEs */
    double *aligned = shmem_align(4096, 100 * sizeof *aligned);  /* begins at a page */
    long *counter = shmem_malloc_with_hints(sizeof *counter, SHMEM_MALLOC_ATOMICS_REMOTE);
    if (!numbers || !zeros || !aligned || !counter)              /* NULL on all PEs alike */
        shmem_global_exit(1);
    zeros[99] = shmem_my_pe();
    zeros = shmem_realloc(zeros, 200 * sizeof *zeros);           /* keeps the first 100 */
    printf("PE %d: %ld is still there\n", shmem_my_pe(), zeros[99]);
    shmem_team_t even;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (shmem_n_pes() + 1) / 2, NULL, 0, &even);
    if (even != SHMEM_TEAM_INVALID) {                            /* only its members call */
        long *shared = shmemx_team_malloc(even, 1000 * sizeof *shared);
        long *sums = shmemx_team_calloc(even, 1000, sizeof *sums);
        shmemx_team_free(even, sums);
        shmemx_team_free(even, shared);
    }
    shmem_free(counter);
    shmem_free(aligned);
    shmem_free(zeros);
    shmem_free(numbers);
    shmem_finalize();
}
