/* SPDX-License-Identifier: BSD-3-Clause */
/* Each element is combined with those of the same index on the other PEs of the team. */
#include <shmem.h>
#include <stdio.h>

static long mine[2], sum[2], most, least, product, before, with;
static unsigned int bits, all_bits, any_bit, odd;

int main(void)
{
    shmem_init();
    int me = shmem_my_pe();
    mine[0] = me + 1;
    mine[1] = 1;
    bits = 1u << me | 1u << 31;
    shmem_sum_reduce(SHMEM_TEAM_WORLD, sum, mine, 2);
    shmem_prod_reduce(SHMEM_TEAM_WORLD, &product, mine, 1);
    shmem_max_reduce(SHMEM_TEAM_WORLD, &most, mine, 1);
    shmem_min_reduce(SHMEM_TEAM_WORLD, &least, mine, 1);
    shmem_and_reduce(SHMEM_TEAM_WORLD, &all_bits, &bits, 1);
    shmem_or_reduce(SHMEM_TEAM_WORLD, &any_bit, &bits, 1);
    shmem_xor_reduce(SHMEM_TEAM_WORLD, &odd, &bits, 1);
    shmem_sum_exscan(SHMEM_TEAM_WORLD, &before, mine, 1); /* of the PEs before this one */
    shmem_sum_inscan(SHMEM_TEAM_WORLD, &with, mine, 1);   /* and this one */
    printf("PE %d: sum %ld of %ld, product %ld, %ld to %ld, scan %ld %ld, bits %x %x %x\n", me, sum[0], sum[1],
           product, least, most, before, with, all_bits, any_bit, odd);
    shmem_finalize();
}
