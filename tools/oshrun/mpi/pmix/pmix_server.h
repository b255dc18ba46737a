/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PMIx for the PEs, from oshrun's side: the process that serves it (pmix_process.h), that process's
 * reports, and the variables by which a PE's MPI finds it (spawn_variables.h). A job without such an MPI
 * has none.
 */
#ifndef SHEAF_OSHRUN_PMIX_SERVER_H
#define SHEAF_OSHRUN_PMIX_SERVER_H

#include "oshrun/hosts/proxy.h"
#include "oshrun/mpi/pmi_server.h"

struct pmix_server;

/* Starts the process where the programs or --mpi ask for it, and enters the variables in spawn. Returns
 * NULL where it is not needed, or where it cannot start and the program is a wrapper, which may not
 * need it. Ends oshrun with a line where it is needed and cannot start. */
struct pmix_server *sheaf_pmix_server_create(const struct options *options, struct spawn *spawn);

/* As the functions of pmi_server.h. Where the process has ended, the news is PMI_MISBEHAVED, of PE -1. */
int sheaf_pmix_server_descriptor(const struct pmix_server *server);
void sheaf_pmix_server_serve(struct pmix_server *server);
struct pmi_news sheaf_pmix_server_news(struct pmix_server *server);
enum pmi_state sheaf_pmix_server_state(const struct pmix_server *server, int pe);

/* The process's pid; 0: none. It is a child of oshrun, and ends by itself. */
int sheaf_pmix_server_pid(const struct pmix_server *server);

/* Called once all PEs have ended: returns when the process has ended too, and its folder is removed. */
void sheaf_pmix_server_finish(struct pmix_server *server);

#endif
