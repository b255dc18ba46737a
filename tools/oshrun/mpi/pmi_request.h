/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PMI-1 from the launcher's side: a line of a PE's MPI in, a line out. Fields are "name=value", with
 * spaces between them. Nothing of a line is used before it has been checked. Knows no descriptors.
 */
#ifndef SHEAF_OSHRUN_PMI_REQUEST_H
#define SHEAF_OSHRUN_PMI_REQUEST_H

#include "oshrun/mpi/pmi_store.h"

#include <stdbool.h>
#include <stddef.h>

/* A line with its newline. MPICH's client reads and writes through buffers of 1024 bytes, and cuts what
 * is longer; PMI_VALUE leaves room there for the rest of a put. */
#define PMI_LINE  1024
#define PMI_NAME  64  /* the space's name, with NUL */
#define PMI_KEY   64
#define PMI_VALUE 768

/* What one PE may keep in the space. MPICH 4.0 puts one address, of some hundred bytes. */
#define PMI_MOST_BYTES ((size_t)1 << 20)

enum pmi_state { PMI_UNUSED, PMI_UP, PMI_IN_BARRIER, PMI_FINALIZED };

/* One PE's MPI. */
struct pmi_client {
    enum pmi_state state;
    bool is_spawning; /* in the middle of a request of many lines ... */
    int commands;     /* ... of so many commands that one answer is for ... */
    int command;      /* ... and this one of them, from 1 */
    int appnum;       /* which of the programs on oshrun's command line */
    size_t stored;    /* bytes that it keeps in the space */
};

/* The job that they all are. */
struct pmi_job {
    int npes;
    int waiting; /* clients in the barrier */
    char name[PMI_NAME];
    struct pmi_store store;
};

enum pmi_outcome {
    PMI_NOTHING,  /* no answer yet */
    PMI_ANSWER,   /* answer goes to this PE */
    PMI_RELEASE,  /* answer goes to all PEs that are in the barrier: the last one has come */
    PMI_ABORT,    /* the job ends; *status */
    PMI_NO_SPAWN, /* as ANSWER, and the user is told that oshrun starts no more processes */
    PMI_WRONG     /* the PE does not keep to the protocol */
};

/* line: of length bytes, without its newline, a NUL in its place. answer: PMI_LINE bytes. */
enum pmi_outcome sheaf_pmi_request(struct pmi_job *job, struct pmi_client *client, const char *line,
                                   size_t length, char *answer, int *status);

/* After PMI_RELEASE, for each client. */
void sheaf_pmi_release(struct pmi_job *job, struct pmi_client *client);

#endif
