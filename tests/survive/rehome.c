/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes steps (state.h) and takes snapshots of them, while hosts and PEs are killed by somebody else: all go
 * back to the last snapshot then, of which each host has the copies of another's, and the PEs of a lost host
 * live again on another. In the end the checksum is that of a run in which nobody died. Arguments: steps;
 * folder, a snapshot after so many steps; microseconds of each step.
 */
#include "meet.h"
#include "state.h"

#include <shmemx_ft.h>

#include <setjmp.h>
#include <stdbool.h>
#include <unistd.h>

static _Thread_local sigjmp_buf out; /* not symmetric: a restore leaves it alone */

static void leave(void *unused)
{
    (void)unused;
    siglongjmp(out, 1);
}

/* No host has all of a snapshot any more. */
static void begin_again(void)
{
    static long first[WORDS] = {1, 2, 3};
    steps = 0;
    blocks = NULL; /* those of before are forgotten */
    memcpy(numbers, first, sizeof numbers);
    memset(untouched, 0, sizeof untouched);
    shmem_barrier_all();
}

static void work(long most, const char *folder, long every, long us)
{
    while (steps < most) {
        step();
        usleep((useconds_t)us);
        if (steps % every == 0 && shmemx_snapshot(SHMEM_TEAM_WORLD, folder, "rehome") != 0)
            shmem_global_exit(4);
    }
}

static void say_checksum(void)
{
    static unsigned long mine, all;
    mine = checksum();
    shmem_ulong_xor_reduce(SHMEM_TEAM_WORLD, &all, &mine, 1);
    if (shmem_my_pe() == 0)
        printf("steps %ld checksum %016lx\n", steps, all);
}

int main(int argc, char **argv)
{
    if (argc < 5)
        return 2;
    shmem_init();
    CHECK(shmem_n_pes() <= MOST_PES);
    bool may_be_behind = sigsetjmp(out, 0) != 0 || shmemx_is_respawned();
    shmemx_on_failure(leave, NULL);
    if (may_be_behind) {
        meet();
        if (shmemx_restore(SHMEM_TEAM_WORLD, argv[2], "rehome") != 0)
            begin_again();
        else if (shmem_my_pe() == 0)
            printf("goes on at step %ld\n", steps);
    } else {
        shmem_barrier_all();
        if (shmemx_snapshot(SHMEM_TEAM_WORLD, argv[2], "rehome") == 0 && shmem_my_pe() == 0)
            printf("begins\n");
    }
    fflush(stdout);
    work(atol(argv[1]), argv[2], atol(argv[3]), atol(argv[4]));
    say_checksum();
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
