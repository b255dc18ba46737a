/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Transfers of shmemx.h: many runs in a call, accumulate, handles.
 */
#include "cases.h"

static long grid[8][8], other[8][8], flag;

/* A column of grid: 8 runs of one number. */
static const size_t column[] = {sizeof(long), 8};
static const ptrdiff_t rows[] = {sizeof grid[0]};

static void await_flag(void)
{
    shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
}

CASE(column_before_a_barrier)
{
    if (me == 0)
        shmemx_putmem_strided(&grid[0][2], &other[0][2], rows, rows, column, 2, 1);
    shmem_barrier_all();
    USE(grid[5][2]);
}

CASE(column_without_a_barrier)
{
    if (me == 0)
        shmemx_putmem_strided(&grid[0][2], &other[0][2], rows, rows, column, 2, 1); /* race */
    else if (me == 1)
        USE(grid[5][2]); /* race */
}

CASE(beside_the_column)
{
    if (me == 0)
        shmemx_putmem_strided(&grid[0][2], &other[0][2], rows, rows, column, 2, 1);
    else if (me == 1)
        for (int i = 0; i < 8; i++)
            grid[i][3] = i;
}

CASE(column_and_flag_with_a_fence)
{
    if (me == 0) {
        shmemx_putmem_strided(&grid[0][2], &other[0][2], rows, rows, column, 2, 1);
        shmem_fence();
        shmem_long_atomic_set(&flag, 1, 1);
    } else if (me == 1) {
        await_flag();
        USE(grid[7][2]);
    }
}

CASE(column_and_flag_without_a_fence)
{
    if (me == 0) {
        shmemx_putmem_strided(&grid[0][2], &other[0][2], rows, rows, column, 2, 1); /* race */
        shmem_long_atomic_set(&flag, 1, 1);
    } else if (me == 1) {
        await_flag();
        USE(grid[7][2]); /* race */
    }
}

CASE(column_is_got_while_it_is_written)
{
    if (me == 0)
        shmemx_getmem_strided(&other[0][2], &grid[0][2], rows, rows, column, 2, 1); /* race */
    else if (me == 1)
        grid[4][2] = 4; /* race */
}

CASE(list_before_a_barrier)
{
    void *dests[] = {&grid[0][0], &grid[3][3]};
    const void *sources[] = {&other[0][0], &other[1][1]};
    const shmemx_vector_t pieces = {dests, sources, 2, sizeof(long)};
    if (me == 0)
        shmemx_putmem_vector(&pieces, 1, 1);
    shmem_barrier_all();
    USE(grid[3][3]);
}

CASE(list_without_a_barrier)
{
    void *dests[] = {&grid[0][0], &grid[3][3]};
    const void *sources[] = {&other[0][0], &other[1][1]};
    const shmemx_vector_t pieces = {dests, sources, 2, sizeof(long)};
    if (me == 0)
        shmemx_putmem_vector(&pieces, 1, 1); /* race */
    else if (me == 1)
        grid[3][3] = 1; /* race */
}

CASE(source_is_reused_once_the_handle_is_complete)
{
    shmemx_handle_t handle = SHMEMX_HANDLE_COMPLETE;
    if (me == 0) {
        shmemx_putmem_strided_nb(grid, other, rows, rows, column, 2, 1, &handle);
        shmemx_wait(&handle);
        other[2][0] = 1;
    }
}

CASE(source_is_reused_too_early)
{
    shmemx_handle_t handle = SHMEMX_HANDLE_COMPLETE;
    if (me == 0) {
        shmemx_putmem_strided_nb(grid, other, rows, rows, column, 2, 1, &handle); /* race */
        other[2][0] = 1; /* race */
        shmemx_wait(&handle);
    }
}

CASE(dest_is_read_before_its_handle)
{
    shmemx_handle_t handle = SHMEMX_HANDLE_COMPLETE;
    if (me == 0) {
        shmemx_getmem_strided_nb(other, grid, rows, rows, column, 2, 1, &handle); /* race */
        USE(other[2][0]); /* race */
        shmemx_wait(&handle);
    }
}

CASE(all_add_to_one_place)
{
    shmemx_long_accumulate(grid[0], other[0], 1, 8, 0);
    shmem_barrier_all();
    USE(grid[0][3]);
}

CASE(sum_is_read_too_early)
{
    if (me == 1)
        shmemx_long_accumulate(grid[0], other[0], 1, 8, 0); /* race */
    if (me == 0)
        USE(grid[0][3]); /* race */
}

CASES(RUN(column_before_a_barrier), RUN(column_without_a_barrier), RUN(beside_the_column),
      RUN(column_and_flag_with_a_fence), RUN(column_and_flag_without_a_fence),
      RUN(column_is_got_while_it_is_written), RUN(list_before_a_barrier), RUN(list_without_a_barrier),
      RUN(source_is_reused_once_the_handle_is_complete), RUN(source_is_reused_too_early),
      RUN(dest_is_read_before_its_handle), RUN(all_add_to_one_place), RUN(sum_is_read_too_early))
