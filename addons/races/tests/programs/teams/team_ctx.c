/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 4 PEs: PE numbers of a team's context count in the team.
 */
#include <shmem.h>
static long w[2];
int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    shmem_team_t odd;
    shmem_ctx_t c = SHMEM_CTX_INVALID;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 1, 2, 2, NULL, 0, &odd);
    if (odd != SHMEM_TEAM_INVALID && shmem_team_create_ctx(odd, 0, &c)) return 1;
    if (me == 1) {
        shmem_ctx_long_p(c, &w[0], 4, 1); /* race */
#ifdef RACY
        shmem_ctx_fence(SHMEM_CTX_DEFAULT);
#else
        shmem_ctx_fence(c);
#endif
        shmem_ctx_long_p(c, &w[1], 1, 1);
    }
    if (me == 3) {
        shmem_long_wait_until(&w[1], SHMEM_CMP_EQ, 1);
        if (w[0] == 17) return 2; /* race */
    }
    if (c != SHMEM_CTX_INVALID) shmem_ctx_destroy(c);
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
