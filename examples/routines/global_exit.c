/* SPDX-License-Identifier: BSD-3-Clause */
/* One PE ends the job, although the others wait. */
#include <shmem.h>
#include <stdio.h>

int main(void)
{
    shmem_init();
    if (shmem_my_pe() == 0) {
        puts("PE 0 has seen enough");
        shmem_global_exit(0); /* the job's status */
    }
    shmem_barrier_all(); /* never complete: PE 0 does not come */
}
