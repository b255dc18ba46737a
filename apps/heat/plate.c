/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Who holds which rows, and how they come and go.
 */
#include "plate.h"

#include "app.h"

#include <stdlib.h>
#include <string.h>

static int active_pes(const struct plate *plate)
{
    const long inner = plate->height - 2;
    return inner < shmem_n_pes() ? (int)inner : shmem_n_pes();
}

/* The first of a PE's rows, counted in the whole plate. */
static long first_row(const struct plate *plate, int pe)
{
    return 1 + app_block_first(plate->height - 2, pe, shmem_n_pes());
}

int plate_create(long width, long height, struct plate *plate)
{
    const int me = shmem_my_pe(), npes = shmem_n_pes();
    *plate = (struct plate){.width = width, .height = height, .neighbour = {-1, -1}};
    plate->first = first_row(plate, me);
    plate->rows = first_row(plate, me + 1) - plate->first;
    if (plate->rows > 0 && me > 0)
        plate->neighbour[PLATE_ABOVE] = me - 1;
    if (plate->rows > 0 && me + 1 < active_pes(plate))
        plate->neighbour[PLATE_BELOW] = me + 1;

    const size_t most = (size_t)((height - 2 + npes - 1) / npes) * (size_t)width;
    for (int i = 0; i < 2; i++) {
        plate->grid[i] = app_allocate(most, sizeof(double), "the plate");
        if (plate->grid[i] == NULL)
            return 1;
    }
    plate->halo = app_allocate(4 * (size_t)width, sizeof(double), "the plate's halo");
    if (plate->halo == NULL)
        return 1;
    plate->arrived = app_allocate(4, sizeof(uint64_t), "the plate's signals");
    if (plate->arrived == NULL)
        return 1;
    plate->relax = calloc(most, sizeof(double));
    if (app_agree(plate->relax == NULL) != 0)
        return app_fail("not enough memory for a plate of %ld x %ld", width, height);
    return 0;
}

void plate_destroy(struct plate *plate)
{
    void *const symmetric[] = {plate->arrived, plate->halo, plate->grid[1], plate->grid[0]};
    for (int i = 0; i < 4; i++)
        if (symmetric[i] != NULL)
            shmem_free(symmetric[i]);
    free(plate->relax);
}

int plate_owner(const struct plate *plate, long row)
{
    const long inner = plate->height - 2, npes = shmem_n_pes();
    if (row <= 1)
        return 0;
    if (row >= inner)
        return active_pes(plate) - 1;
    int pe = (int)((row - 1) * npes / inner); /* right, or one or two off */
    pe = pe < npes ? pe : (int)npes - 1;
    while (pe > 0 && first_row(plate, pe) > row)
        pe--;
    while (first_row(plate, pe + 1) <= row)
        pe++;
    return pe;
}

double *plate_halo(const struct plate *plate, int parity, enum plate_side side)
{
    return plate->halo + (2 * parity + (int)side) * plate->width;
}

void plate_put_row(const struct plate *plate, long row, const double *temperature)
{
    const int owner = plate_owner(plate, row);
    const size_t width = (size_t)plate->width;
    for (int i = 0; i < 2; i++) {
        double *dest;
        if (row == 0)
            dest = plate_halo(plate, i, PLATE_ABOVE);
        else if (row == plate->height - 1)
            dest = plate_halo(plate, i, PLATE_BELOW);
        else
            dest = plate->grid[i] + (row - first_row(plate, owner)) * plate->width;
        shmem_double_put(dest, temperature, width, owner);
    }
}

void plate_get_row(const struct plate *plate, int grid, long row, double *temperature)
{
    const int owner = plate_owner(plate, row);
    const double *source;
    if (row == 0)
        source = plate_halo(plate, 0, PLATE_ABOVE);
    else if (row == plate->height - 1)
        source = plate_halo(plate, 0, PLATE_BELOW);
    else
        source = plate->grid[grid] + (row - first_row(plate, owner)) * plate->width;
    shmem_double_get(temperature, source, (size_t)plate->width, owner);
}

/* My first row becomes the halo below the PE above, my last the halo above the PE below. */
void plate_send(const struct plate *plate, int grid, uint64_t step)
{
    const int parity = (int)(step % 2);
    for (int side = PLATE_ABOVE; side <= PLATE_BELOW; side++) {
        if (plate->neighbour[side] < 0)
            continue;
        const enum plate_side there = side == PLATE_ABOVE ? PLATE_BELOW : PLATE_ABOVE;
        const long row = side == PLATE_ABOVE ? 0 : plate->rows - 1;
        shmem_double_put_signal(plate_halo(plate, parity, there),
                                plate->grid[grid] + row * plate->width, (size_t)plate->width,
                                &plate->arrived[2 * parity + (int)there], step + 1,
                                SHMEM_SIGNAL_SET, plate->neighbour[side]);
    }
}

void plate_receive(const struct plate *plate, uint64_t step)
{
    const int parity = (int)(step % 2);
    for (int side = PLATE_ABOVE; side <= PLATE_BELOW; side++)
        if (plate->neighbour[side] >= 0)
            shmem_signal_wait_until(&plate->arrived[2 * parity + side], SHMEM_CMP_GE, step + 1);
}
