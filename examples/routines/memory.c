/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of the symmetric heap: all PEs make the same calls with the same sizes. */
#include <shmem.h>
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
    shmem_free(counter);
    shmem_free(aligned);
    shmem_free(zeros);
    shmem_free(numbers);
    shmem_finalize();
}
