/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The same with MPI, to compare with: both exchanges are an MPI_Alltoallv of pieces that their sender has
 * collected.
 */
#include "task.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

struct fft {
    struct task *task;
    number *input, *output; /* my rows of the matrix and of the result */
    number *sent, *received;
    number *work; /* a block */
    int *counts;  /* for each rank: sent, where that begins; received, where that begins */
};

static int *count_of(const struct fft *fft, int which)
{
    return fft->counts + which * app_workers();
}

static long rows_of(const struct fft *fft, int rank)
{
    return task_row(fft->task, rank + 1) - task_row(fft->task, rank);
}

static long columns_of(const struct fft *fft, int rank)
{
    return task_column(fft->task, rank + 1) - task_column(fft->task, rank);
}

/* Pieces of the matrix: my rows of a rank's columns go to it, or my columns of its rows. */
static void exchange(struct fft *fft, bool columns)
{
    const int me = app_rank(), ranks = app_workers();
    int *out = count_of(fft, 0), *out_at = count_of(fft, 1), *in = count_of(fft, 2),
        *in_at = count_of(fft, 3);
    for (int rank = 0, sent = 0, received = 0; rank < ranks; rank++) {
        const int rows = (int)(rows_of(fft, me) * columns_of(fft, rank));
        const int their_rows = (int)(rows_of(fft, rank) * columns_of(fft, me));
        out[rank] = columns ? rows : their_rows;
        in[rank] = columns ? their_rows : rows;
        out_at[rank] = sent;
        in_at[rank] = received;
        sent += out[rank];
        received += in[rank];
    }
    MPI_Alltoallv(fft->sent, out, out_at, MPI_C_DOUBLE_COMPLEX, fft->received, in, in_at,
                  MPI_C_DOUBLE_COMPLEX, MPI_COMM_WORLD);
}

/* A rank's piece is my rows, each with its columns' numbers. */
static void pack_columns(struct fft *fft)
{
    const struct task *task = fft->task;
    const long rows = rows_of(fft, app_rank());
    number *piece = fft->sent;
    for (int rank = 0; rank < app_workers(); rank++) {
        const long columns = columns_of(fft, rank);
        transform_copy(piece, columns, fft->input + task_column(task, rank), task->transform.n2, rows, columns);
        piece += rows * columns;
    }
}

/* My columns: the ranks' pieces, one after the other, are all rows of them, before and after. */
static void transform_my_columns(struct fft *fft)
{
    const struct transform *transform = &fft->task->transform;
    const long n1 = transform->n1, columns = columns_of(fft, app_rank()), first = task_column(fft->task, app_rank());
    for (long column = 0; column < columns; column += WIDTH) {
        const long width = columns - column < WIDTH ? columns - column : WIDTH;
        transform_copy(fft->work, WIDTH, fft->received + column, columns, n1, width);
        transform_columns(transform, fft->work);
        transform_twiddle(transform, first + column, fft->work, 0, n1, fft->sent + column, columns, width);
    }
}

static void transform_my_rows(struct fft *fft)
{
    const struct task *task = fft->task;
    const long rows = rows_of(fft, app_rank()), n2 = task->transform.n2;
    for (long row = 0; row < rows; row++) {
        number *line = fft->output + row * n2;
        for (int rank = 0; rank < app_workers(); rank++) {
            const long first = task_column(task, rank), columns = columns_of(fft, rank);
            memcpy(line + first, fft->received + first * rows + row * columns, (size_t)columns * sizeof *line);
        }
        transform_rows(task->transform.plan2, line, n2, 1);
    }
}

static void transform(void *state)
{
    struct fft *fft = state;
    pack_columns(fft);
    exchange(fft, true);
    transform_my_columns(fft);
    exchange(fft, false);
    transform_my_rows(fft);
}

static int verify(struct fft *fft)
{
    const struct task *task = fft->task;
    const int me = app_rank(), ranks = app_workers();
    const long n2 = task->transform.n2;
    int *counts = count_of(fft, 0), *begins = count_of(fft, 1);
    number *whole = me == 0 ? malloc((size_t)task->size * sizeof *whole) : NULL;
    if (app_agree(me == 0 && whole == NULL) != 0)
        return app_fail("not enough memory to compare with one process");
    for (int rank = 0; rank < ranks; rank++) {
        counts[rank] = (int)(rows_of(fft, rank) * n2);
        begins[rank] = (int)(task_row(task, rank) * n2);
    }
    MPI_Gatherv(fft->output, counts[me], MPI_C_DOUBLE_COMPLEX, whole, counts, begins, MPI_C_DOUBLE_COMPLEX,
                0, MPI_COMM_WORLD);
    int status = task_verify(task, whole);
    free(whole);
    return status;
}

static int run_one(struct task *task)
{
    struct fft fft = {.task = task};
    const int me = app_rank();
    const long first = task_row(task, me), n2 = task->transform.n2;
    const size_t mine = (size_t)rows_of(&fft, me) * (size_t)n2;
    const size_t columns = (size_t)columns_of(&fft, me) * (size_t)task->transform.n1;
    const size_t most = (mine > columns ? mine : columns) + 1;
    number **const area[] = {&fft.input, &fft.output, &fft.sent, &fft.received};
    bool there = (fft.work = transform_block(&task->transform)) != NULL;
    for (int i = 0; i < 4; i++)
        there = (*area[i] = fftw_malloc(most * sizeof(number))) != NULL && there;
    fft.counts = malloc(4 * (size_t)app_workers() * sizeof *fft.counts);
    int status = app_agree(!there || fft.counts == NULL);
    if (status != 0)
        app_fail("not enough memory for %ld numbers", task->size);
    else {
        for (long row = 0; row < rows_of(&fft, me); row++)
            task_input_row(task, first + row, fft.input + row * n2);
        task_run(task, transform, &fft);
        status = verify(&fft);
    }
    free(fft.counts);
    for (int i = 0; i < 4; i++)
        fftw_free(*area[i]);
    fftw_free(fft.work);
    return status;
}

static void transform_mine(void *state)
{
    const struct task *task = state;
    transform_rows(task->plan, task->mine, task->size, task->mine_count);
}

static int run_many(struct task *task)
{
    const long first = app_block_first(task->count, app_rank(), app_workers());
    return task_many(task, first, app_block_first(task->count, app_rank() + 1, app_workers()) - first,
                     transform_mine);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    struct task task;
    int status = task_start(argc, argv, NULL, &task);
    if (status == APP_RUN)
        status = task.many ? run_many(&task) : run_one(&task);
    task_end(&task);
    MPI_Finalize();
    return status;
}
