/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: one buffer goes to and fro in place, with its signal.
 */
#include <shmem.h>
#include <stdint.h>
static long buf[32]; static uint64_t sig;
int main(void) {
    shmem_init();
    int me = shmem_my_pe(), other = 1 - me;
    for (int k = 0; k < 5; k++) {
        if (me == k % 2) {
            if (k) shmem_signal_wait_until(&sig, SHMEM_CMP_GE, k);
            for (int i = 0; i < 32; i++)
                buf[i] += i; /* race */
            shmem_long_put_signal(buf, buf, 32, &sig, k + 1, SHMEM_SIGNAL_SET, other); /* race */
#ifdef RACY
            buf[7] = 3; /* race */
#endif
        }
    }
    shmem_barrier_all();
    shmem_finalize();
    return buf[3] == 1;
}
