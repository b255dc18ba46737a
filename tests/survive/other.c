/* SPDX-License-Identifier: BSD-3-Clause
 * Another program than steps.c, which restores what that one wrote: it is refused.
 */
#include "check.h"

#include <shmemx.h>

int main(void)
{
    shmem_init();
    int restored = shmemx_restore(SHMEM_TEAM_WORLD, NULL, NULL);
    shmem_global_exit(restored == 1 ? 0 : restored == 0 ? 5 : 3);
}
