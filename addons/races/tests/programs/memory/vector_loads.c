/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: loads of 16 bytes by intrinsics. Options: -ftree-vectorize.
 */
#include <emmintrin.h>
#include <shmem.h>
static float a[64] __attribute__((aligned(16)));
int main(void) {
    shmem_init();
    if (shmem_my_pe() == 0) {
        float v[4] = {1, 2, 3, 4};
        shmem_float_put(a + 32, v, 4, 1); /* race */
    } else {
        __m128 s = _mm_setzero_ps();
        for (int i = 0; i < 64; i += 4) {
#ifndef RACY
            if (i == 32) continue;
#endif
            s = _mm_add_ps(s, _mm_load_ps(a + i)); /* race */
        }
        float out[4];
        _mm_storeu_ps(out, s);
        if (out[0] == 12345) return 1;
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
