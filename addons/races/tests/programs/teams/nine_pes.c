/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 9 PEs: nine PEs, a signal that counts.
 */
#include <shmem.h>
#include <stdint.h>
static int inbox[9][8]; static uint64_t got;
int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), s = 0;
    int v[8] = {me, me, me, me, me, me, me, me};
    for (int pe = 0; pe < n; pe++) {
#ifdef RACY
        shmem_int_put(inbox[me], v, 8, pe); /* race */
        shmem_signal_add(&got, 1, pe);
#else
        shmem_int_put_signal(inbox[me], v, 8, &got, 1, SHMEM_SIGNAL_ADD, pe);
#endif
    }
    shmem_signal_wait_until(&got, SHMEM_CMP_EQ, n);
    for (int i = 0; i < n; i++)
        s += inbox[i][3]; /* race */
    shmem_barrier_all();
    shmem_finalize();
    return s == 1;
}
