/* SPDX-License-Identifier: BSD-3-Clause
 * Another program than steps.c, which restores what that one wrote: it is refused. With the argument 0 it
 * restores nothing.
 */
#include "check.h"

#include <shmemx.h>

int main(int argc, char **argv)
{
    shmem_init();
    if (argc > 1 && atoi(argv[1]) == 0) {
        shmem_finalize();
        return 0;
    }
    int restored = shmemx_restore(SHMEM_TEAM_WORLD, NULL, NULL);
    shmem_global_exit(restored == 1 ? 0 : restored == 0 ? 5 : 3);
}
