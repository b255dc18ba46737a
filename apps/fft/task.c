/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Options, rounds, and checks.
 */
#include "task.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The largest relative error (root of the sum of squares). */
#define TOLERANCE 1e-12

#define MORE_MOST 4

/* 0, or 1 where there is not enough memory. */
static int make_plans(struct task *task, unsigned effort)
{
    if (!task->many)
        return transform_create(&task->transform, task->size, effort) != 0;
    task->plan = transform_plan(task->size, effort);
    return task->plan == NULL;
}

/* Whether the file may be read, and replaced: it is FFTW's, or not there yet. */
static bool is_wisdom(const char *path)
{
    return fftw_import_wisdom_from_filename(path) != 0 || access(path, F_OK) != 0;
}

/* Collective. PE 0 plans while nobody else computes, and keeps the plans for all others and for the next runs: plans
 * that PEs measure for themselves, all at once, differ from run to run. */
static int share_plans(struct task *task)
{
    const char *path = task->wisdom;
    const bool is_first = app_rank() == 0;
    if (app_agree(is_first && !is_wisdom(path)) != 0)
        return app_fail("--wisdom: %s is no file of FFTW's wisdom", path);
    int status = is_first ? make_plans(task, FFTW_PATIENT) : 0;
    if (app_agree(is_first && status == 0 && fftw_export_wisdom_to_filename(path) == 0) != 0)
        return app_fail("--wisdom: %s cannot be written", path);
    if (!is_first && is_wisdom(path))
        status = make_plans(task, FFTW_PATIENT);
    return app_agree(status) == 0 ? 0 : app_fail("not enough memory for plans of %ld numbers", task->size);
}

static int measure_plans(struct task *task)
{
    const int status = app_agree(make_plans(task, FFTW_MEASURE));
    return status == 0 ? 0 : app_fail("not enough memory for plans of %ld numbers", task->size);
}

int task_start(int argc, char **argv, const struct app_option *more, struct task *task)
{
    *task = (struct task){.size = 1L << 20, .count = 1, .rounds = 5};
    struct app_option options[5 + MORE_MOST] = {
        {"--size", APP_COUNT, &task->size, "numbers of a transform", 1, 1L << 30, NULL},
        {"--many", APP_COUNT, &task->count, "transforms, each by one PE; 1: one by all PEs", 1, 1e9, NULL},
        {"--rounds", APP_COUNT, &task->rounds, "of which the median is told", 1, APP_ROUNDS_MOST, NULL},
        {"--wisdom", APP_TEXT, &task->wisdom, "where FFTW's plans are kept from one run to the next", 0, 0, NULL}};
    int used = 4;
    for (; more != NULL && more->kind != APP_END; more++)
        options[used++] = *more;
    options[used].kind = APP_END;
    int status = app_start(argc, argv, "Transforms complex numbers (discrete Fourier transform).", options);
    if (status != APP_RUN)
        return status;
    task->many = task->count > 1;
    status = task->wisdom != NULL ? share_plans(task) : measure_plans(task);
    return status == 0 ? APP_RUN : status;
}

void task_end(struct task *task)
{
    if (task->plan != NULL)
        fftw_destroy_plan(task->plan);
    fftw_free(task->mine);
    if (task->transform.n > 0)
        transform_destroy(&task->transform);
}

void task_input_row(const struct task *task, long i1, number *row)
{
    for (long i2 = 0; i2 < task->transform.n2; i2++)
        row[i2] = transform_input(0, i1 * task->transform.n2 + i2);
}

/* As usual for transforms, whatever a program does. */
static double operations(const struct task *task)
{
    return 5.0 * (double)task->count * (double)task->size * log2((double)task->size);
}

void task_run(struct task *task, void (*work)(void *state), void *state)
{
    const double seconds = app_timed(work, state, task->rounds);
    app_report(seconds, operations(task), "%ld = %ld x %ld numbers", task->transform.n, task->transform.n1,
               task->transform.n2);
}

struct error {
    double off, all; /* sums of squares */
};

static void add_error(struct error *error, number found, number expected)
{
    const number off = found - expected;
    error->off += creal(off) * creal(off) + cimag(off) * cimag(off);
    error->all += creal(expected) * creal(expected) + cimag(expected) * cimag(expected);
}

/* That it is a number, too. */
static bool is_small(double error)
{
    return error < TOLERANCE;
}

/* On PE 0, which transforms everything alone. Negative: no memory. */
static double compare(const struct task *task, const number *whole)
{
    const struct transform *transform = &task->transform;
    struct error error = {0, 0};
    number *alone = fftw_malloc((size_t)transform->n * sizeof *alone);
    fftw_plan plan = NULL;
    if (alone != NULL)
        plan = fftw_plan_dft_1d((int)transform->n, alone, alone, FFTW_FORWARD, FFTW_ESTIMATE);
    if (plan == NULL) {
        fftw_free(alone);
        return -1;
    }
    for (long j = 0; j < transform->n; j++)
        alone[j] = transform_input(0, j);
    fftw_execute(plan);
    for (long k1 = 0; k1 < transform->n1; k1++)
        for (long k2 = 0; k2 < transform->n2; k2++)
            add_error(&error, whole[k1 * transform->n2 + k2], alone[k1 + transform->n1 * k2]);
    fftw_destroy_plan(plan);
    fftw_free(alone);
    return sqrt(error.off / error.all);
}

int task_verify(const struct task *task, const number *whole)
{
    const double error = app_rank() == 0 ? compare(task, whole) : 0;
    if (app_agree(error < 0) != 0)
        return app_fail("not enough memory to compare with one process");
    if (app_agree(!is_small(error)) != 0)
        return app_fail("the result is off by %.3g of that of one process; %g is allowed", error,
                        TOLERANCE);
    app_say("verified: the result is off by %.2g of that of one process", error);
    return 0;
}

static void fill(void *state)
{
    struct task *task = state;
#ifdef _OPENMP /* a thread touches what lies near it first */
#pragma omp parallel for schedule(static)
#endif
    for (long t = 0; t < task->mine_count; t++)
        for (long j = 0; j < task->size; j++)
            task->mine[t * task->size + j] = transform_input(task->first + t, j);
}

/* Transforms back, and compares with what was transformed. */
static double compare_back(struct task *task)
{
    double worst = 0;
    fftw_plan back = fftw_plan_dft_1d((int)task->size, task->mine, task->mine, FFTW_BACKWARD,
                                      FFTW_ESTIMATE);
    if (back == NULL)
        return HUGE_VAL;
    for (long t = 0; t < task->mine_count; t++) {
        number *row = task->mine + t * task->size;
        struct error error = {0, 0};
        fftw_execute_dft(back, row, row);
        for (long j = 0; j < task->size; j++)
            add_error(&error, row[j] / (double)task->size, transform_input(task->first + t, j));
        const double here = sqrt(error.off / error.all);
        worst = here <= worst ? worst : here;
    }
    fftw_destroy_plan(back);
    return worst;
}

int task_many(struct task *task, long first, long count, void (*work)(void *state))
{
    task->first = first;
    task->mine_count = count;
    task->mine = fftw_malloc(((size_t)count * (size_t)task->size + 1) * sizeof *task->mine);
    if (app_agree(task->mine == NULL) != 0)
        return app_fail("not enough memory for %ld transforms of %ld numbers", task->count, task->size);
    const double seconds = app_timed_after(fill, work, task, task->rounds);
    app_report(seconds, operations(task), "%ld transforms of %ld numbers", task->count, task->size);
    const double error = app_max_double(compare_back(task));
    if (!is_small(error))
        return app_fail("transformed back, a transform is off by %.3g; %g is allowed", error, TOLERANCE);
    app_say("verified: transformed back, each is off by at most %.2g", error);
    return 0;
}
