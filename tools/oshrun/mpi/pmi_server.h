/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI for the PEs: a pair of sockets each, whose far end the PE inherits and its MPI finds by PMI_FD
 * (spawn_variables.h). Costs nothing but the sockets until an MPI speaks. What an MPI can take is bounded:
 * a line at a time, an answer that it must read, PMI_MOST_BYTES of text.
 */
#ifndef SHEAF_OSHRUN_PMI_SERVER_H
#define SHEAF_OSHRUN_PMI_SERVER_H

#include "oshrun/hosts/keeper.h"
#include "oshrun/mpi/pmi_request.h"

struct pmi_server;

/* Makes the sockets and enters the PEs' ends in spawn. They stay open here too, so that a PE that exits
 * without having said anything does not wake oshrun once more. Where there are too few descriptors oshrun
 * says so, and the job does without. */
struct pmi_server *sheaf_pmi_server_create(const struct options *options, struct spawn *spawn);

/* What to wait for; -1: nothing. Then what has come is dealt with. */
int sheaf_pmi_server_descriptor(const struct pmi_server *server);
void sheaf_pmi_server_serve(struct pmi_server *server);

/* What oshrun has to know of. Of several the last; but nothing follows the end of the job. */
enum pmi_news { PMI_NO_NEWS, PMI_SPAWN_REFUSED, PMI_ABORTED, PMI_MISBEHAVED };
enum pmi_news sheaf_pmi_server_news(struct pmi_server *server, int *pe, int *status, const char **why);

/* A PE has exited: what it has said before is dealt with, and it is heard no more. */
void sheaf_pmi_server_end(struct pmi_server *server, int pe);

/* How far a PE's MPI is, and how many PEs are in MPI's barrier. */
enum pmi_state sheaf_pmi_server_state(const struct pmi_server *server, int pe);
int sheaf_pmi_server_waiting(const struct pmi_server *server);

#endif
