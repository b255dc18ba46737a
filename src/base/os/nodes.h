/* SPDX-License-Identifier: BSD-3-Clause
 *
 * This machine's NUMA nodes, and those of which this process may have memory: asked of the kernel
 * directly, so that no library is needed.
 */
#ifndef SHEAF_BASE_OS_NODES_H
#define SHEAF_BASE_OS_NODES_H

#include <stdbool.h>
#include <stdint.h>

#define SHEAF_NODE_WORDS 16 /* 1,024 nodes: the most that Linux has */

/* A bit per node. */
struct sheaf_nodes {
    uint64_t bits[SHEAF_NODE_WORDS];
};

/* A kernel list such as "0-1,3"; numbers that the set cannot hold are left out. */
struct sheaf_nodes sheaf_nodes_parse(const char *list);

/* The nodes of a file of /sys/devices/system/node: "online", "has_memory". Empty without it. */
struct sheaf_nodes sheaf_nodes_read(const char *file);

/* The nodes of which this process may have memory: its cpuset's, and no others than those that a policy
 * binds it to (numactl --membind). All of them where the kernel does not tell. */
struct sheaf_nodes sheaf_nodes_allowed(void);

/* Bytes of all nodes in the set together: what they have, and what could be touched there now. */
uint64_t sheaf_nodes_memory(struct sheaf_nodes set);
uint64_t sheaf_nodes_memory_available(struct sheaf_nodes set);

/* Whether somebody has chosen where this process's memory lies (numactl, set_mempolicy). */
bool sheaf_nodes_policy_is_set(void);

/* The node from which this process gets a page now: of the processor it runs on, or the nearest one that
 * has memory and is allowed. -1 and errno where the kernel does not tell, as under the usual filters of
 * containers. */
int sheaf_nodes_own(void);

/* Pages of the range come from the node while it has any, whoever touches them first. -1 and errno. */
int sheaf_nodes_prefer(int node, void *start, uint64_t length);

/* They come from the nodes of the set and no other, or from these by turns; and from anywhere again. The
 * kernel keeps that with a file, for all who map it. -1 and errno. */
int sheaf_nodes_bind(const struct sheaf_nodes *set, bool by_turns, void *start, uint64_t length);
int sheaf_nodes_unbind(void *start, uint64_t length);

int sheaf_nodes_count(struct sheaf_nodes set);

static inline bool sheaf_nodes_has(const struct sheaf_nodes *set, int node)
{
    return set->bits[node / 64] >> node % 64 & 1;
}

static inline struct sheaf_nodes sheaf_nodes_both(struct sheaf_nodes a, struct sheaf_nodes b)
{
    for (int i = 0; i < SHEAF_NODE_WORDS; i++)
        a.bits[i] &= b.bits[i];
    return a;
}

#endif
