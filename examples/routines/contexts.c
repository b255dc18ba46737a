/* SPDX-License-Identifier: BSD-3-Clause */
/* Two streams of operations: each is completed by itself. */
#include <shmem.h>
#include <stdio.h>

static long left, right; /* symmetric */

int main(void)
{
    shmem_ctx_t ctx, of_team;
    shmem_team_t team;
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    if (shmem_ctx_create(SHMEM_CTX_SERIALIZED, &ctx) != 0 || shmem_team_create_ctx(SHMEM_TEAM_WORLD, 0, &of_team) != 0)
        shmem_global_exit(1);
    shmem_ctx_get_team(of_team, &team);

    shmem_ctx_session_start(ctx, SHMEM_CTX_SESSION_BATCH, NULL, 0); /* small operations may travel together */
    shmem_p(ctx, &left, (long)me, (me + 1) % n);
    shmem_ctx_session_stop(ctx);
    shmem_p(of_team, &right, (long)me, (me + n - 1) % shmem_team_n_pes(team));
    shmem_ctx_quiet(ctx);     /* left has arrived; right may be under way */
    shmem_ctx_fence(of_team);
    shmem_ctx_destroy(of_team); /* completes right */
    shmem_ctx_destroy(ctx);
    shmem_barrier_all();
    printf("PE %d: %ld %ld\n", me, left, right);
    shmem_finalize();
}
