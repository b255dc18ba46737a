/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 4 PEs: rows and columns: each team's sync is its own.
 */
#include <shmem.h>
static int left, up;
int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    shmem_team_t x, y;
    shmem_team_split_2d(SHMEM_TEAM_WORLD, 2, NULL, 0, &x, NULL, 0, &y);
    int row = shmem_team_my_pe(x), col = shmem_team_my_pe(y);
    int peer = shmem_team_translate_pe(x, 1 - row, SHMEM_TEAM_WORLD);
    int below = shmem_team_translate_pe(y, 1 - col, SHMEM_TEAM_WORLD);
    shmem_int_p(&left, me, peer); /* race */
    shmem_int_p(&up, me, below); /* race */
    shmem_quiet();
#ifdef RACY
    shmem_team_sync(x);
    int v = up; /* race */
#else
    shmem_team_sync(x);
    int v = left;
    shmem_team_sync(y);
    v += up;
#endif
    shmem_team_destroy(x);
    shmem_team_destroy(y);
    shmem_finalize();
    return v == 99;
}
