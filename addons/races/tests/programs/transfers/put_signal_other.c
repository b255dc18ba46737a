/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: a put with signal orders its own data, not the put before it.
 */
#include <shmem.h>
#include <stdint.h>
static int header[4], body[64]; static uint64_t sig;
int main(void) {
    shmem_init();
    int h[4] = {1, 2, 3, 4}, b[64] = {0};
    if (shmem_my_pe() == 0) {
        shmem_int_put(header, h, 4, 1); /* race */
#ifndef RACY
        shmem_fence();
#endif
        shmem_int_put_signal(body, b, 64, &sig, 1, SHMEM_SIGNAL_SET, 1);
    } else {
        shmem_signal_wait_until(&sig, SHMEM_CMP_EQ, 1);
        int s = body[5];
        for (int i = 0; i < 4; i++)
            s += header[i]; /* race */
        if (s == 77) return 1;
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
