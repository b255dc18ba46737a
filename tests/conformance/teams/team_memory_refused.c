/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is refused of team memory, by name, on 3 PEs with arguments checked.
 */
#include "check.h"

#include <shmemx.h>

#include <string.h>

int main(int argc, char **argv)
{
    static char bytes[101];
    shmem_team_t pair, world = SHMEM_TEAM_WORLD;
    const char *what = argc > 1 ? argv[1] : "";
    shmem_init();
    int me = shmem_my_pe();
    shmem_team_split_strided(world, 0, 1, 2, NULL, 0, &pair);
    char *block = shmemx_team_malloc(world, 100);
    if (strcmp(what, "twice") == 0) {
        shmemx_team_free(world, block);
        shmemx_team_free(world, block);
    } else if (strcmp(what, "inner") == 0) {
        shmemx_team_free(world, block + 8);
    } else if (strcmp(what, "heap") == 0) {
        shmemx_team_free(world, shmem_malloc(100));
    } else if (strcmp(what, "other") == 0) {
        if (me < 2)
            shmemx_team_free(pair, block);
    } else if (strcmp(what, "shmem_free") == 0) {
        shmem_free(block);
    } else if (strcmp(what, "stranger") == 0) {
        shmemx_team_malloc(me == 2 ? SHMEM_TEAM_INVALID : world, 100);
    } else if (strcmp(what, "sizes") == 0) {
        shmemx_team_malloc(world, me == 1 ? 200 : 100);
    } else if (strcmp(what, "nonmember") == 0) {
        if (me < 2)
            shmem_long_p(shmemx_team_malloc(pair, 8), 1, 2);
    } else if (strcmp(what, "snapshot") == 0) {
        CHECK(shmemx_snapshot(world, ".", "team_memory_refused") != 0);
    } else if (strcmp(what, "beyond") == 0) {
        shmem_putmem(block, bytes, sizeof bytes, (me + 1) % 3);
    }
    shmem_barrier_all();
    return test_finish();
}
