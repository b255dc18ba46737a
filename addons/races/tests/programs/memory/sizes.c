/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: puts by size of element, and what lies beside them.
 */
#include <shmem.h>
#include <stdint.h>
static uint8_t a[64]; static uint16_t b[64]; static uint32_t c[64]; static uint64_t d[64];
static long double e[8];
static int flag;
int main(void) {
    shmem_init();
    if (shmem_my_pe() == 0) {
        uint64_t v[64] = {0};
        shmem_put8(a, v, 3, 1); /* race */
        shmem_put16(b + 1, v, 3, 1); /* race */
        shmem_iput32(c, v, 5, 1, 3, 1); /* race */
        shmem_put64(d + 3, v, 2, 1); /* race */
        shmem_put128(e, v, 2, 1); /* race */
#ifndef RACY
        shmem_fence();
#endif
        shmem_int_atomic_xor(&flag, 3, 1);
    } else {
        shmem_int_wait_until(&flag, SHMEM_CMP_NE, 0);
        uint64_t s = a[2]; /* race */
        s += b[3]; /* race */
        s += c[5]; /* race */
        s += d[4]; /* race */
        s += e[1] != 0; /* race */
        s += a[3] + b[0] + c[6] + d[2] + (e[3] != 0);
        if (s == 12345) return 1;
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
