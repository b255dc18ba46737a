/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An MPI of one process, which sends to itself, for the transport over MPI alone: messages arrive at once, and
 * what is sent by the communicator for data when the test says so.
 */
#ifndef SHEAF_TEST_ENGINE_SCRIPTED_MPI_H
#define SHEAF_TEST_ENGINE_SCRIPTED_MPI_H

#include "engine/mpi/mpi.h"

/* The state of the transport, with this MPI under it. */
void script_begin(const struct sheaf_transport_user *user);

/* Called when data is about to be received there; or NULL. */
extern void (*script_receiving)(const unsigned char *memory);

/* Receives of data that have met their message, in the order of posting; the n-th of them ends. */
unsigned script_under_way(void);
void script_end(unsigned n);

/* Bytes for the port with that tag, whoever they are from. */
void script_inject(int tag, const void *bytes, size_t length);

/* Data of that length for the receive of data that has waited longest, if there is one. */
void script_answer(size_t length);

/* So far. */
extern unsigned script_flushes;

#endif
