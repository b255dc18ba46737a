/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How heat spreads over a plate whose edges, and in places whose inside, are held at a fixed
 * temperature: Laplace's equation by Jacobi, Gauss-Seidel or successive over-relaxation. Draws
 * the result. See README.md.
 */
#include "app.h"
#include "colour.h"
#include "picture.h"
#include "plate.h"
#include "sweep.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLATE_SPOTS, PLATE_SADDLE };

/* The largest change is only looked at every so many iterations: it takes all PEs. */
#define ITERATIONS_PER_LOOK 10

struct settings {
    int method;
    int kind;
    long size;
    long iterations;
    double tolerance;
    double omega; /* 0: the best one */
    const char *input;
    const char *output;
};

struct result {
    uint64_t iterations;
    double change;
    double seconds;
};

/* What is drawn when no picture is given: places that are held at a temperature, in units of the
 * plate's side. */
static const struct spot {
    double x, y, radius, temperature;
} spots[] = {{0.30, 0.32, 0.110, 1.00}, {0.72, 0.24, 0.055, 0.75}, {0.66, 0.66, 0.130, 0.95},
             {0.22, 0.74, 0.070, 0.60}, {0.49, 0.47, 0.045, 0.00}, {0.87, 0.46, 0.035, 1.00},
             {0.42, 0.88, 0.040, 0.85}, {0.90, 0.88, 0.060, 0.00}};

static const struct spot *spot_at(const struct plate *plate, long x, long y)
{
    const double u = (double)x / (double)(plate->width - 1);
    const double v = (double)y / (double)(plate->height - 1);
    for (size_t i = 0; i < sizeof spots / sizeof spots[0]; i++)
        if (hypot(u - spots[i].x, v - spots[i].y) <= spots[i].radius)
            return &spots[i];
    return NULL;
}

static bool is_edge(const struct plate *plate, long x, long y)
{
    return x == 0 || y == 0 || x == plate->width - 1 || y == plate->height - 1;
}

/* x^2 - y^2 solves Laplace's equation, on a grid too, exactly. */
static double saddle(const struct plate *plate, long x, long y)
{
    const double u = 2 * (double)x / (double)(plate->width - 1) - 1;
    const double v = 2 * (double)y / (double)(plate->height - 1) - 1;
    return 0.5 + 0.5 * (u * u - v * v);
}

static double initial_temperature(const struct plate *plate, int kind, long x, long y)
{
    if (kind == PLATE_SADDLE)
        return is_edge(plate, x, y) ? saddle(plate, x, y) : 0.5;
    const struct spot *spot = spot_at(plate, x, y);
    return spot != NULL ? spot->temperature : 0.1;
}

/* Each PE makes the rows it holds. */
static void generate(const struct plate *plate, int kind, double *row)
{
    for (long y = 0; y < plate->height; y++) {
        if (plate_owner(plate, y) != shmem_my_pe())
            continue;
        for (long x = 0; x < plate->width; x++)
            row[x] = initial_temperature(plate, kind, x, y);
        plate_put_row(plate, y, row);
    }
}

/* PE 0 hands out what it has read. */
static void hand_out(const struct plate *plate, const struct picture *picture, double *row)
{
    for (long y = 0; y < plate->height; y++) {
        for (long x = 0; x < plate->width; x++)
            row[x] = picture->pixel[y * plate->width + x] / 255.0;
        plate_put_row(plate, y, row);
    }
}

static void set_relaxation(const struct settings *settings, const struct plate *plate)
{
    double omega = 1.0;
    if (settings->method == SWEEP_SOR)
        omega = settings->omega > 0 ? settings->omega
                                    : sweep_best_omega(plate->width, plate->height);
    const bool has_spots = settings->input == NULL && settings->kind == PLATE_SPOTS;
    for (long y = 0; y < plate->rows; y++)
        for (long x = 1; x < plate->width - 1; x++)
            if (!has_spots || spot_at(plate, x, plate->first + y) == NULL)
                plate->relax[y * plate->width + x] = omega;
}

static void show_progress(const struct result *result)
{
    printf("heat: iteration %6llu, largest change %.1e, %.2f s\n",
           (unsigned long long)result->iterations, result->change, result->seconds);
    fflush(stdout);
}

/* Iterates until no cell changes by more than the tolerance. PE 0 prints a line each time that
 * the change has become ten times smaller, and each second. */
static struct result iterate(const struct settings *settings, const struct plate *plate)
{
    struct result result = {.change = INFINITY};
    const uint64_t limit = (uint64_t)settings->iterations;
    const double begin = app_seconds();
    double next_change = INFINITY, next_second = 1;
    sweep_begin(plate);
    while (result.iterations < limit && result.change > settings->tolerance) {
        const double change = sweep(plate, (enum sweep_method)settings->method,
                                    ++result.iterations);
        if (result.iterations % ITERATIONS_PER_LOOK != 0 && result.iterations != limit)
            continue;
        result.change = app_max_double(change);
        result.seconds = app_seconds() - begin;
        if (shmem_my_pe() == 0 &&
            (result.change <= next_change || result.seconds >= next_second)) {
            show_progress(&result);
            next_change = fmin(next_change, result.change / 10);
            next_second = result.seconds + 1;
        }
    }
    shmem_barrier_all();
    return result;
}

/* Without over-relaxation no cell leaves the range of the initial temperatures, 0..1. The saddle's
 * cells are known: they are off by the last change times what is still to come, which for the
 * slowest method is about a fifth of the squared side. */
static int verify(const struct settings *settings, const struct plate *plate,
                  const struct result *result)
{
    const double slack = settings->method == SWEEP_SOR ? 1.0 : 1e-9;
    const double *cell = plate->grid[sweep_result((enum sweep_method)settings->method,
                                                  result->iterations)];
    const bool is_known = settings->input == NULL && settings->kind == PLATE_SADDLE;
    bool in_range = true;
    double error = 0;
    for (long y = 0; y < plate->rows; y++)
        for (long x = 0; x < plate->width; x++) {
            const double value = cell[y * plate->width + x];
            if (!(value >= -slack && value <= 1 + slack))
                in_range = false;
            if (is_known)
                error = fmax(error, fabs(value - saddle(plate, x, plate->first + y)));
        }
    if (app_agree(!in_range) != 0)
        return app_fail("a temperature has left the range of the initial ones");
    error = app_max_double(error);
    if (!is_known)
        return 0;
    if (shmem_my_pe() == 0)
        printf("heat: off by at most %.1e from the exact solution\n", error);
    const double side = (double)(plate->width > plate->height ? plate->width : plate->height);
    if (result->change <= settings->tolerance && !(error <= settings->tolerance * side * side + 1e-12))
        return app_fail("the plate has settled on something else than the solution");
    return 0;
}

/* On PE 0. 0, or 1 and the reason is printed. */
static int draw(const struct plate *plate, int grid, FILE *file, const char *path, double *row)
{
    struct picture picture = {.width = plate->width, .height = plate->height};
    picture.pixel = malloc((size_t)plate->width * (size_t)plate->height * 3);
    if (picture.pixel == NULL) {
        fclose(file);
        return app_fail("%s: not enough memory", path);
    }
    for (long y = 0; y < plate->height; y++) {
        plate_get_row(plate, grid, y, row);
        for (long x = 0; x < plate->width; x++)
            colour_of(row[x], picture.pixel + 3 * (y * plate->width + x));
    }
    char error[1024];
    int status = 0;
    if (picture_write(file, path, &picture, error, sizeof error) != 0)
        status = app_fail("%s", error);
    else
        printf("heat: wrote %s (%s, %ld x %ld)\n", path, picture_format, plate->width,
               plate->height);
    free(picture.pixel);
    return status;
}

static int simulate(const struct settings *settings, const struct plate *plate,
                    const struct picture *picture, FILE *output)
{
    double *row = malloc((size_t)plate->width * sizeof *row);
    if (app_agree(row == NULL) != 0) {
        free(row);
        return app_fail("not enough memory for a row");
    }
    if (settings->input == NULL)
        generate(plate, settings->kind, row);
    else if (shmem_my_pe() == 0)
        hand_out(plate, picture, row);
    set_relaxation(settings, plate);
    shmem_barrier_all();

    const struct result result = iterate(settings, plate);
    if (shmem_my_pe() == 0)
        printf("heat: %s after %llu iterations: %.3f s on %d PEs, %.1f million cells per second\n",
               result.change <= settings->tolerance ? "settled" : "stopped",
               (unsigned long long)result.iterations, result.seconds, shmem_n_pes(),
               result.seconds > 0 ? (double)result.iterations * (double)(plate->width - 2) *
                                        (double)(plate->height - 2) / result.seconds / 1e6
                                  : 0.0);
    int status = verify(settings, plate, &result);
    if (status == 0 && output != NULL)
        status = draw(plate, sweep_result((enum sweep_method)settings->method, result.iterations),
                      output, settings->output, row);
    free(row);
    return app_agree(status);
}

/* On PE 0: everything that can go wrong with files before the work begins. */
static int open_files(const struct settings *settings, struct picture *picture, FILE **output)
{
    char error[1024];
    if (settings->input != NULL) {
        if (picture_read(settings->input, picture, error, sizeof error) != 0)
            return app_fail("%s", error);
        if (picture->width < 3 || picture->height < 3)
            return app_fail("%s: a plate has at least 3 x 3 cells; this picture has %ld x %ld",
                            settings->input, picture->width, picture->height);
    }
    if (settings->output != NULL) {
        *output = fopen(settings->output, "wb");
        if (*output == NULL)
            return app_fail("%s: cannot be written: %s", settings->output, strerror(errno));
    }
    return 0;
}

static int run_on_files(const struct settings *settings)
{
    struct picture picture = {.width = settings->size, .height = settings->size};
    FILE *output = NULL;
    int status = app_agree(shmem_my_pe() == 0 ? open_files(settings, &picture, &output) : 0);
    if (status == 0) {
        long shape[2] = {picture.width, picture.height};
        app_share(shape, sizeof shape);
        struct plate plate;
        status = plate_create(shape[0], shape[1], &plate);
        if (status == 0)
            status = simulate(settings, &plate, &picture, output);
        plate_destroy(&plate);
    }
    free(picture.pixel);
    return status;
}

static int run(int argc, char **argv)
{
    struct settings settings = {
        .method = SWEEP_SOR, .size = 512, .iterations = 100000, .tolerance = 1e-5};
    const struct app_option options[] = {
        {"--method", APP_CHOICE, &settings.method, "how to iterate", 0, 0,
         "jacobi|gauss-seidel|sor"},
        {"--plate", APP_CHOICE, &settings.kind, "what to begin with", 0, 0, "spots|saddle"},
        {"--size", APP_COUNT, &settings.size, "cells per side of a generated plate", 3, 16384,
         NULL},
        {"--iterations", APP_COUNT, &settings.iterations, "at most so many", 0, 1e12, NULL},
        {"--tolerance", APP_REAL, &settings.tolerance, "stop when no cell changes by more", 0, 1,
         NULL},
        {"--omega", APP_REAL, &settings.omega, "of sor; 0: the best one", 0, 1.999999, NULL},
        {"--input", APP_TEXT, &settings.input, "a picture as the initial temperature", 0, 0, NULL},
        {"--output", APP_TEXT, &settings.output, "where the picture of the result goes", 0, 0,
         NULL},
        {.kind = APP_END}};
    char summary[160];
    snprintf(summary, sizeof summary,
             "Spreads heat over a plate. Pictures are %s; bright is hot.", picture_format);
    int status = app_start(argc, argv, summary, options);
    if (status != APP_RUN)
        return status;
    return run_on_files(&settings);
}

int main(int argc, char **argv)
{
    shmem_init();
    int status = run(argc, argv);
    shmem_finalize();
    return status;
}
