/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 3 PEs: test_any_vector, and the other's box.
 */
#include <shmem.h>
#include <stddef.h>
#include <stdint.h>
static unsigned box[3]; static uint32_t seq[3];
int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    if (me == 2) {
        int status[3] = {0, 0, 1};
        uint32_t want[3] = {5, 6, 7};
        unsigned s = 0;
        for (int left = 2; left > 0;) {
            size_t i = shmem_uint32_test_any_vector(seq, n, status, SHMEM_CMP_EQ, want);
            if (i == SIZE_MAX) continue;
            status[i] = 1;
            left--;
#ifdef RACY
            s += box[1 - i]; /* race */
#else
            s += box[i];
#endif
        }
        if (s == 99) return 1;
    } else {
        shmem_uint_p(&box[me], 4, 2); /* race */
        shmem_fence();
        shmem_uint32_p(&seq[me], 5 + me, 2);
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
