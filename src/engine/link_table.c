/* SPDX-License-Identifier: BSD-3-Clause
 * See link_table.h.
 */
#include "engine/link_table.h"

#include <stdlib.h>

#define LEAST_PLACES 16

static struct sheaf_link_entry **place_of(const struct sheaf_link_table *table, uint64_t id)
{
    return &table->places[id & (table->size - 1)];
}

static void put(struct sheaf_link_table *table, struct sheaf_link_entry *entry)
{
    struct sheaf_link_entry **place = place_of(table, entry->id);
    entry->next_alike = *place;
    *place = entry;
}

static bool make_room(struct sheaf_link_table *table)
{
    if (table->count < table->size)
        return true;
    const struct sheaf_link_table old = *table;
    size_t size = old.size ? 2 * old.size : LEAST_PLACES;
    struct sheaf_link_entry **places = calloc(size, sizeof *places);
    if (!places)
        return false;
    *table = (struct sheaf_link_table){places, size, old.count};
    for (size_t i = 0; i < old.size; i++)
        for (struct sheaf_link_entry *entry = old.places[i], *next; entry; entry = next) {
            next = entry->next_alike;
            put(table, entry);
        }
    free(old.places);
    return true;
}

struct sheaf_link_entry *sheaf_link_find(const struct sheaf_link_table *table, uint64_t id)
{
    struct sheaf_link_entry *entry = table->places ? *place_of(table, id) : NULL;
    while (entry && entry->id != id)
        entry = entry->next_alike;
    return entry;
}

bool sheaf_link_enter(struct sheaf_link_table *table, struct sheaf_link_entry *entry)
{
    if (!make_room(table))
        return false;
    put(table, entry);
    table->count++;
    return true;
}

void sheaf_link_table_free(struct sheaf_link_table *table)
{
    free(table->places);
    *table = (struct sheaf_link_table){0};
}
