/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PMI-1 for the PEs: each has a pair of sockets, whose far end the PE inherits and its MPI finds by PMI_FD
 * (spawn_variables.h). Until an MPI speaks, the sockets are the only cost. An MPI's use of oshrun is
 * bounded: one line at a time, an answer that it must read, and PMI_MOST_BYTES of text.
 */
#ifndef SHEAF_OSHRUN_PMI_SERVER_H
#define SHEAF_OSHRUN_PMI_SERVER_H

#include "oshrun/hosts/proxy.h"
#include "oshrun/mpi/pmi_request.h"

struct pmi_server;

/* Makes the sockets and enters the PEs' ends in spawn. Those ends stay open here too, so that a PE that
 * exits without any request does not wake oshrun a second time. Where there are too few descriptors,
 * oshrun prints a line, and the job runs without MPI's server. */
struct pmi_server *sheaf_pmi_server_create(const struct options *options, struct spawn *spawn);

/* The descriptor to wait for; -1: none. When it is readable, call the following function. */
int sheaf_pmi_server_descriptor(const struct pmi_server *server);
void sheaf_pmi_server_serve(struct pmi_server *server);

/* News for oshrun. Of several only the last is returned; after PMI_ABORTED and PMI_MISBEHAVED no other
 * follows. */
struct pmi_news {
    enum { PMI_NO_NEWS, PMI_SPAWN_REFUSED, PMI_ABORTED, PMI_MISBEHAVED } kind;
    int pe, status;
    const char *why;
};
struct pmi_news sheaf_pmi_server_news(struct pmi_server *server);

/* For servers: keeps news until it is taken, with which none is left. */
static inline void sheaf_pmi_news_set(struct pmi_news *kept, struct pmi_news news)
{
    if (kept->kind < PMI_ABORTED)
        *kept = news;
}

static inline struct pmi_news sheaf_pmi_news_take(struct pmi_news *kept)
{
    struct pmi_news news = *kept;
    kept->kind = PMI_NO_NEWS;
    return news;
}

/* Called when a PE has exited: serves the requests that it sent before, and closes its connection. */
void sheaf_pmi_server_end(struct pmi_server *server, int pe);

/* The state of a PE's MPI, and the number of PEs in MPI's barrier. */
enum pmi_state sheaf_pmi_server_state(const struct pmi_server *server, int pe);
int sheaf_pmi_server_waiting(const struct pmi_server *server);

#endif
