/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes steps up to the number given and prints the checksum of all of them: from where a snapshot was taken,
 * where there is one to restore. Arguments: steps; and DIR N, to take a snapshot in DIR after every N.
 */
#include "state.h"

int main(int argc, char **argv)
{
    long most = argc > 1 ? atol(argv[1]) : 40;
    long every = argc > 3 ? atol(argv[3]) : 0;
    shmem_init();
    int restored = shmemx_restore(SHMEM_TEAM_WORLD, NULL, NULL);
    if (restored < 0 || restored > 1)
        shmem_global_exit(3);
    if (restored == 0 && shmem_my_pe() == 0)
        printf("goes on at step %ld\n", steps);
    while (steps < most) {
        step();
        if (every && steps % every == 0 && shmemx_snapshot(SHMEM_TEAM_WORLD, argv[2], "steps") != 0)
            shmem_global_exit(4);
    }
    static unsigned long mine, all;
    mine = checksum();
    shmem_ulong_xor_reduce(SHMEM_TEAM_WORLD, &all, &mine, 1);
    if (shmem_my_pe() == 0)
        printf("steps %ld checksum %016lx\n", steps, all);
    shmem_finalize();
    return 0;
}
