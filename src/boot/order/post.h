/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Connections between the keepers of all nodes (keeper.h), two TCP connections for each pair: one for
 * whole messages in and out, in order, and one that carries nothing, whose end shows that the other
 * process has ended. The node with the higher number connects. Both sides show tokens that the
 * launcher alone has carried; who does not is forgotten, and nobody waits for it. The kernel asks the
 * other side every second, so that a host that is gone shows in some 4 s. One per process, one thread.
 */
#ifndef SHEAF_BOOT_ORDER_POST_H
#define SHEAF_BOOT_ORDER_POST_H

#include "boot/order/journal.h"

#include <poll.h>

#define SHEAF_POST_ADDRESS 1024 /* bytes of text that say how to reach a node's keeper */

/* Listens for nodes keepers; address is for them, and secret. 0, or -1 with errno. The descriptors are
 * open in this process and in those that it forks; forget closes them. */
int sheaf_post_open(int nodes, int node, char address[SHEAF_POST_ADDRESS]);
void sheaf_post_forget(void);

/* Whether a descriptor is one of those. */
bool sheaf_post_has(int fd);

/* A word of this node's that all others are to know, before any is reached; and theirs, once they have
 * been. */
void sheaf_post_set_word(uint32_t word);
uint32_t sheaf_post_word_of(int node);

/* Where another node's keeper is. It is tried until it answers. */
bool sheaf_post_reach(int node, const char *address);

/* Whether all have been reached, once: before that nothing that they say is heard. The lowest that has not;
 * -1: none. */
bool sheaf_post_is_complete(void);
int sheaf_post_lacks(void);

/* What to poll for, count at most; returns how many. In how many ms to call read again at the latest;
 * -1: when there is something. */
size_t sheaf_post_watch(struct pollfd *fds, size_t count);
size_t sheaf_post_most(void);
int sheaf_post_timeout(void);

struct sheaf_post_user {
    /* False: the sender is no keeper of this job's. */
    bool (*heard)(int node, const struct sheaf_order_head *head, const void *body);
    void (*lost)(int node, enum sheaf_node_end how);
};

/* What came of it. Nothing is called from elsewhere. */
void sheaf_post_read(const struct pollfd *fds, size_t count, const struct sheaf_post_user *user);

/* Without effect where there is no connection. */
void sheaf_post_send(int node, const struct sheaf_order_head *head, const void *body);

/* Nothing more is sent to the node but what waits; what it sends is thrown away until it has closed. */
void sheaf_post_part(int node);

/* Whether nothing waits, and all that were parted with have closed. */
bool sheaf_post_is_done(void);

#endif
