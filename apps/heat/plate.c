/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Who holds which rows, and where. Knows no library.
 */
#include "plate.h"

#include "plain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The first of a part's rows, counted in the whole plate. */
static long first_row(const struct plate *plate, int part)
{
    return 1 + app_block_first(plate->height - 2, part, plate->parts);
}

static int active_parts(const struct plate *plate)
{
    const long inner = plate->height - 2;
    return inner < plate->parts ? (int)inner : plate->parts;
}

struct plate plate_shape(long width, long height, int part, int parts)
{
    struct plate plate = {
        .width = width, .height = height, .part = part, .parts = parts, .neighbour = {-1, -1}};
    plate.first = first_row(&plate, part);
    plate.rows = first_row(&plate, part + 1) - plate.first;
    if (plate.rows > 0 && part > 0)
        plate.neighbour[PLATE_ABOVE] = part - 1;
    if (plate.rows > 0 && part + 1 < active_parts(&plate))
        plate.neighbour[PLATE_BELOW] = part + 1;
    return plate;
}

long plate_rows_most(const struct plate *plate)
{
    return (plate->height - 2 + plate->parts - 1) / plate->parts;
}

int plate_create_alone(long width, long height, struct plate *plate)
{
    *plate = plate_shape(width, height, 0, 1);
    const size_t cells = (size_t)plate->rows * (size_t)width;
    plate->grid[0] = calloc(cells, sizeof(double));
    plate->grid[1] = calloc(cells, sizeof(double));
    plate->relax = calloc(cells, sizeof(double));
    plate->halo = calloc(4 * (size_t)width, sizeof(double));
    if (plate->grid[0] != NULL && plate->grid[1] != NULL && plate->relax != NULL && plate->halo != NULL)
        return 0;
    plate_destroy_alone(plate);
    return -1;
}

void plate_destroy_alone(struct plate *plate)
{
    free(plate->grid[0]);
    free(plate->grid[1]);
    free(plate->relax);
    free(plate->halo);
    *plate = (struct plate){0};
}

int plate_owner(const struct plate *plate, long row)
{
    const long inner = plate->height - 2;
    if (row <= 1)
        return 0;
    if (row >= inner)
        return active_parts(plate) - 1;
    int part = (int)((row - 1) * plate->parts / inner); /* right, or one or two off */
    part = part < plate->parts ? part : plate->parts - 1;
    while (part > 0 && first_row(plate, part) > row)
        part--;
    while (first_row(plate, part + 1) <= row)
        part++;
    return part;
}

double *plate_halo(const struct plate *plate, int parity, enum plate_side side)
{
    return plate->halo + (2 * parity + (int)side) * plate->width;
}

double *plate_place(const struct plate *plate, int grid, int parity, long row)
{
    if (row == 0)
        return plate_halo(plate, parity, PLATE_ABOVE);
    if (row == plate->height - 1)
        return plate_halo(plate, parity, PLATE_BELOW);
    return plate->grid[grid] + (row - first_row(plate, plate_owner(plate, row))) * plate->width;
}

void plate_set_row(const struct plate *plate, long row, const double *temperature)
{
    for (int i = 0; i < 2; i++)
        memcpy(plate_place(plate, i, i, row), temperature, (size_t)plate->width * sizeof *temperature);
}

double plate_step_alone(const struct plate *plate, plate_update *update, int to, uint64_t step)
{
    double largest = 0;
    (void)to;
    for (long row = 0; row < plate->rows; row++)
        largest = fmax(largest, update(plate, step, row));
    return largest;
}
