/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: blocks of 2 every 4: the gaps are the target's own.
 */
#include <shmem.h>
static long a[16];
int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    long src[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    if (me == 0)
        shmem_long_ibput(a, src, 4, 2, 2, 4, 1); /* race */
    if (me == 1)
        for (int i = 0; i < 16; i += 4) {
#ifdef RACY
            a[i + 1] = 9; /* race */
#else
            a[i + 2] = 9;
#endif
            a[i + 3] = 9;
        }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
