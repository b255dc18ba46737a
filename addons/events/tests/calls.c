/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls whose events are known: events.py compares. Of 1.2's routines, and of contexts, teams and signals.
 */
#include <shmem.h>
#include <shmemx.h>

static long words[64], target[64], sum, all;
static uint64_t ready;

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes(), next = (me + 1) % npes;
    shmem_team_t backwards;
    shmem_ctx_t ctx;
    for (int i = 0; i < 10; i++)
        shmem_long_put(target, words, 64, next);
    shmem_long_p(target, 1, next);
    shmem_getmem(words, target, 24, next);
    shmem_long_atomic_add(&sum, 1, next);
    shmem_long_put_signal(target, words, 8, &ready, 1, SHMEM_SIGNAL_ADD, next);
    shmem_signal_wait_until(&ready, SHMEM_CMP_GE, 1);
    shmem_quiet();
    /* PE 0 of this team is the last one. */
    shmem_team_split_strided(SHMEM_TEAM_WORLD, npes - 1, -1, npes, NULL, 0, &backwards);
    shmem_team_create_ctx(backwards, 0, &ctx);
    shmem_ctx_long_put(ctx, target, words, 2, shmem_team_my_pe(backwards));
    shmem_ctx_quiet(ctx);
    shmem_ctx_destroy(ctx);
    shmem_team_destroy(backwards);
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &all, words, 1);
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
