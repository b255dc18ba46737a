/* SPDX-License-Identifier: BSD-3-Clause */
/* Who and where: queries after the start. */
#include <shmem.h>
#include <shmemx.h>
#include <stdio.h>

static int object; /* symmetric */

int main(void)
{
    int initialized, major, minor;
    char name[SHMEM_MAX_NAME_LEN];
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), next = (me + 1) % n;
    shmem_query_initialized(&initialized);
    shmem_info_get_version(&major, &minor);
    shmem_info_get_name(name);
    if (me == 0)
        printf("OpenSHMEM %d.%d by %s, initialized: %d\n", major, minor, name, initialized);

    if (shmem_pe_accessible(next) && shmem_addr_accessible(&object, next)) {
        int *there = shmem_ptr(&object, next); /* NULL where load and store do not reach it */
        if (there && there == shmem_team_ptr(SHMEM_TEAM_WORLD, &object, next))
            *there = me; /* a store into the next PE's memory */
        else
            shmem_int_p(&object, me, next);
    }
    shmem_barrier_all();
    printf("PE %d: object is %d\n", me, object);
    void *theirs = shmemx_owner_address(&object, next); /* the address that the next PE has */
    if (shmemx_local_address(theirs, next) != &object)
        shmem_global_exit(1);
    shmem_pcontrol(0); /* a profiling tool stops here */
    shmem_finalize();
}
