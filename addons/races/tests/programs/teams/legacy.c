/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: start_pes, shmalloc, and a barrier or a sync of an active set.
 */
#include <shmem.h>
static long ps[_SHMEM_BARRIER_SYNC_SIZE];
int main(void) {
    for (int i = 0; i < _SHMEM_BARRIER_SYNC_SIZE; i++) ps[i] = _SHMEM_SYNC_VALUE;
    start_pes(0);
    int me = _my_pe(), n = _num_pes();
    int *a = shmalloc(10 * sizeof(int));
    for (int i = 0; i < 10; i++) a[i] = 0;
    shmem_barrier_all();
    if (me == 0) shmem_int_p(a + 3, 7, n - 1); /* race */
#ifdef RACY
    shmem_sync(0, 0, n, ps);
#else
    shmem_barrier(0, 0, n, ps);
#endif
    int v = a[3]; /* race */
    shmem_barrier_all();
    shfree(a);
    return v == 99;
}
