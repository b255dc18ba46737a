/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The same with OpenMP, to compare with: threads read columns and write rows in place.
 */
#include "task.h"

#include <omp.h>
#include <stdlib.h>

struct fft {
    struct task *task;
    number *input, *output; /* the matrix and the result, n1 x n2 */
    number *work;           /* a block of each thread */
};

static void transform_mine(const struct fft *fft, int thread)
{
    const struct task *task = fft->task;
    const struct transform *transform = &task->transform;
    const long n1 = transform->n1, n2 = transform->n2, end = task_column(task, thread + 1);
    number *work = fft->work + (long)thread * WIDTH * n1;
    for (long column = task_column(task, thread); column < end; column += WIDTH) {
        const long width = end - column < WIDTH ? end - column : WIDTH;
        transform_copy(work, WIDTH, fft->input + column, n2, n1, width);
        transform_columns(transform, work);
        transform_twiddle(transform, column, work, 0, n1, fft->output + column, n2, width);
    }
}

static void transform(void *state)
{
    const struct fft *fft = state;
    const struct task *task = fft->task;
#pragma omp parallel
    {
        const int thread = omp_get_thread_num();
        const long first = task_row(task, thread), rows = task_row(task, thread + 1) - first;
        transform_mine(fft, thread);
#pragma omp barrier
        transform_rows(task->transform.plan2, fft->output + first * task->transform.n2, task->transform.n2,
                       rows);
    }
}

/* A thread fills the rows that it transforms at last, so that they lie near it. */
static void fill(struct fft *fft)
{
    const struct task *task = fft->task;
#pragma omp parallel
    for (long row = task_row(task, omp_get_thread_num()); row < task_row(task, omp_get_thread_num() + 1);
         row++) {
        task_input_row(task, row, fft->input + row * task->transform.n2);
        task_input_row(task, row, fft->output + row * task->transform.n2);
    }
}

static int run_one(struct task *task)
{
    const size_t bytes = (size_t)task->size * sizeof(number);
    const size_t work = (size_t)app_workers() * WIDTH * (size_t)task->transform.n1 * sizeof(number);
    struct fft fft = {.task = task, .input = fftw_malloc(bytes), .output = fftw_malloc(bytes),
                      .work = fftw_malloc(work)};
    int status = 1;
    if (fft.input == NULL || fft.output == NULL || fft.work == NULL)
        app_fail("not enough memory for %ld numbers", task->size);
    else {
        fill(&fft);
        task_run(task, transform, &fft);
        status = task_verify(task, fft.output);
    }
    fftw_free(fft.work);
    fftw_free(fft.output);
    fftw_free(fft.input);
    return status;
}

static void transform_all(void *state)
{
    const struct task *task = state;
#pragma omp parallel
    {
        const long first = app_block_first(task->count, omp_get_thread_num(), omp_get_num_threads());
        const long end = app_block_first(task->count, omp_get_thread_num() + 1, omp_get_num_threads());
        transform_rows(task->plan, task->mine + first * task->size, task->size, end - first);
    }
}

int main(int argc, char **argv)
{
    struct task task;
    int status = task_start(argc, argv, NULL, &task);
    if (status == APP_RUN)
        status = task.many ? task_many(&task, 0, task.count, transform_all) : run_one(&task);
    task_end(&task);
    return status;
}
