/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which PE this is, and which PE is on which node, in which slot, on which host.
 */
#ifndef SHEAF_BOOT_WORLD_WORLD_H
#define SHEAF_BOOT_WORLD_WORLD_H

#include <stdbool.h>

struct sheaf_boot {
    int pe;              /* in the world */
    int npes;
    int node;            /* my node's number: nodes count in the order of their lowest PE */
    int nodes;
    int slot;            /* my place among the node's PEs, by PE number: its slot in the image */
    int node_npes;       /* PEs of my node */
    int host_npes;       /* PEs that share this machine: more than those of my node where PEs are apart */
    int job_slot;        /* my place in sheaf_image.job */
    bool is_respawned;   /* this process has taken a dead one's place: the others are up */
    bool has_control;    /* sheaf_image.control is mapped: oshrun, or any launcher after connect */
    const char *launcher; /* "oshrun", "PMIx (mpirun)", "PMI-1", "PMI-2", "none": for messages */
};

/* pe and npes are known once the library is loaded under oshrun; the rest after connect. */
extern struct sheaf_boot sheaf_boot;

/* World PE in slot of my node; node and slot of any PE. Valid after connect. */
int sheaf_boot_pe_at(int slot);
int sheaf_boot_node_of(int pe);
int sheaf_boot_slot_of(int pe);
/* The node on whose host it is: its own, or one that has taken it in when its own host was lost. */
int sheaf_boot_host_node_of(int pe);
/* Lowest PE of a node. */
int sheaf_boot_leader_of(int node);
/* Its host's name, for messages. */
const char *sheaf_boot_host_of(int pe);

/* Prints that a PE has died while the job starts, with which the start fails. */
void sheaf_boot_say_missed(int pe, const char *host, int pid);

#endif
