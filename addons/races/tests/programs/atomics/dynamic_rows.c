/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 3 PEs: rows handed out by fetch_inc.
 */
#include <shmem.h>
static int next_row; static double m[30][8];
int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    double row[8];
    for (;;) {
        int r = shmem_int_atomic_fetch_inc(&next_row, 0);
        if (r >= 30) break;
        for (int j = 0; j < 8; j++) row[j] = r * j;
#ifdef RACY
        shmem_double_put(m[r / 2], row, 8, 0); /* race */
#else
        shmem_double_put(m[r], row, 8, 0);
#endif
    }
    shmem_barrier_all();
    double s = me == 0 ? m[3][3] : 0;
    shmem_barrier_all();
    shmem_finalize();
    return s == 1e9;
}
