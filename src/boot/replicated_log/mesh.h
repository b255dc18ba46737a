/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The mesh of connections between the agents of all nodes, two TCP connections for each pair: DATA for
 * messages, and LIVENESS, whose end shows that the other process has ended. The node with the higher
 * number connects. A heartbeat on DATA each quarter of a second makes a silent host known.
 * hosts/handshake.h decides who is admitted. One per process, one thread.
 */
#ifndef SHEAF_BOOT_REPLICATED_LOG_MESH_H
#define SHEAF_BOOT_REPLICATED_LOG_MESH_H

#include "boot/replicated_log/journal.h"

#include <poll.h>

#define SHEAF_MESH_ADDRESS 1024 /* bytes of text that say how to reach a node's agent */

/* Listens for the agents of so many nodes; address is for them, and secret. 0, or -1 with errno. */
int sheaf_mesh_open(int nodes, int node, char address[SHEAF_MESH_ADDRESS]);

/* A number of this node's that all others are to know, before any is reached; and theirs, once they have
 * been. */
void sheaf_mesh_set_note(uint32_t note);
uint32_t sheaf_mesh_note_of(int node);

/* The address of another node's agent, which is tried until it answers. */
bool sheaf_mesh_reach(int node, const char *address);

/* Whether both connections to each node have been made; no message is read before that. lacks: the
 * lowest node that has not been reached; -1: none. */
bool sheaf_mesh_is_complete(void);
int sheaf_mesh_lacks(void);

/* watch fills in the descriptors to poll for, count at most, and returns how many they are; most: how
 * many they may be. timeout: read is to be called again after so many ms at the latest; -1: only when
 * poll returns. */
size_t sheaf_mesh_watch(struct pollfd *fds, size_t count);
size_t sheaf_mesh_most(void);
int sheaf_mesh_timeout(void);

struct sheaf_mesh_user {
    /* False: the sender is no agent of this job's. */
    bool (*heard)(int node, const struct sheaf_journal_head *head, const void *body);
    void (*lost)(int node, enum sheaf_node_end how);
};

/* Handles the events that poll has found. The user's functions are called from here alone. */
void sheaf_mesh_read(const struct pollfd *fds, size_t count, const struct sheaf_mesh_user *user);

/* Without effect where there is no connection. */
void sheaf_mesh_send(int node, const struct sheaf_journal_head *head, const void *body);

/* Nothing more is sent to the node but what waits; what it sends is thrown away until it has closed. */
void sheaf_mesh_part(int node);

/* Whether nothing waits, and all that were parted with have closed. */
bool sheaf_mesh_is_done(void);

#endif
