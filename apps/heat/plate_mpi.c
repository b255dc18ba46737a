/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The plate over the ranks of MPI: rows at the edge of a block travel by MPI_Isend to MPI_Irecvs that stand
 * before, while the rows inside are updated.
 */
#include "plain.h"
#include "plate.h"

#include <mpi.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum tag { TAG_EDGE, TAG_ROW };

/* Of the edges under way: two to receive, two to send. */
static MPI_Request requests[4];
static MPI_Status statuses[4];

int plate_create(long width, long height, struct plate *plate)
{
    *plate = plate_shape(width, height, app_rank(), app_workers());
    const size_t most = (size_t)plate_rows_most(plate) * (size_t)width;
    plate->grid[0] = calloc(most, sizeof(double));
    plate->grid[1] = calloc(most, sizeof(double));
    plate->relax = calloc(most, sizeof(double));
    plate->halo = calloc(4 * (size_t)width, sizeof(double));
    bool lacks = !plate->grid[0] || !plate->grid[1] || !plate->relax || !plate->halo;
    if (app_agree(lacks) != 0)
        return app_fail("not enough memory for a plate of %ld x %ld", width, height);
    return 0;
}

void plate_destroy(struct plate *plate)
{
    plate_destroy_alone(plate);
}

void plate_hand_out(const struct plate *plate, long row, double *temperature)
{
    const int owner = plate_owner(plate, row);
    if (plate->part == 0 && owner != 0)
        MPI_Send(temperature, (int)plate->width, MPI_DOUBLE, owner, TAG_ROW, MPI_COMM_WORLD);
    if (plate->part != owner)
        return;
    if (owner != 0)
        MPI_Recv(temperature, (int)plate->width, MPI_DOUBLE, 0, TAG_ROW, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    plate_set_row(plate, row, temperature);
}

void plate_collect(const struct plate *plate, int grid, long row, double *temperature)
{
    const int owner = plate_owner(plate, row);
    const double *place = plate_place(plate, grid, 0, row);
    if (plate->part == owner && owner != 0)
        MPI_Send(place, (int)plate->width, MPI_DOUBLE, 0, TAG_ROW, MPI_COMM_WORLD);
    if (plate->part != 0)
        return;
    if (owner == 0)
        memcpy(temperature, place, (size_t)plate->width * sizeof *temperature);
    else
        MPI_Recv(temperature, (int)plate->width, MPI_DOUBLE, owner, TAG_ROW, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

/* The edges of a step set out, and places for those of the neighbours stand ready. */
static void exchange_edges(const struct plate *plate, int grid, uint64_t step)
{
    for (int side = PLATE_ABOVE; side <= PLATE_BELOW; side++) {
        const int rank = plate->neighbour[side] < 0 ? MPI_PROC_NULL : plate->neighbour[side];
        const long row = side == PLATE_ABOVE ? 0 : plate->rows - 1;
        MPI_Irecv(plate_halo(plate, (int)(step % 2), (enum plate_side)side), (int)plate->width, MPI_DOUBLE,
                  rank, TAG_EDGE, MPI_COMM_WORLD, &requests[side]);
        MPI_Isend(plate->grid[grid] + row * plate->width, (int)plate->width, MPI_DOUBLE, rank, TAG_EDGE,
                  MPI_COMM_WORLD, &requests[2 + side]);
    }
}

static void complete_edges(void)
{
    MPI_Waitall(4, requests, statuses);
}

void plate_begin(const struct plate *plate)
{
    if (plate->rows > 0)
        exchange_edges(plate, 0, 0);
}

double plate_step(const struct plate *plate, plate_update *update, int to, uint64_t step)
{
    double largest = 0;
    if (plate->rows == 0)
        return largest;
    for (long row = 1; row < plate->rows - 1; row++)
        largest = fmax(largest, update(plate, step, row));
    complete_edges();
    largest = fmax(largest, update(plate, step, 0));
    if (plate->rows > 1)
        largest = fmax(largest, update(plate, step, plate->rows - 1));
    exchange_edges(plate, to, step);
    return largest;
}

void plate_end(const struct plate *plate)
{
    if (plate->rows > 0)
        complete_edges();
}
