/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every PE puts its number into a static variable of the next one. Exits with 1 where a wrong one arrived.
 */
#include <shmem.h>
#include <stdio.h>

static long from_neighbour = -1;

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), all = shmem_n_pes();
    shmem_long_p(&from_neighbour, me, (me + 1) % all);
    shmem_barrier_all();
    printf("PE %d of %d: static %ld\n", me, all, from_neighbour);
    int wrong = from_neighbour != (me + all - 1) % all;
    shmem_finalize();
    return wrong;
}
