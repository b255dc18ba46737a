/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One transform by FFTW's MPI transforms, to compare with.
 */
#include "task.h"
#include "whole.h"

#include <fftw3-mpi.h>

struct share {
    ptrdiff_t room, input_count, input_first, output_count, output_first;
};

static struct share share_of(const struct task *task)
{
    struct share share;
    share.room = fftw_mpi_local_size_1d(task->size, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_MEASURE, &share.input_count,
                                        &share.input_first, &share.output_count, &share.output_first);
    return share;
}

/* The result on rank 0, which alone has room for it. */
static int verify(const struct task *task, const struct share *share, const number *output)
{
    const int mine[2] = {(int)share->output_count, (int)share->output_first};
    int(*of)[2] = calloc((size_t)app_workers(), sizeof *of), *counts = calloc(2 * (size_t)app_workers(), sizeof *counts);
    number *whole = app_rank() == 0 ? malloc((size_t)task->size * sizeof *whole) : NULL;
    int status = app_agree(of == NULL || counts == NULL || (app_rank() == 0 && whole == NULL));
    if (status != 0)
        app_fail("not enough memory to compare with one process");
    else {
        MPI_Allgather(mine, 2, MPI_INT, of, 2, MPI_INT, MPI_COMM_WORLD);
        for (int rank = 0; rank < app_workers(); rank++) {
            counts[rank] = of[rank][0];
            counts[app_workers() + rank] = of[rank][1];
        }
        MPI_Gatherv(output, mine[0], MPI_C_DOUBLE_COMPLEX, whole, counts, counts + app_workers(), MPI_C_DOUBLE_COMPLEX,
                    0, MPI_COMM_WORLD);
        status = whole_verify(task, whole);
    }
    free(whole);
    free(counts);
    free(of);
    return status;
}

static int run(struct task *task)
{
    const struct share share = share_of(task);
    number *input = fftw_malloc((size_t)share.room * sizeof *input + 1);
    number *output = fftw_malloc((size_t)share.room * sizeof *output + 1);
    fftw_plan plan = NULL;
    if (app_agree(input == NULL || output == NULL) == 0)
        plan = fftw_mpi_plan_dft_1d(task->size, input, output, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_MEASURE);
    int status = app_agree(plan == NULL);
    if (status != 0)
        app_fail("FFTW has no plan for %ld numbers on %d ranks", task->size, app_workers());
    else {
        fftw_mpi_gather_wisdom(MPI_COMM_WORLD);
        whole_keep(task);
        for (ptrdiff_t i = 0; i < share.input_count; i++)
            input[i] = transform_input(0, share.input_first + i);
        task_run(task, whole_transform, plan);
        status = verify(task, &share, output);
    }
    if (plan != NULL)
        fftw_destroy_plan(plan);
    fftw_free(output);
    fftw_free(input);
    return status;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    fftw_mpi_init();
    struct task task;
    int status = task_start(argc, argv, NULL, &task);
    fftw_set_timelimit(WHOLE_PLANNING);
    if (status == APP_RUN)
        status = task.many ? app_fail("--many is the other versions': each transform by one rank") : run(&task);
    task_end(&task);
    fftw_mpi_cleanup();
    MPI_Finalize();
    return status;
}
