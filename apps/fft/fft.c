/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One transform by all PEs, or many, each by one. See README.md.
 */
#include "app.h"
#include "task.h"

#include <stdlib.h>

enum exchange { AUTO, PUT };

struct fft {
    struct task *task;
    number *input;   /* symmetric: my rows of the matrix */
    number *columns; /* symmetric: blocks of my columns; NULL where they are read in place */
    number *output;  /* symmetric: my rows of the result */
    number *work[2]; /* private: blocks that take turns */
    number **there;  /* private: where I reach each PE's rows of the result, then its input */
    uint64_t *arrived; /* symmetric: pieces of columns, and of rows, that are complete */
    uint64_t rounds;
};

enum { COLUMNS, ROWS };

/* Tells a PE that all I had for it is there. */
static void tell(struct fft *fft, int what, int pe)
{
    shmem_fence();
    shmem_uint64_atomic_inc(&fft->arrived[what], pe);
}

static void tell_all(struct fft *fft, int what)
{
    for (int i = 1; i <= shmem_n_pes(); i++)
        tell(fft, what, (shmem_my_pe() + i) % shmem_n_pes());
}

static void wait_for_all(struct fft *fft, int what)
{
    shmem_uint64_wait_until(&fft->arrived[what], SHMEM_CMP_GE, fft->rounds * (uint64_t)shmem_n_pes());
}

static void put_number(number *to, const number *from, long count, int pe)
{
    shmem_putmem_nbi(to, from, (size_t)count * sizeof *from, pe);
}

/* One of the two blocks: what was put from it before is complete. */
static number *next_block(struct fft *fft, int *turn)
{
    shmem_quiet();
    *turn ^= 1;
    return fft->work[*turn];
}

/* Each PE gets its columns of my rows, which are put block by block. */
static void put_columns(struct fft *fft)
{
    const struct task *task = fft->task;
    const int me = shmem_my_pe(), npes = shmem_n_pes();
    const long n1 = task->transform.n1, n2 = task->transform.n2;
    const long first = task_row(task, me), rows = task_row(task, me + 1) - first;
    int turn = 0;
    for (int i = 1; i <= npes; i++) {
        const int pe = (me + i) % npes;
        const long begin = task_column(task, pe), end = task_column(task, pe + 1);
        for (long column = begin; column < end; column += WIDTH) {
            const long width = end - column < WIDTH ? end - column : WIDTH;
            number *block = next_block(fft, &turn);
            transform_copy(block, WIDTH, fft->input + column, n2, rows, width);
            put_number(fft->columns + (column - begin) * n1 + first * WIDTH, block, rows * WIDTH, pe);
        }
        tell(fft, COLUMNS, pe);
    }
}

/* My columns are transformed; each PE gets its rows of a block while the next one is transformed. */
static void put_rows(struct fft *fft)
{
    const struct task *task = fft->task;
    const int me = shmem_my_pe(), npes = shmem_n_pes();
    const long n1 = task->transform.n1, n2 = task->transform.n2;
    const long begin = task_column(task, me), end = task_column(task, me + 1);
    for (long column = begin; column < end; column += WIDTH) {
        const long width = end - column < WIDTH ? end - column : WIDTH;
        number *block = fft->columns + (column - begin) * n1;
        transform_columns(&task->transform, block);
        transform_twiddle(&task->transform, column, block, 0, n1, block, WIDTH, WIDTH);
        for (int i = 1; i <= npes; i++) {
            const int pe = (me + i) % npes;
            const long first = task_row(task, pe), last = task_row(task, pe + 1);
            for (long row = first; row < last; row++)
                put_number(fft->output + (row - first) * n2 + column, block + row * WIDTH, width, pe);
        }
    }
    tell_all(fft, ROWS);
}

static void transform_by_puts(struct fft *fft)
{
    put_columns(fft);
    wait_for_all(fft, COLUMNS);
    put_rows(fft);
}

/* All PEs' memory is within reach: columns are read and rows are written in place. */
static void transform_in_place(struct fft *fft)
{
    const struct task *task = fft->task;
    const int me = shmem_my_pe(), npes = shmem_n_pes();
    const struct transform *transform = &task->transform;
    const long n2 = transform->n2;
    number *const *output = fft->there, *const *input = fft->there + npes, *block = fft->work[0];
    const long end = task_column(task, me + 1);
    for (long column = task_column(task, me); column < end; column += WIDTH) {
        const long width = end - column < WIDTH ? end - column : WIDTH;
        for (int pe = 0; pe < npes; pe++) {
            const long first = task_row(task, pe), rows = task_row(task, pe + 1) - first;
            transform_copy(block + first * WIDTH, WIDTH, input[pe] + column, n2, rows, width);
        }
        transform_columns(transform, block);
        for (int i = 1; i <= npes; i++) {
            const int pe = (me + i) % npes;
            const long first = task_row(task, pe), rows = task_row(task, pe + 1) - first;
            transform_twiddle(transform, column, block, first, rows, output[pe] + column, n2, width);
        }
    }
    tell_all(fft, ROWS);
}

static void transform(void *state)
{
    struct fft *fft = state;
    const struct task *task = fft->task;
    fft->rounds++;
    if (fft->columns == NULL)
        transform_in_place(fft);
    else
        transform_by_puts(fft);
    wait_for_all(fft, ROWS);
    transform_rows(task->transform.plan2, fft->output, task->transform.n2,
                   task_row(task, shmem_my_pe() + 1) - task_row(task, shmem_my_pe()));
}

/* Of both matrices of all PEs. False where one of them is out of reach. */
static bool find_pointers(struct fft *fft)
{
    const int npes = shmem_n_pes();
    bool all = true;
    for (int pe = 0; pe < npes; pe++) {
        fft->there[pe] = shmem_ptr(fft->output, pe);
        fft->there[npes + pe] = shmem_ptr(fft->input, pe);
        all = all && fft->there[pe] != NULL && fft->there[npes + pe] != NULL;
    }
    return all;
}

/* The largest share of count things, in rows of so many numbers; FFTW wants 16 bytes of alignment, which a symmetric heap
 * need not give by itself. */
static number *allocate_rows(long count, long length, const char *what)
{
    const long most = app_block_first(count, 1, shmem_n_pes());
    return app_allocate_pages((size_t)most * (size_t)length, sizeof(number), what);
}

static int allocate(struct fft *fft)
{
    const struct task *task = fft->task;
    const long n1 = task->transform.n1, n2 = task->transform.n2;
    fft->work[0] = transform_block(&task->transform);
    fft->work[1] = transform_block(&task->transform);
    fft->there = calloc(2 * (size_t)shmem_n_pes(), sizeof *fft->there);
    if (app_agree(fft->work[0] == NULL || fft->work[1] == NULL || fft->there == NULL) != 0)
        return app_fail("not enough memory for %d columns of %ld numbers", WIDTH, n1);
    if ((fft->arrived = app_allocate(2, sizeof *fft->arrived, "the signals")) == NULL ||
        (fft->input = allocate_rows(n1, n2, "the input")) == NULL ||
        (fft->output = allocate_rows(n1, n2, "the result")) == NULL)
        return 1;
    if (app_agree(!find_pointers(fft) || task->exchange == PUT) == 0)
        return 0;
    return (fft->columns = allocate_rows((n2 + WIDTH - 1) / WIDTH, WIDTH * n1, "the columns")) == NULL;
}

static void release(struct fft *fft)
{
    shmem_free(fft->columns);
    shmem_free(fft->output);
    shmem_free(fft->input);
    shmem_free(fft->arrived);
    free(fft->there);
    fftw_free(fft->work[0]);
    fftw_free(fft->work[1]);
}

/* PE 0 gets all rows of the result. */
static int verify(const struct fft *fft)
{
    const struct task *task = fft->task;
    const int me = shmem_my_pe();
    number *whole = me == 0 ? malloc((size_t)task->size * sizeof *whole) : NULL;
    if (app_agree(me == 0 && whole == NULL) != 0)
        return app_fail("not enough memory to compare with one process");
    shmem_barrier_all();
    for (int pe = 0; me == 0 && pe < shmem_n_pes(); pe++) {
        const long first = task_row(task, pe), rows = task_row(task, pe + 1) - first;
        const long n2 = task->transform.n2;
        shmem_getmem(whole + first * n2, fft->output, (size_t)(rows * n2) * sizeof *whole, pe);
    }
    int status = task_verify(task, whole);
    free(whole);
    return status;
}

static int run_one(struct task *task)
{
    struct fft fft = {.task = task};
    const long first = task_row(task, shmem_my_pe()), end = task_row(task, shmem_my_pe() + 1);
    int status = allocate(&fft);
    for (long row = first; status == 0 && row < end; row++)
        task_input_row(task, row, fft.input + (row - first) * task->transform.n2);
    if (status == 0) {
        task_run(task, transform, &fft);
        status = verify(&fft);
    }
    release(&fft);
    return status;
}

static void transform_mine(void *state)
{
    const struct task *task = state;
    transform_rows(task->plan, task->mine, task->size, task->mine_count);
}

static int run_many(struct task *task)
{
    const long first = app_block_first(task->count, shmem_my_pe(), shmem_n_pes());
    return task_many(task, first, app_block_first(task->count, shmem_my_pe() + 1, shmem_n_pes()) - first,
                     transform_mine);
}

static int run(int argc, char **argv)
{
    struct task task;
    const struct app_option more[] = {
        {"--exchange", APP_CHOICE, &task.exchange, "in place where all PEs are within reach, or by puts", 0,
         0, "auto|put"},
        {.kind = APP_END}};
    int status = task_start(argc, argv, more, &task);
    if (status == APP_RUN)
        status = task.many ? run_many(&task) : run_one(&task);
    task_end(&task);
    return status;
}

int main(int argc, char **argv)
{
    shmem_init();
    int status = run(argc, argv);
    shmem_finalize();
    return status;
}
