/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 4 PEs: memory spaces of all PEs and of some; blocks given back by both calls; a space after another.
 */
#include <shmem.h>
#include <shmemx.h>
static void pass(shmem_team_t team, long *block, long *flag) {
    int me = shmem_team_my_pe(team), next = shmem_team_translate_pe(team, 1, SHMEM_TEAM_WORLD);
    long v[4] = {1, 2, 3, 4};
    if (me == 0) {
        shmem_long_put(block, v, 4, next); /* race */
#ifndef RACY
        shmem_fence();
#endif
        shmem_long_p(flag, 1, next);
    } else if (me == 1) {
        shmem_long_wait_until(flag, SHMEM_CMP_EQ, 1);
        long sum = block[0] + block[3]; /* race */
        if (sum == 77) shmem_global_exit(3);
    }
}
static int use(shmem_team_t team) {
    for (int round = 0; round < 2; round++) {
        shmemx_space_t space;
        if (shmemx_space_create(team, "default", 1 << 20, &space) != 0) return 1;
        long *block = shmemx_space_malloc(space, 32768);
        long *flag = shmemx_space_calloc(space, 1, sizeof *flag);
        pass(team, block + 1000, flag);
        shmemx_space_free(space, block);
        block = shmemx_space_align(space, 64, 4096);
        for (int i = 0; i < 512; i++) block[i] = i;
        *flag = 0;
        shmem_free(block);
        shmemx_space_destroy(space);
    }
    return 0;
}
int main(void) {
    shmem_init();
    shmem_team_t low;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 1, 2, 2, NULL, 0, &low);
    int failed = use(SHMEM_TEAM_WORLD);
    if (low != SHMEM_TEAM_INVALID) failed |= use(low);
    shmem_finalize();
    return failed;
}
