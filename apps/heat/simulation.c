/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rounds of iterations until the plate has settled, their time, and the picture of the last. The same in
 * every version of the program.
 */
#include "simulation.h"

#include "checkpoint.h"
#include "colour.h"
#include "plain.h"
#include "verdict.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The largest change is only looked at every so many iterations: it takes all PEs. */
#define ITERATIONS_PER_LOOK 10

static const char *const method_names[] = {"jacobi", "gauss-seidel", "sor"};

/* What the rounds work on. */
struct simulation {
    const struct task *task;
    struct plate plate;
    struct result result; /* of the last round */
    double *row;
    bool is_told;    /* the first round has told how it went on */
    bool has_failed; /* a checkpoint: the reason has been printed */
};

/* How far a round is: what a checkpoint needs beside the plate. Variables of a program are symmetric. */
struct round {
    int method, initial; /* of the task: a restart has the same */
    double omega;
    struct result result;
};
static struct round round_now;

/* Every PE makes the rows it holds; or PE 0 hands out what it has read. */
static void fill(const struct simulation *simulation)
{
    const struct plate *plate = &simulation->plate;
    const enum initial initial = (enum initial)simulation->task->initial;
    for (long y = 0; y < plate->height; y++) {
        if (initial == INITIAL_PICTURE) {
            if (plate->part == 0)
                picture_row(&simulation->task->picture, y, simulation->row);
            plate_hand_out(plate, y, simulation->row);
        } else if (plate_owner(plate, y) == plate->part) {
            initial_row(plate, initial, y, simulation->row);
            plate_set_row(plate, y, simulation->row);
        }
    }
}

/* Collective. The round begins, or goes on from a checkpoint. 0, or 1 and the reason is printed. */
static int find_beginning(const struct task *task)
{
    bool restored;
    round_now = (struct round){task->method, task->initial, task->omega, {.change = INFINITY}};
    if (checkpoint_restore(&restored) != 0)
        return 1;
    if (round_now.method != task->method || round_now.initial != task->initial ||
        round_now.omega != task->omega)
        return app_fail("the checkpoint is of another method or plate: give the same options again");
    if (restored)
        app_say("goes on after %llu iterations", (unsigned long long)round_now.result.iterations);
    return 0;
}

static void prepare(void *state)
{
    struct simulation *simulation = state;
    fill(simulation);
    simulation->has_failed = find_beginning(simulation->task) != 0;
}

/* When PE 0 tells how it goes on: when the change has become ten times smaller, and each second. */
struct progress {
    double change, seconds;
};

static void show_progress(struct progress *next, const struct result *result, double seconds)
{
    if (result->change > next->change && seconds < next->seconds)
        return;
    app_say("iteration %6llu, largest change %.1e, %.2f s", (unsigned long long)result->iterations,
            result->change, seconds);
    *next = (struct progress){fmin(next->change, result->change / 10), seconds + 1};
}

/* Iterates until no cell changes by more than the tolerance. */
static void iterate(void *state)
{
    struct simulation *simulation = state;
    const struct task *task = simulation->task;
    const uint64_t limit = (uint64_t)task->iterations;
    struct result *result = &round_now.result;
    struct progress next = {INFINITY, 1};
    const double begin = app_seconds();
    if (result->iterations == 0)
        plate_begin(&simulation->plate);
    while (!simulation->has_failed && result->iterations < limit && result->change > task->tolerance) {
        const double change =
            sweep(&simulation->plate, plate_step, (enum sweep_method)task->method, ++result->iterations);
        if (result->iterations % ITERATIONS_PER_LOOK == 0 || result->iterations == limit) {
            result->change = app_max_double(change);
            if (!simulation->is_told)
                show_progress(&next, result, app_seconds() - begin);
        }
        if (task->checkpoint != NULL && result->iterations % (uint64_t)task->every == 0)
            simulation->has_failed = checkpoint_save(task->checkpoint, "heat") != 0;
    }
    plate_end(&simulation->plate);
    simulation->is_told = true;
    simulation->result = *result;
}

/* Collective. The picture of the result in memory of PE 0's; 0, or 1 on all PEs and the reason is printed.
 */
static int collect(const struct simulation *simulation, struct picture *picture)
{
    const struct task *task = simulation->task;
    const struct plate *plate = &simulation->plate;
    const int grid = sweep_result((enum sweep_method)task->method, simulation->result.iterations);
    *picture = (struct picture){.width = plate->width, .height = plate->height};
    if (plate->part == 0)
        picture->pixel = malloc((size_t)plate->width * (size_t)plate->height * 3);
    if (app_agree(plate->part == 0 && picture->pixel == NULL) != 0)
        return app_fail("%s: not enough memory", task->output);
    for (long y = 0; y < plate->height; y++) {
        plate_collect(plate, grid, y, simulation->row);
        for (long x = 0; plate->part == 0 && x < plate->width; x++)
            colour_of(simulation->row[x], picture->pixel + 3 * (y * plate->width + x));
    }
    return 0;
}

/* Collective. 0, or 1 and the reason is printed. Closes the file, which is open on PE 0. */
static int draw(const struct simulation *simulation, FILE *file)
{
    struct picture picture;
    const char *path = simulation->task->output;
    int status = collect(simulation, &picture);
    if (file == NULL)
        return status;
    char error[1024];
    if (status != 0)
        fclose(file);
    else if (picture_write(file, path, &picture, error, sizeof error) != 0)
        status = app_fail("%s", error);
    else
        app_say("wrote %s (%s, %ld x %ld)", path, picture_format, picture.width, picture.height);
    free(picture.pixel);
    return status;
}

static void report(const struct simulation *simulation)
{
    const struct task *task = simulation->task;
    const struct plate *plate = &simulation->plate;
    const struct result *result = &simulation->result;
    app_report(result->seconds,
               (double)result->iterations * (double)(plate->width - 2) * (double)(plate->height - 2),
               "%s, %ld x %ld, %s after %llu iterations", method_names[task->method], plate->width,
               plate->height, result->change <= task->tolerance ? "settled" : "stopped",
               (unsigned long long)result->iterations);
}

static int simulate(struct simulation *simulation, FILE *output)
{
    const struct task *task = simulation->task;
    simulation->row = malloc((size_t)simulation->plate.width * sizeof *simulation->row);
    if (app_agree(simulation->row == NULL) != 0)
        return app_fail("not enough memory for a row");
    initial_relaxation(&simulation->plate, (enum initial)task->initial, task->omega);
    const double seconds = app_timed_after(prepare, iterate, simulation, task->rounds);
    simulation->result.seconds = seconds;
    if (simulation->has_failed)
        return 1;
    report(simulation);
    int status = verdict(task, &simulation->plate, &simulation->result);
    app_barrier();
    if (status == 0 && task->output != NULL)
        status = draw(simulation, output);
    return app_agree(status);
}

/* On PE 0: everything that can go wrong with files before the work begins. */
static int open_files(struct task *task, FILE **output)
{
    char error[1024];
    if (task->input != NULL) {
        if (picture_read(task->input, &task->picture, error, sizeof error) != 0)
            return app_fail("%s", error);
        if (task->picture.width < 3 || task->picture.height < 3)
            return app_fail("%s: a plate has at least 3 x 3 cells; this picture has %ld x %ld", task->input,
                            task->picture.width, task->picture.height);
    }
    if (task->output != NULL) {
        *output = fopen(task->output, "wb");
        if (*output == NULL)
            return app_fail("%s: cannot be written: %s", task->output, strerror(errno));
    }
    return 0;
}

/* Collective. The shape of PE 0's picture becomes everybody's. */
static void share_shape(struct picture *picture)
{
    picture->width = app_sum_long(app_rank() == 0 ? picture->width : 0);
    picture->height = app_sum_long(app_rank() == 0 ? picture->height : 0);
}

static int run_on_files(struct task *task)
{
    FILE *output = NULL;
    task->picture = (struct picture){.width = task->size, .height = task->size};
    int status = app_agree(app_rank() == 0 ? open_files(task, &output) : 0);
    if (status == 0) {
        share_shape(&task->picture);
        struct simulation simulation = {.task = task};
        if (task->method != SWEEP_SOR)
            task->omega = 1.0;
        else if (task->omega == 0)
            task->omega = sweep_best_omega(task->picture.width, task->picture.height);
        status = plate_create(task->picture.width, task->picture.height, &simulation.plate);
        if (status == 0)
            status = simulate(&simulation, output);
        plate_destroy(&simulation.plate);
        free(simulation.row);
    }
    free(task->picture.pixel);
    return status;
}

int simulation(int argc, char **argv)
{
    struct task task = {
        .method = SWEEP_SOR, .size = 512, .iterations = 100000, .tolerance = 1e-5, .rounds = 1,
        .every = 100};
    const struct app_option options[] = {
        {"--method", APP_CHOICE, &task.method, "how to iterate", 0, 0, "jacobi|gauss-seidel|sor"},
        {"--plate", APP_CHOICE, &task.initial, "what to begin with", 0, 0, "spots|saddle"},
        {"--size", APP_COUNT, &task.size, "cells per side of a generated plate", 3, 16384, NULL},
        {"--iterations", APP_COUNT, &task.iterations, "at most so many", 0, 1e12, NULL},
        {"--tolerance", APP_REAL, &task.tolerance, "stop when no cell changes by more", 0, 1, NULL},
        {"--omega", APP_REAL, &task.omega, "of sor; 0: the best one", 0, 1.999999, NULL},
        {"--rounds", APP_COUNT, &task.rounds, "so many times; the median is told", 1, APP_ROUNDS_MOST,
         NULL},
        {"--checkpoint", APP_TEXT, &task.checkpoint,
         "a folder for checkpoints; oshrun --restart goes on from one", 0, 0, NULL},
        {"--every", APP_COUNT, &task.every, "iterations from one checkpoint to the next", 1, 1e12, NULL},
        {"--input", APP_TEXT, &task.input, "a picture as the initial temperature", 0, 0, NULL},
        {"--output", APP_TEXT, &task.output, "where the picture of the result goes", 0, 0, NULL},
        {.kind = APP_END}};
    char summary[160];
    snprintf(summary, sizeof summary, "Spreads heat over a plate. Pictures are %s; bright is hot.",
             picture_format);
    int status = app_start(argc, argv, summary, options);
    if (status != APP_RUN)
        return status;
    if (task.input != NULL)
        task.initial = INITIAL_PICTURE;
    return run_on_files(&task);
}
