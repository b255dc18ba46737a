/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The plate in one process, whose threads share the rows of each step.
 */
#include "plain.h"
#include "plate.h"

#include <string.h>

/* A thread touches first the rows that it will update, so that they lie near it. */
static void touch(const struct plate *plate)
{
    const size_t bytes = (size_t)plate->width * sizeof(double);
#pragma omp parallel for schedule(static)
    for (long row = 0; row < plate->rows; row++) {
        memset(plate->grid[0] + row * plate->width, 0, bytes);
        memset(plate->grid[1] + row * plate->width, 0, bytes);
        memset(plate->relax + row * plate->width, 0, bytes);
    }
}

int plate_create(long width, long height, struct plate *plate)
{
    if (plate_create_alone(width, height, plate) != 0)
        return app_fail("not enough memory for a plate of %ld x %ld", width, height);
    touch(plate);
    return 0;
}

void plate_destroy(struct plate *plate)
{
    plate_destroy_alone(plate);
}

void plate_hand_out(const struct plate *plate, long row, double *temperature)
{
    plate_set_row(plate, row, temperature);
}

void plate_collect(const struct plate *plate, int grid, long row, double *temperature)
{
    memcpy(temperature, plate_place(plate, grid, 0, row), (size_t)plate->width * sizeof *temperature);
}

void plate_begin(const struct plate *plate)
{
    (void)plate;
}

double plate_step(const struct plate *plate, plate_update *update, int to, uint64_t step)
{
    double largest = 0;
    (void)to;
#pragma omp parallel for schedule(static) reduction(max : largest)
    for (long row = 0; row < plate->rows; row++) {
        const double change = update(plate, step, row);
        largest = change > largest ? change : largest;
    }
    return largest;
}

void plate_end(const struct plate *plate)
{
    (void)plate;
}
