/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a first program does: a value to the next PE in a static variable and in the heap. Valid
 * C and C++. Prints "static" and "heap" values, fails when they are wrong.
 */
#include <shmem.h>
#include <shmemx.h>
#include <stdio.h>

static long global_value = -1;

int main(void)
{
    shmem_init();
    int pe = shmem_my_pe(), npes = shmem_n_pes();
    int next = (pe + 1) % npes, previous = (pe + npes - 1) % npes;
    long *heap_value = (long *)shmem_malloc(sizeof(long));

    shmem_long_p(&global_value, 100 + pe, next);
    shmem_long_p(heap_value, 200 + pe, next);
    shmem_barrier_all();
    int wrong = global_value != 100 + previous || *heap_value != 200 + previous;
    printf("PE %d of %d: static %ld, heap %ld\n", pe, npes, global_value, *heap_value);
    shmem_free(heap_value);
    shmem_finalize();
    return wrong;
}
