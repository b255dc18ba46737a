/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: the source of a blocking put may change at once, that of a nonblocking one may not.
 */
#include <shmem.h>
static long d[2], src = 4;
int main(void) {
    shmem_init();
    int me = shmem_my_pe();
#ifdef RACY
    shmem_long_put_nbi(d, &src, 1, 1 - me); /* race */
#else
    shmem_long_put(d, &src, 1, 1 - me);
#endif
    src = 5; /* race */
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
