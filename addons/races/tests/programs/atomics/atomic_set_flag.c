/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: a put of two words, then an atomic set as a flag.
 */
#include <shmem.h>
#include <stdlib.h>
int main(void) {
    shmem_init();
    long *p = shmem_calloc(3, sizeof *p);
    if (shmem_my_pe() == 0) {
        long two[2] = {3, 4};
        shmem_put64(p, two, 2, 1); /* race */
#ifndef RACY
        shmem_fence();
#endif
        shmem_long_atomic_set(p + 2, 1, 1);
    } else {
        while (shmem_long_atomic_fetch(p + 2, 1) == 0)
            ;
        if (p[0] + p[1] == 100) abort(); /* race */
    }
    shmem_free(p);
    shmem_finalize();
    return 0;
}
