/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Heat in a cube of cells with joined sides, spread over PEs in blocks, whose faces are exchanged by
 * strided puts where the library has them. See README.md.
 */
#include "app.h"

#include <math.h>
#include <stdio.h>

#if __has_include(<shmemx.h>)
#include <shmemx.h>
#endif
#ifdef SHMEMX_MAX_DIMS
#define HAS_STRIDED true
#else
#define HAS_STRIDED false
#endif

#define KEPT 0.4 /* of a cell; its six neighbours give a tenth each */

struct settings {
    long size;  /* of the cube, in cells */
    long steps;
    bool rows;  /* one put per run */
};

/* A PE's part of the cube. Cells are numbered from 1; 0 and count + 1 are the halo. */
struct block {
    int grid[3], place[3];  /* the PEs' grid, and mine in it */
    long first[3], count[3];
    long room[3];           /* with the halo, the same on all PEs */
    bool is_idle;           /* no cells: the grid has fewer places than there are PEs */
};

/* Cells between neighbours along each axis. */
static long step_of(const struct block *block, int axis)
{
    return axis == 2 ? 1 : axis == 1 ? block->room[2] : block->room[1] * block->room[2];
}

static long cell(const struct block *block, long x, long y, long z)
{
    return (x * block->room[1] + y) * block->room[2] + z;
}

/* The grid of most PEs that has a cell for each, and among these the most even one, longest along the
 * axis whose faces are contiguous. */
static void make_grid(int npes, long size, int grid[3])
{
    int most = 0, least = 0;
    for (int a = 1; a <= npes && a <= size; a++)
        for (int b = 1; b <= npes / a && b <= size; b++) {
            int c = npes / a / b < size ? npes / a / b : (int)size;
            if (a * b * c < most || (a * b * c == most && a + b + c > least))
                continue;
            most = a * b * c;
            least = a + b + c;
            grid[0] = a;
            grid[1] = b;
            grid[2] = c;
        }
}

static int pe_at(const struct block *block, const int place[3])
{
    return (place[0] * block->grid[1] + place[1]) * block->grid[2] + place[2];
}

static void make_block(struct block *block, long size)
{
    int pe = shmem_my_pe();
    make_grid(shmem_n_pes(), size, block->grid);
    block->is_idle = pe >= block->grid[0] * block->grid[1] * block->grid[2];
    for (int axis = 2; axis >= 0; axis--) {
        int pes = block->grid[axis];
        block->place[axis] = pe % pes;
        pe /= pes;
        block->first[axis] = app_block_first(size, block->place[axis], pes);
        block->count[axis] =
            app_block_first(size, block->place[axis] + 1, pes) - block->first[axis];
        if (block->is_idle)
            block->count[axis] = 0;
        block->room[axis] = (size + pes - 1) / pes + 2;
    }
}

/* The neighbour one up (1) or down (-1) along axis, which may be this PE. */
static int neighbour(const struct block *block, int axis, int way)
{
    int place[3] = {block->place[0], block->place[1], block->place[2]};
    place[axis] = (place[axis] + way + block->grid[axis]) % block->grid[axis];
    return pe_at(block, place);
}

/* How many cells it has along axis. */
static long count_of_neighbour(const struct block *block, long size, int axis, int way)
{
    int pes = block->grid[axis], place = (block->place[axis] + way + pes) % pes;
    return app_block_first(size, place + 1, pes) - app_block_first(size, place, pes);
}

/* The face of dest and source that is normal to axis: its other two axes, the faster one last. */
static void put_face(const struct settings *settings, const struct block *block, int axis,
                     double *dest, const double *source, int pe)
{
    const int slow = axis == 0 ? 1 : 0, fast = axis == 2 ? 1 : 2;
    const ptrdiff_t slow_step = step_of(block, slow), fast_step = step_of(block, fast);
    const size_t run = fast == 2 ? (size_t)block->count[2] : 1;
    const size_t runs = (size_t)block->count[fast] / run;
#ifdef SHMEMX_MAX_DIMS
    if (!settings->rows) {
        const ptrdiff_t strides[] = {fast_step * (ptrdiff_t)sizeof(double),
                                     slow_step * (ptrdiff_t)sizeof(double)};
        const size_t counts[] = {run * sizeof(double), runs, (size_t)block->count[slow]};
        shmemx_putmem_strided_nb(dest, source, strides, strides, counts, 3, pe, NULL);
        return;
    }
#endif
    for (long i = 0; i < block->count[slow]; i++)
        for (size_t k = 0; k < runs; k++) {
            ptrdiff_t at = i * slow_step + (ptrdiff_t)k * fast_step;
            shmem_putmem_nbi(dest + at, source + at, run * sizeof(double), pe);
        }
    (void)settings;
}

/* My faces into my neighbours' halos; the barrier completes them. */
static void exchange(const struct settings *settings, const struct block *block, double *cells)
{
    for (int axis = 0; axis < 3 && !block->is_idle; axis++) {
        const long step = step_of(block, axis), first = cell(block, 1, 1, 1);
        const long below = count_of_neighbour(block, settings->size, axis, -1);
        const double *low = cells + first, *high = low + (block->count[axis] - 1) * step;
        put_face(settings, block, axis, cells + first + below * step, low,
                 neighbour(block, axis, -1));
        put_face(settings, block, axis, cells + first - step, high, neighbour(block, axis, 1));
    }
    shmem_barrier_all();
}

static void sweep(const struct block *block, double *next, const double *cells)
{
    const double given = (1 - KEPT) / 6;
    const long up = step_of(block, 0), right = step_of(block, 1);
    for (long x = 1; x <= block->count[0]; x++)
        for (long y = 1; y <= block->count[1]; y++)
            for (long z = 1; z <= block->count[2]; z++) {
                const double *c = cells + cell(block, x, y, z);
                next[c - cells] = KEPT * c[0] + given * (c[1] + c[-1] + c[right] + c[-right] +
                                                         c[up] + c[-up]);
            }
}

/* The wave before the first step, 1 at its top. */
static double wave(const struct block *block, long size, long x, long y, long z)
{
    const double turn = 2 * acos(-1.0) / (double)size;
    return cos(turn * (double)(block->first[0] + x - 1)) *
           cos(turn * (double)(block->first[1] + y - 1)) *
           cos(turn * (double)(block->first[2] + z - 1));
}

static void start(const struct block *block, long size, double *cells)
{
    for (long x = 1; x <= block->count[0]; x++)
        for (long y = 1; y <= block->count[1]; y++)
            for (long z = 1; z <= block->count[2]; z++)
                cells[cell(block, x, y, z)] = wave(block, size, x, y, z);
}

static double largest_error(const struct block *block, const struct settings *settings,
                            const double *cells)
{
    const double turn = 2 * acos(-1.0) / (double)settings->size;
    const double factor = pow(KEPT + (1 - KEPT) * cos(turn), (double)settings->steps);
    double error = 0;
    for (long x = 1; x <= block->count[0]; x++)
        for (long y = 1; y <= block->count[1]; y++)
            for (long z = 1; z <= block->count[2]; z++) {
                double expected = factor * wave(block, settings->size, x, y, z);
                error = fmax(error, fabs(cells[cell(block, x, y, z)] - expected));
            }
    return app_max_double(error);
}

static int verify(const struct block *block, const struct settings *settings, const double *cells)
{
    const double error = largest_error(block, settings, cells);
    const double allowed = 1e-14 * (double)(settings->steps + 10);
    if (!(error <= allowed))
        return app_fail("a cell is off by %g, more than %g", error, allowed);
    if (shmem_my_pe() == 0)
        printf("halo: verified: no cell of %ld x %ld x %ld is off by more than %.1g\n",
               settings->size, settings->size, settings->size, allowed);
    return 0;
}

static int simulate(const struct settings *settings, const struct block *block, double *both)
{
    const size_t cells = (size_t)(block->room[0] * block->room[1] * block->room[2]);
    double *now = both, *next = both + cells, exchanging = 0;
    start(block, settings->size, now);
    shmem_barrier_all();
    for (long step = 0; step < settings->steps; step++) {
        const double begin = app_seconds();
        exchange(settings, block, now);
        exchanging += app_seconds() - begin;
        sweep(block, next, now);
        double *held = now;
        now = next;
        next = held;
    }
    if (shmem_my_pe() == 0)
        printf("halo: %d x %d x %d PEs, faces as %s: %.1f us per exchange\n", block->grid[0],
               block->grid[1], block->grid[2],
               HAS_STRIDED && !settings->rows ? "strided puts" : "a put per run",
               settings->steps > 0 ? exchanging / (double)settings->steps * 1e6 : 0.0);
    return verify(block, settings, now);
}

static int run(int argc, char **argv)
{
    struct settings settings = {.size = 64, .steps = 50};
    const struct app_option options[] = {
        {"--size", APP_COUNT, &settings.size, "cells of the cube each way", 1, 2000, NULL},
        {"--steps", APP_COUNT, &settings.steps, "of time", 0, 1e6, NULL},
        {.name = "--rows", .kind = APP_FLAG, .value = &settings.rows,
         .help = "one put for each contiguous run"},
        {.kind = APP_END}};
    int status = app_start(argc, argv, "Spreads heat in a cube, in blocks with halos.", options);
    if (status != APP_RUN)
        return status;
    struct block block;
    make_block(&block, settings.size);
    const size_t cells = (size_t)(block.room[0] * block.room[1] * block.room[2]);
    double *both = app_allocate(2 * cells, sizeof(double), "the cube");
    if (both == NULL)
        return 1;
    status = simulate(&settings, &block, both);
    shmem_free(both);
    return status;
}

int main(int argc, char **argv)
{
    shmem_init();
    int status = run(argc, argv);
    shmem_finalize();
    return status;
}
