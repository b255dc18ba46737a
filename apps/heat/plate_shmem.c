/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The plate over the PEs of OpenSHMEM: rows at the edge of a block go into the neighbour's halo by one put
 * with a signal.
 */
#include "app.h"
#include "plate.h"

#include <math.h>
#include <stdlib.h>

/* Signals count steps on through all rounds, so that they need not be reset between them. */
static uint64_t steps_before;
static uint64_t last_step;

int plate_create(long width, long height, struct plate *plate)
{
    *plate = plate_shape(width, height, shmem_my_pe(), shmem_n_pes());
    const size_t most = (size_t)plate_rows_most(plate) * (size_t)width;
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

void plate_hand_out(const struct plate *plate, long row, double *temperature)
{
    for (int i = 0; shmem_my_pe() == 0 && i < 2; i++)
        shmem_double_put(plate_place(plate, i, i, row), temperature, (size_t)plate->width,
                         plate_owner(plate, row));
}

void plate_collect(const struct plate *plate, int grid, long row, double *temperature)
{
    if (shmem_my_pe() == 0)
        shmem_double_get(temperature, plate_place(plate, grid, 0, row), (size_t)plate->width,
                         plate_owner(plate, row));
}

/* My first row becomes the halo below the PE above, my last the halo above the PE below. */
static void send_edges(const struct plate *plate, int grid, uint64_t step)
{
    const int parity = (int)(step % 2);
    for (int side = PLATE_ABOVE; side <= PLATE_BELOW; side++) {
        if (plate->neighbour[side] < 0)
            continue;
        const enum plate_side there = side == PLATE_ABOVE ? PLATE_BELOW : PLATE_ABOVE;
        const long row = side == PLATE_ABOVE ? 0 : plate->rows - 1;
        shmem_double_put_signal(plate_halo(plate, parity, there), plate->grid[grid] + row * plate->width,
                                (size_t)plate->width, &plate->arrived[2 * parity + (int)there],
                                steps_before + step + 1, SHMEM_SIGNAL_SET, plate->neighbour[side]);
    }
}

static void receive_edges(const struct plate *plate, uint64_t step)
{
    const int parity = (int)(step % 2);
    for (int side = PLATE_ABOVE; side <= PLATE_BELOW; side++)
        if (plate->neighbour[side] >= 0)
            shmem_signal_wait_until(&plate->arrived[2 * parity + side], SHMEM_CMP_GE,
                                    steps_before + step + 1);
}

void plate_begin(const struct plate *plate)
{
    last_step = 0;
    if (plate->rows > 0)
        send_edges(plate, 0, 0);
}

/* The rows inside come first, so that the neighbours' rows have time to arrive. */
double plate_step(const struct plate *plate, plate_update *update, int to, uint64_t step)
{
    double largest = 0;
    last_step = step;
    if (plate->rows == 0)
        return largest;
    for (long row = 1; row < plate->rows - 1; row++)
        largest = fmax(largest, update(plate, step, row));
    receive_edges(plate, step - 1);
    largest = fmax(largest, update(plate, step, 0));
    if (plate->rows > 1)
        largest = fmax(largest, update(plate, step, plate->rows - 1));
    send_edges(plate, to, step);
    return largest;
}

/* The last edges arrive before anything else is put in their place. */
void plate_end(const struct plate *plate)
{
    shmem_barrier_all();
    steps_before += last_step + 1;
    (void)plate;
}
