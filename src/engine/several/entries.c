/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a PE says of itself on each of its networks, in a row: an entry, and the network's own bytes. Its
 * address is such a row, and the key of its memory.
 */
#include "engine/several/several.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes that an entry takes, filled up to a multiple of its alignment. */
static size_t room_of(size_t length)
{
    return sizeof(struct sheaf_several_entry) +
           (length + sizeof(uint64_t) - 1) / sizeof(uint64_t) * sizeof(uint64_t);
}

bool sheaf_several_append(struct sheaf_several_row *row, const struct sheaf_several_member *member,
                          const void *own, size_t length)
{
    struct sheaf_several_entry entry = {.length = (uint32_t)length,
                                        .has_direct = member->abilities.has_direct};
    char *longer = length > UINT32_MAX ? NULL : realloc(row->bytes, row->length + room_of(length));
    if (!longer)
        return false;
    snprintf(entry.network, sizeof entry.network, "%s", member->transport->name);
    memset(longer + row->length, 0, room_of(length));
    memcpy(longer + row->length, &entry, sizeof entry);
    memcpy(longer + row->length + sizeof entry, own, length);
    row->bytes = longer;
    row->length += room_of(length);
    return true;
}

const char *sheaf_several_next(const char **at, size_t *left, struct sheaf_several_entry *entry)
{
    const char *own = *at + sizeof *entry;
    if (*left < sizeof *entry)
        return NULL;
    memcpy(entry, *at, sizeof *entry);
    size_t room = room_of(entry->length);
    if (room > *left || !memchr(entry->network, '\0', sizeof entry->network))
        return NULL;
    *at += room;
    *left -= room;
    return own;
}

const char *sheaf_several_find(const void *row, size_t length, const struct sheaf_several_member *member,
                               struct sheaf_several_entry *entry)
{
    const char *at = row, *own;
    while ((own = sheaf_several_next(&at, &length, entry)) != NULL)
        if (strcmp(entry->network, member->transport->name) == 0)
            return own;
    return NULL;
}
