/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prints a sum of 4 PEs whose value tells the order of addition: 1 in rank order, 0 up a tree.
 * tune_file.py thereby sees which algorithm was chosen. Argument: elements of the array.
 */
#include "check.h"

int main(int argc, char **argv)
{
    static const double brought[4] = {0x1p60, 1, -0x1p60, 1};
    shmem_init();
    size_t count = argc > 1 ? (size_t)atoi(argv[1]) : 1;
    double *source = shmem_malloc(count * sizeof *source);
    double *dest = shmem_malloc(count * sizeof *dest);
    CHECK(source && dest);
    CHECK_EQ(shmem_n_pes(), 4);
    for (size_t i = 0; i < count; i++)
        source[i] = brought[shmem_my_pe()];
    shmem_barrier_all();
    CHECK_EQ(shmem_double_sum_reduce(SHMEM_TEAM_WORLD, dest, source, count), 0);
    for (size_t i = 1; i < count; i++)
        CHECK(dest[i] == dest[0]);
    if (shmem_my_pe() == 0)
        printf("%g\n", dest[0]);
    return test_finish();
}
