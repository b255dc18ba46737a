/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A port's links by the numbers that the other ports drew at random. For transports whose messages come
 * without a connection that would tell whose they are.
 */
#ifndef SHEAF_ENGINE_LINK_TABLE_H
#define SHEAF_ENGINE_LINK_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The first member of a link. */
struct sheaf_link_entry {
    uint64_t id;
    struct sheaf_link_entry *next_alike; /* in its place */
};

/* Empty where all of it is 0. */
struct sheaf_link_table {
    struct sheaf_link_entry **places;
    size_t size, count; /* size: a power of two */
};

/* NULL: there is none. */
struct sheaf_link_entry *sheaf_link_find(const struct sheaf_link_table *table, uint64_t id);

/* Of an id that is not there yet. false: no memory. */
bool sheaf_link_enter(struct sheaf_link_table *table, struct sheaf_link_entry *entry);

/* The links are others' to free. */
void sheaf_link_table_free(struct sheaf_link_table *table);

#endif
