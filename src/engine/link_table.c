/* SPDX-License-Identifier: BSD-3-Clause
 * See link_table.h.
 */
#include "engine/link_table.h"

#include <stdlib.h>

#define LEAST_BUCKETS 16

static struct sheaf_link_entry **bucket_of(const struct sheaf_link_table *table, uint64_t id)
{
    return &table->buckets[id & (table->size - 1)];
}

static void insert_entry(struct sheaf_link_table *table, struct sheaf_link_entry *entry)
{
    struct sheaf_link_entry **bucket = bucket_of(table, entry->id);
    entry->next_in_bucket = *bucket;
    *bucket = entry;
}

static bool grow_buckets(struct sheaf_link_table *table)
{
    if (table->count < table->size)
        return true;
    const struct sheaf_link_table old = *table;
    size_t size = old.size ? 2 * old.size : LEAST_BUCKETS;
    struct sheaf_link_entry **buckets = calloc(size, sizeof *buckets);
    if (!buckets)
        return false;
    *table = (struct sheaf_link_table){buckets, size, old.count};
    for (size_t i = 0; i < old.size; i++)
        for (struct sheaf_link_entry *entry = old.buckets[i], *next; entry; entry = next) {
            next = entry->next_in_bucket;
            insert_entry(table, entry);
        }
    free(old.buckets);
    return true;
}

struct sheaf_link_entry *sheaf_link_find(const struct sheaf_link_table *table, uint64_t id)
{
    struct sheaf_link_entry *entry = table->buckets ? *bucket_of(table, id) : NULL;
    while (entry && entry->id != id)
        entry = entry->next_in_bucket;
    return entry;
}

bool sheaf_link_enter(struct sheaf_link_table *table, struct sheaf_link_entry *entry)
{
    if (!grow_buckets(table))
        return false;
    insert_entry(table, entry);
    table->count++;
    return true;
}

void sheaf_link_table_free(struct sheaf_link_table *table)
{
    free(table->buckets);
    *table = (struct sheaf_link_table){0};
}
