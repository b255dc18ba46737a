/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program not linked with the library, which loads it late. The heap works between PEs; the
 * program's own variables are not symmetric and stay where they are. The library is closed, loaded and
 * initialized once more, and closed at exit, as by plug-ins. Argument: libsheaf.so.
 * Also built linked with the library, to run in one job with the other.
 */
#include "loaded.h"

#include <sched.h>

#define ENTRIES 1000 /* of each PE into the lock */

static long in_data = 9;

static void run(const char *path)
{
    in_data = 10;
    load_library(path, RTLD_NOW);
    LOOK_UP(void, shmem_init, void);
    LOOK_UP(void, shmem_finalize, void);
    LOOK_UP(int, shmem_my_pe, void);
    LOOK_UP(int, shmem_n_pes, void);
    LOOK_UP(void *, shmem_malloc, size_t);
    LOOK_UP(void, shmem_long_p, long *, long, int);
    LOOK_UP(long, shmem_long_g, const long *, int);
    LOOK_UP(void, shmem_barrier_all, void);
    LOOK_UP(int, shmem_addr_accessible, const void *, int);
    LOOK_UP(void *, shmem_ptr, const void *, int);
    LOOK_UP(void, shmem_set_lock, long *);
    LOOK_UP(void, shmem_clear_lock, long *);
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes(), next = (me + 1) % npes;
    long *heap = shmem_malloc(4 * sizeof *heap);
    CHECK(heap);
    heap[2] = heap[3] = 0;
    heap[1] = 80 + me;
    shmem_long_p(&heap[0], 70 + me, next);
    shmem_barrier_all();
    CHECK(heap[0] == 70 + (me + npes - 1) % npes);
    CHECK(shmem_long_g(&heap[1], next) == 80 + next);
    CHECK(shmem_addr_accessible(heap, next) == 1);
    CHECK(shmem_ptr(heap, next) != NULL);
    CHECK(npes == 1 || shmem_addr_accessible(&in_data, next) == 0);
    CHECK(npes == 1 || shmem_ptr(&in_data, next) == NULL);
    CHECK(in_data == 10);
    for (int i = 0; i < ENTRIES; i++) {
        shmem_set_lock(&heap[2]);
        long value = shmem_long_g(&heap[3], 0);
        sched_yield();
        shmem_long_p(&heap[3], value + 1, 0);
        shmem_clear_lock(&heap[2]);
    }
    shmem_barrier_all();
    CHECK(shmem_long_g(&heap[3], 0) == (long)ENTRIES * npes);
    shmem_barrier_all();
    shmem_finalize();
    CHECK(dlclose(library) == 0);
}

int main(int argc, char **argv)
{
    CHECK(argc == 2);
    run(argv[1]);
    run(argv[1]);
    return 0;
}
