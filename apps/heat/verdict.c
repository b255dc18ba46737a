/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The checks: the range of temperatures, the exact solution where there is one, and every bit of the plate
 * as PE 0 alone computes it again, where that does not take too long.
 */
#include "verdict.h"

#include "plain.h"

#include <math.h>
#include <stdlib.h>

/* Updates of cells up to which PE 0 computes all again: half a second to a second of a processor of 2.1
 * GHz. */
#define UPDATES_MOST ((double)(1L << 29))

static const double *result_of(const struct task *task, const struct plate *plate,
                               const struct result *result)
{
    return plate->grid[sweep_result((enum sweep_method)task->method, result->iterations)];
}

/* A sum over all cells of scrambled values and places: the same however rows are spread. */
static uint64_t fingerprint(const struct plate *plate, const double *cell)
{
    uint64_t sum = 0;
    for (long y = 0; y < plate->rows; y++)
        for (long x = 0; x < plate->width; x++) {
            union {
                double value;
                uint64_t bits;
            } in = {cell[y * plate->width + x]};
            uint64_t state = in.bits ^ (uint64_t)((plate->first + y) * plate->width + x) << 20;
            sum += app_random(&state);
        }
    return sum;
}

/* Without over-relaxation no cell leaves the range of the initial temperatures, 0..1. */
static bool is_in_range(const struct task *task, const struct plate *plate, const double *cell)
{
    const double slack = task->method == SWEEP_SOR ? 1.0 : 1e-9;
    for (long i = 0; i < plate->rows * plate->width; i++)
        if (!(cell[i] >= -slack && cell[i] <= 1 + slack))
            return false;
    return true;
}

/* Collective. The saddle's cells are known: they are off by the last change times what is still to come,
 * which for the slowest method is about a fifth of the squared side. */
static int compare_with_saddle(const struct task *task, const struct plate *plate,
                               const struct result *result, const double *cell)
{
    double error = 0;
    for (long y = 0; y < plate->rows; y++)
        for (long x = 0; x < plate->width; x++)
            error =
                fmax(error, fabs(cell[y * plate->width + x] - initial_saddle(plate, x, plate->first + y)));
    error = app_max_double(error);
    app_say("off by at most %.1e from the exact solution", error);
    const double side = (double)(plate->width > plate->height ? plate->width : plate->height);
    if (result->change <= task->tolerance && !(error <= task->tolerance * side * side + 1e-12))
        return app_fail("the plate has settled on something else than the solution");
    return 0;
}

static void fill(const struct task *task, const struct plate *plate, double *row)
{
    for (long y = 0; y < plate->height; y++) {
        if (task->initial == INITIAL_PICTURE)
            picture_row(&task->picture, y, row);
        else
            initial_row(plate, (enum initial)task->initial, y, row);
        plate_set_row(plate, y, row);
    }
}

/* The fingerprint of the same computation by one process, in *wanted. 0, or -1 without memory. */
static int compute_again(const struct task *task, const struct plate *plate, const struct result *result,
                         uint64_t *wanted)
{
    struct plate whole;
    double *row = malloc((size_t)plate->width * sizeof *row);
    if (row == NULL || plate_create_alone(plate->width, plate->height, &whole) != 0) {
        free(row);
        return -1;
    }
    fill(task, &whole, row);
    initial_relaxation(&whole, (enum initial)task->initial, task->omega);
    for (uint64_t i = 1; i <= result->iterations; i++)
        sweep(&whole, plate_step_alone, (enum sweep_method)task->method, i);
    *wanted = fingerprint(&whole, result_of(task, &whole, result));
    plate_destroy_alone(&whole);
    free(row);
    return 0;
}

int verdict(const struct task *task, const struct plate *plate, const struct result *result)
{
    const double *cell = result_of(task, plate, result);
    const bool small =
        (double)result->iterations * (double)plate->width * (double)plate->height <= UPDATES_MOST;
    if (app_agree(!is_in_range(task, plate, cell)) != 0)
        return app_fail("a temperature has left the range of the initial ones");
    if (task->initial == INITIAL_SADDLE && compare_with_saddle(task, plate, result, cell) != 0)
        return 1;
    const uint64_t found = app_sum_uint64(fingerprint(plate, cell));
    uint64_t wanted = found;
    if (app_agree(small && app_rank() == 0 && compute_again(task, plate, result, &wanted) != 0) != 0)
        return app_fail("not enough memory to check the plate");
    if (app_agree(wanted != found) != 0)
        return app_fail(
            "the plate is not what one process computes: fingerprint %016llx, should be %016llx",
            (unsigned long long)found, (unsigned long long)wanted);
    app_say("verified: %s; fingerprint %016llx",
            small ? "every cell as one process computes it" : "temperatures in range",
            (unsigned long long)found);
    return 0;
}
