/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Who am I, who else is there, and on which node. Started by oshrun: the job's file says it.
 * Started by another launcher: a PMI client asks it. Alone: a job of one PE.
 */
#ifndef SHEAF_BOOT_BOOT_H
#define SHEAF_BOOT_BOOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sheaf_boot {
    int pe;              /* in the world */
    int npes;
    int node;            /* my node's number: nodes count in the order of their lowest PE */
    int nodes;
    int slot;            /* my place among the node's PEs, by PE number: its slot in the image */
    int node_npes;       /* PEs of my node */
    bool has_control;    /* sheaf_image.control is mapped: oshrun, or any launcher after connect */
    const char *launcher; /* "oshrun", "PMIx (mpirun)", "PMI-1", "PMI-2", "none": for messages */
};

/* pe and npes are known once the library is loaded under oshrun; the rest after connect. */
extern struct sheaf_boot sheaf_boot;

/* Collective, at the first initialization: reaches the launcher, finds the PEs of this node, and
 * attaches all of them to one control area. Returns 0, or prints the reason and returns -1: also
 * where a launcher that Sheaf cannot talk to started several copies. */
int sheaf_boot_connect(void);

/* Whether somebody whom Sheaf can talk to started this process: connect then finds the other PEs. */
bool sheaf_boot_has_launcher(void);

/* World PE in slot of my node; node and slot of any PE. Valid after connect. */
int sheaf_boot_pe_at(int slot);
int sheaf_boot_node_of(int pe);
int sheaf_boot_slot_of(int pe);
/* Lowest PE of a node. */
int sheaf_boot_leader_of(int node);
/* Its host's name, for messages. */
const char *sheaf_boot_host_of(int pe);

/* What every PE says to all others before communication is up. put, then fence on all PEs, then
 * get by those who want it, also much later (it is kept until the job ends). Values may hold any
 * bytes; key is a short identifier. Jobs on one node do without the launcher. put and fence
 * return 0, or print the reason and return -1. get allocates *value; -1 when there is none. */
int sheaf_boot_put(const char *key, const void *value, size_t bytes);
int sheaf_boot_fence(void);
int sheaf_boot_last_fence(void); /* at finalization: -1 without a word */
int sheaf_boot_get(int pe, const char *key, void **value, size_t *bytes);

/* Collective, once each node has mapped its image: all nodes hand out as much of the heap, at the
 * same alignments. atomics: what this PE was told, enum sheaf_atomics; PEs of several nodes that differ
 * would neither allocate nor meet alike. 0, or -1 with the reason printed. */
int sheaf_boot_agree(int atomics);

/* Whether sheaf_boot_abort() can end the job: not under oshrun, which sees by itself. */
bool sheaf_boot_can_abort(void);

/* Ends all processes of the job through the launcher, everywhere; returns when there is none
 * that could. The reason has been printed. */
void sheaf_boot_abort(int status);

/* The same in order, where the PEs are together: all others leave first, and then the caller exits with
 * status, which is the job's. See boot/end.h. */
void sheaf_boot_end(int status);

/* When the process exits after its last finalize: tells the launcher that this is in order. */
void sheaf_boot_disconnect(void);

/* Says good-bye to the launcher and nothing else: any thread, once. */
void sheaf_boot_close(void);

#endif
