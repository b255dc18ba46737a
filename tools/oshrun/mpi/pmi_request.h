/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PMI-1 from the launcher's side: a PE's MPI sends a line, and a line answers it. Fields are "name=value",
 * with spaces between them. Nothing in a line is used before it has been checked. These functions use no
 * descriptors.
 */
#ifndef SHEAF_OSHRUN_PMI_REQUEST_H
#define SHEAF_OSHRUN_PMI_REQUEST_H

#include "oshrun/mpi/pmi_store.h"

#include <stdbool.h>
#include <stddef.h>

/* The most bytes of a line, with its newline. MPICH's client reads and writes through buffers of 1024
 * bytes, and cuts longer lines; PMI_VALUE leaves room there for the rest of a put. */
#define PMI_LINE  1024
#define PMI_NAME  64  /* the space's name, with NUL */
#define PMI_KEY   64
#define PMI_VALUE 768

/* The most bytes that one PE may store in the space. MPICH 4.0 puts one address of some hundred bytes. */
#define PMI_MOST_BYTES ((size_t)1 << 20)

enum pmi_state { PMI_UNUSED, PMI_UP, PMI_IN_BARRIER, PMI_FINALIZED };

/* The state of one PE's MPI. */
struct pmi_client {
    enum pmi_state state;
    bool is_spawning; /* between the lines of a spawn request */
    int commands;     /* the number of commands in that request, which gets one answer */
    int command;      /* the present command, counted from 1 */
    int appnum;       /* the number of its program on oshrun's command line */
    size_t stored;    /* bytes that it has stored in the space */
};

/* The job of all clients. */
struct pmi_job {
    int npes;
    int waiting; /* clients in the barrier */
    char name[PMI_NAME];
    struct pmi_store store;
};

enum pmi_outcome {
    PMI_NOTHING,  /* no answer yet */
    PMI_ANSWER,   /* answer goes to this PE */
    PMI_RELEASE,  /* the last PE has entered the barrier: answer goes to all PEs in it */
    PMI_ABORT,    /* the job ends; *status */
    PMI_NO_SPAWN, /* as PMI_ANSWER, and oshrun prints that it starts no more processes */
    PMI_WRONG     /* the PE violates the protocol */
};

/* Serves one line. line has length bytes, with a NUL in place of its newline. answer: PMI_LINE bytes. */
enum pmi_outcome sheaf_pmi_request(struct pmi_job *job, struct pmi_client *client, const char *line,
                                   size_t length, char *answer, int *status);

/* Called after PMI_RELEASE, for each client. */
void sheaf_pmi_release(struct pmi_job *job, struct pmi_client *client);

#endif
