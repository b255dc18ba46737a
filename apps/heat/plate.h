/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The plate, spread over the PEs in blocks of rows. The outermost rows and columns keep their
 * temperature. Of the rows between, each PE holds a block; the rows just above and below it are
 * its halo, which the neighbours fill: one message per step and side, with a signal.
 *
 * Halos and signals exist twice, for odd and even steps. A neighbour sends step s + 2 only after
 * it has got my step s + 1, which I send after I have used its step s: so nothing is overwritten
 * that is still needed, and no other synchronization is.
 */
#ifndef PLATE_H
#define PLATE_H

#include <stdbool.h>
#include <stdint.h>

enum plate_side { PLATE_ABOVE, PLATE_BELOW };

struct plate {
    long width;  /* of the whole picture */
    long height;
    long first;  /* my rows, counted in the whole: first .. first + rows - 1 */
    long rows;   /* 0 where there are more PEs than rows */
    int neighbour[2];    /* the PE above and below, -1 for the plate's edge */
    double *grid[2];     /* symmetric, row by row; Jacobi goes from one to the other */
    double *halo;        /* symmetric: [step parity][side][width] */
    uint64_t *arrived;   /* symmetric: [step parity][side], a step's number plus 1 */
    double *relax;       /* private, one per cell of mine: 0 where it is held, else omega */
};

/* Collective. 0, or 1 on all PEs, the reason printed. height and width are at least 3. */
int plate_create(long width, long height, struct plate *plate);
void plate_destroy(struct plate *plate);

/* The PE that holds a row; the outermost rows are in the halo of the first and the last. */
int plate_owner(const struct plate *plate, long row);

/* Puts the initial temperatures of a row where they belong; any PE, any row. A barrier must
 * follow. */
void plate_put_row(const struct plate *plate, long row, const double *temperature);

/* Fetches a row after the last step; the reading PE needs no help. */
void plate_get_row(const struct plate *plate, int grid, long row, double *temperature);

double *plate_halo(const struct plate *plate, int parity, enum plate_side side);

/* Sends the first and last of my rows after a step, and waits for the neighbours' of a step. */
void plate_send(const struct plate *plate, int grid, uint64_t step);
void plate_receive(const struct plate *plate, uint64_t step);

#endif
