/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The fragments of docs/do/noncontiguous.md: a block of a grid, and pieces of two arrays.
 */
#include <shmemx.h>

#include "check.h"

static double grid[100][100][100], a[20], b[20];

static void put_block(int x, int y, int z, int pe)
{
    const size_t counts[] = {8 * sizeof(double), 10, 4};
    const ptrdiff_t strides[] = {100 * sizeof(double), 100 * 100 * sizeof(double)};
    shmemx_putmem_strided(&grid[x][y][z], &grid[x][y][z], strides, strides, counts, 3, pe);
}

static void put_pieces(const double *x, int pe)
{
    void *dests[] = {&a[3], &a[17], &b[2]};
    const void *sources[] = {&x[0], &x[1], &x[2]};
    const shmemx_vector_t pieces = {dests, sources, 3, sizeof(double)};
    shmemx_putmem_vector(&pieces, 1, pe);
}

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes(), sum = 0;
    double *all = (double *)grid;
    for (int i = 0; me == 0 && i < 100 * 100 * 100; i++)
        all[i] = 1;
    shmem_barrier_all();
    if (me == 0)
        put_block(5, 6, 7, npes - 1);
    put_pieces((const double[]){me + 1, me + 2, me + 3}, (me + 1) % npes);
    shmem_barrier_all();
    for (int i = 0; me == npes - 1 && me > 0 && i < 100 * 100 * 100; i++)
        sum += all[i] == 1;
    CHECK(npes == 1 || me < npes - 1 || (sum == 4 * 10 * 8 && grid[5][6][7] == 1 && grid[8][15][14] == 1));
    int left = (me + npes - 1) % npes;
    CHECK(a[3] == left + 1 && a[17] == left + 2 && b[2] == left + 3 && a[4] == 0);
    shmem_finalize();
    return 0;
}
