/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The start of many PEs in one process (simulation.h): the library's own exchange of who is where, over its own PMI-1 and PMI-2,
 * and a launcher that is imitated, with a daemon on each node. What the library has once for each process is set when a
 * simulated PE goes on.
 */
#ifndef SHEAF_TEST_START_H
#define SHEAF_TEST_START_H

#include "boot/launcher/launcher.h"

#include <stddef.h>
#include <stdint.h>

/* Nanoseconds, and nanoseconds a byte. launchers.tsv explains them. */
struct start_launcher {
    char name[32];
    double request, value, latency, overhead, per_byte;
    int children; /* of a daemon in their tree; 0: all daemons have one parent, the command that started the job */
    double node, process; /* on one machine: what a processor spends to start a node's daemon, and a PE until it asks it first */
};

/* What the exchange has cost. */
struct start_counts {
    uint64_t requests;       /* of PEs to their daemons */
    uint64_t most_requests;  /* of one PE */
    uint64_t values, bytes;  /* put */
    uint64_t most_sent;      /* bytes that one daemon, or the command, has sent */
    int fences;
};
extern struct start_counts start_counts;

/* start_daemon.c: the daemons of a job, and the launcher to speak with. */
const struct sheaf_launcher *start_daemons_begin(const struct start_launcher *launcher, int nodes, int per_node);
void start_daemons_end(void);

/* start_node.c, start_pmi1.c, start_pmi2.c */
void start_begin_nodes(int npes);
void start_set_node(int pe);
void start_set_pmi1(int pe, int npes);
void start_set_pmi2(int pe, int npes);

/* start.c: a node's memory, for a descriptor that is the number of a PE. */
void *start_map(size_t bytes, int protection, int flags, int fd, long offset);

/* start_memory.c: what the PE that runs allocates; most: bytes that one PE has held at once. */
void start_memory_begin(int npes);
void start_memory_end(void);
int64_t start_memory_most(void);
void *start_allocate(size_t count, size_t bytes);
void *start_reallocate(void *memory, size_t bytes);
void start_free(void *memory);

#endif
