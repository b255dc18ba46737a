/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Halos over PEs: each PE writes its faces into its neighbours' halos, with a signal behind each.
 */
#ifndef HALO_H
#define HALO_H

#include "multigrid.h"

#include "openshmem.h"

enum halo_way {
    HALO_AUTO,   /* stores through shmem_ptr on the same host, elsewhere as HALO_PUT */
    HALO_PUT,    /* put with signal; a scattered face is packed, put, unpacked */
    HALO_STRIDED /* strided put from array to array, a quiet, a signal */
};
#define HALO_WAYS "auto|put|strided"

struct halo {
    enum halo_way way;
    int first_axis;    /* of those that are cut, the one whose faces travel first */
    uint64_t *signals; /* symmetric, by halo_index() */
    uint64_t *counts;  /* private: what each signal will be next time */
    double *packed;    /* symmetric: room for two faces, mine and one that lands, per signal */
    long *places;      /* where they begin, per signal */
    double *mine;      /* symmetric: my share of the whole level */
    double *all[2];    /* symmetric: all shares, in turn */
    int turn;
};

/* Collective. Gives `grid` its symmetric memory and its functions. 0, or 1 on all PEs and the reason is
 * printed. */
int halo_create(struct halo *halo, struct multigrid *grid);
void halo_destroy(struct halo *halo, struct multigrid *grid);

#endif
