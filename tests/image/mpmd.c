/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One of several executables of a job (PROGRAM tells them apart; the padding moves variables):
 * only the heap is symmetric. "heap" uses it; "static" puts to a static variable; "query" asks.
 */
#include "check.h"

#include <string.h>

#if PROGRAM == 2
long padding[4321] = {1};
#endif
static long cell;

static void use_heap(int me, int npes)
{
    long *heap = shmem_calloc(2, sizeof *heap);
    CHECK(heap != NULL);
    shmem_long_p(&heap[0], 10 * me + PROGRAM, (me + 1) % npes);
    shmem_long_atomic_add(&heap[1], me + 1, 0);
    shmem_barrier_all();
    CHECK_EQ(heap[0] / 10, (me + npes - 1) % npes);
    CHECK(me != 0 || heap[1] == (long)npes * (npes + 1) / 2);
    long total = 0;
    for (int pe = 0; pe < npes; pe++)
        total += shmem_long_g(&heap[0], pe) % 10;
    if (me == 0)
        printf("mpmd: %ld\n", total);
    CHECK_EQ(*(long *)shmem_ptr(&heap[0], 0) / 10, npes - 1);
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "heap";
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    if (strcmp(mode, "heap") == 0)
        use_heap(me, npes);
    if (strcmp(mode, "query") == 0) {
        CHECK_EQ(shmem_addr_accessible(&cell, (me + 1) % npes), 0);
        CHECK(shmem_ptr(&cell, (me + 1) % npes) == NULL);
    }
    if (strcmp(mode, "static") == 0) {
        shmem_long_p(&cell, 1, (me + 1) % npes);
        shmem_barrier_all();
    }
    return test_finish();
}
