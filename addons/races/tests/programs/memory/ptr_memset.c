/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: memset by way of shmem_ptr, memcpy.
 */
#include <shmem.h>
#include <string.h>
int main(void) {
    shmem_init();
    char *heap = shmem_malloc(4096);
    int me = shmem_my_pe();
    memset(heap, 0, 4096);
    shmem_barrier_all();
    if (me == 1) {
        char *q = shmem_ptr(heap, 0);
        if (q == NULL) return 0;
        memset(q + 1000, 1, 100); /* race */
    } else {
        char c[100];
#ifdef RACY
        memcpy(c, heap + 1050, 100); /* race */
#else
        memcpy(c, heap + 1100, 100);
#endif
        if (c[0] == 77) return 1;
    }
    shmem_free(heap);
    shmem_finalize();
    return 0;
}
