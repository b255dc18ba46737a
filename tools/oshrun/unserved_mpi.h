/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Programs of an MPI that oshrun cannot serve: each of their processes would be an MPI job of its own, and
 * not say so.
 */
#ifndef SHEAF_OSHRUN_UNSERVED_MPI_H
#define SHEAF_OSHRUN_UNSERVED_MPI_H

#include "options.h"

/* Ends oshrun with a line about the first program that is linked with such an MPI. A program that loads it
 * in another way is found by the library (core/pe/mpi_world.h), if it uses OpenSHMEM. */
void sheaf_unserved_mpi_refuse(const struct options *options);

#endif
