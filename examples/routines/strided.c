/* SPDX-License-Identifier: BSD-3-Clause */
/* A column of a matrix, element by element, and blocks with gaps between them. */
#include <shmem.h>
#include <stdio.h>

#define ROWS 4
#define COLUMNS 8
static double matrix[ROWS][COLUMNS]; /* symmetric */

int main(void)
{
    double column[ROWS] = {1, 2, 3, 4}, pairs[2 * ROWS];
    shmem_init();
    int me = shmem_my_pe(), next = (me + 1) % shmem_n_pes();

    /* Elements of column, 1 apart, become elements of the matrix, COLUMNS apart. */
    shmem_iput(&matrix[0][2], column, COLUMNS, 1, ROWS, next);
    shmem_barrier_all();
    shmem_iget(column, &matrix[0][2], 1, COLUMNS, ROWS, me);

    /* ROWS blocks of two elements: their starts are 2 and COLUMNS elements apart. */
    shmem_ibget(pairs, &matrix[0][2], 2, COLUMNS, 2, ROWS, me);
    shmem_barrier_all();
    shmem_ibput(&matrix[0][4], pairs, COLUMNS, 2, 2, ROWS, next);
    shmem_barrier_all();
    printf("PE %d: %g %g %g\n", me, column[3], pairs[6], matrix[3][4]);
    shmem_finalize();
}
