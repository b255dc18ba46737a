/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One transform by FFTW's own threads, to compare with.
 */
#include "task.h"
#include "whole.h"

#include <omp.h>

static int run(struct task *task)
{
    const size_t bytes = (size_t)task->size * sizeof(number);
    number *input = fftw_malloc(bytes), *output = fftw_malloc(bytes);
    fftw_plan plan = NULL;
    if (input != NULL && output != NULL)
        plan = fftw_plan_dft_1d((int)task->size, input, output, FFTW_FORWARD, FFTW_MEASURE);
    int status = 1;
    if (plan == NULL)
        app_fail("not enough memory for %ld numbers", task->size);
    else {
        whole_keep(task);
        for (long row = 0; row < task->transform.n1; row++)
            task_input_row(task, row, input + row * task->transform.n2);
        task_run(task, whole_transform, plan);
        status = whole_verify(task, output);
        fftw_destroy_plan(plan);
    }
    fftw_free(output);
    fftw_free(input);
    return status;
}

int main(int argc, char **argv)
{
    if (fftw_init_threads() == 0)
        return app_fail("FFTW has no threads");
    struct task task;
    int status = task_start(argc, argv, NULL, &task);
    fftw_plan_with_nthreads(omp_get_max_threads());
    fftw_set_timelimit(WHOLE_PLANNING);
    if (status == APP_RUN)
        status = task.many ? app_fail("--many is the other versions': each transform by one thread") : run(&task);
    task_end(&task);
    fftw_cleanup_threads();
    return status;
}
