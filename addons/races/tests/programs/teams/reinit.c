/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: initialized three times.
 */
#include <shmem.h>
static int x;
int main(void) {
    int r = 0;
    for (int k = 0; k < 3; k++) {
        shmem_init();
        int me = shmem_my_pe();
        int *h = shmem_calloc(4, sizeof *h);
        shmem_team_t t;
        shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 2, NULL, 0, &t);
        shmem_int_p(&h[me], k, 1 - me); /* race */
        shmem_int_p(&x, k, 1 - me); /* race */
#ifndef RACY
        shmem_quiet();
#endif
        shmem_team_sync(t);
        r += h[1 - me]; /* race */
        r += x; /* race */
        shmem_team_sync(t);
        shmem_finalize();
    }
    return r == 99;
}
