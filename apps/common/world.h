/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The PEs' numbers, and the small collectives of all PEs. One of world_shmem.c, world_mpi.c, a program's coarrays,
 * world_armci.c and world_openmp.c is linked: with OpenMP there is one PE, which has the threads, and its collectives return
 * their argument. The library has been initialized before.
 */
#ifndef WORLD_H
#define WORLD_H

#include <stdint.h>

extern const char app_unit[]; /* "PEs", "ranks", "processes" or "threads" */

int app_rank(void);    /* 0 of an OpenMP version */
int app_workers(void); /* PEs, ranks or threads */

void app_barrier(void);

/* The largest of all PEs' statuses: 0 when all succeeded. */
int app_agree(int status);

/* Sums and maxima over all PEs, the same bits everywhere. */
long app_sum_long(long mine);
uint64_t app_sum_uint64(uint64_t mine);
double app_sum_double(double mine);
double app_max_double(double mine);

#endif
