/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The plate, spread over the PEs in blocks of rows. The outermost rows and columns keep their
 * temperature. Of the rows between, each PE holds a block; the rows just above and below it are
 * its halo, which the neighbours fill. One of plate_shmem.c, plate_mpi.c and plate_openmp.c is linked; with
 * OpenMP one PE holds all rows.
 *
 * Halos exist twice, for odd and even steps. A neighbour sends step s + 2 only after
 * it has got my step s + 1, which I send after I have used its step s: so nothing is overwritten
 * that is still needed, and no other synchronization is.
 */
#ifndef PLATE_H
#define PLATE_H

#include <stdbool.h>
#include <stdint.h>

enum plate_side { PLATE_ABOVE, PLATE_BELOW };

struct plate {
    long width; /* of the whole picture */
    long height;
    int part, parts;   /* my number among the PEs, and theirs */
    long first;        /* my rows, counted in the whole: first .. first + rows - 1 */
    long rows;         /* 0 where there are more PEs than rows */
    int neighbour[2];  /* the PE above and below, -1 for the plate's edge */
    double *grid[2];   /* row by row; Jacobi goes from one to the other. OpenSHMEM: symmetric, as halo and
                          arrived */
    double *halo;      /* [step parity][side][width] */
    uint64_t *arrived; /* OpenSHMEM: [step parity][side], the number of the step that has arrived, of all
                          rounds */
    double *relax;     /* private, one per cell of mine: 0 where it is held, else omega */
};

/* Fills all but the pointers, for one of so many parts. Height and width are at least 3. */
struct plate plate_shape(long width, long height, int part, int parts);

/* Rows of the fullest part. */
long plate_rows_most(const struct plate *plate);

/* A whole plate in memory of my own. 0, or -1 without memory. */
int plate_create_alone(long width, long height, struct plate *plate);
void plate_destroy_alone(struct plate *plate);

/* The PE that holds a row; the outermost rows are in the halo of the first and the last. */
int plate_owner(const struct plate *plate, long row);

/* Where a row counted in the whole lies in its owner's memory. */
double *plate_place(const struct plate *plate, int grid, int parity, long row);

double *plate_halo(const struct plate *plate, int parity, enum plate_side side);

/* On its owner: the initial temperatures of a row. */
void plate_set_row(const struct plate *plate, long row, const double *temperature);

/* Updates a row of mine, counted in my block, in a step; the largest change of a cell. */
typedef double plate_update(const struct plate *plate, uint64_t step, long row);

/* A step over all rows: of a plate whose rows are all mine, and whose neighbours are none. */
double plate_step_alone(const struct plate *plate, plate_update *update, int to, uint64_t step);

/* Of the version. All are collective, but for plate_destroy.
 *
 * plate_create: 0, or 1 on all PEs, the reason printed.
 * plate_hand_out: PE 0's row of initial temperatures goes where it belongs, through the owner's;
 * plate_collect: any row comes to PE 0. A barrier must stand between the first and what needs them, and
 * before the second. plate_begin: my edge rows go to the neighbours as step 0. A barrier must precede.
 * plate_step: a step, whose result goes to a grid; the largest change of a cell of mine.
 * plate_end: after the last step. */
int plate_create(long width, long height, struct plate *plate);
void plate_destroy(struct plate *plate);
void plate_hand_out(const struct plate *plate, long row, double *temperature);
void plate_collect(const struct plate *plate, int grid, long row, double *temperature);
void plate_begin(const struct plate *plate);
double plate_step(const struct plate *plate, plate_update *update, int to, uint64_t step);
void plate_end(const struct plate *plate);

#endif
