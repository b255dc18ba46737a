/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A port's links, found by the random numbers of the other ports. For transports whose messages arrive
 * without a connection that would identify the sender.
 */
#ifndef SHEAF_ENGINE_LINK_TABLE_H
#define SHEAF_ENGINE_LINK_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The first member of a link. */
struct sheaf_link_entry {
    uint64_t id;
    struct sheaf_link_entry *next_in_bucket; /* in the same bucket */
};

/* All bytes 0: an empty table. */
struct sheaf_link_table {
    struct sheaf_link_entry **buckets;
    size_t size, count; /* size: a power of two */
};

/* NULL: there is no such link. */
struct sheaf_link_entry *sheaf_link_find(const struct sheaf_link_table *table, uint64_t id);

/* The id must not be in the table yet. false: no memory. */
bool sheaf_link_enter(struct sheaf_link_table *table, struct sheaf_link_entry *entry);

/* Frees the table. The links belong to the caller. */
void sheaf_link_table_free(struct sheaf_link_table *table);

#endif
