/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 3 PEs: 5000 teams one after the other. Correct alone.
 */
#include <shmem.h>
static long x;
int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    for (int i = 0; i < 5000; i++) {
        shmem_team_t t;
        shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 2, NULL, 0, &t);
        if (t == SHMEM_TEAM_INVALID) continue;
        if (me == i % 2) { shmem_long_p(&x, i, 1 - me); shmem_quiet(); }
        shmem_team_sync(t);
        if (me != i % 2 && x != i) return 3;
        shmem_team_sync(t);
        shmem_team_destroy(t);
    }
    shmem_finalize();
}
