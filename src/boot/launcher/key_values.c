/* SPDX-License-Identifier: BSD-3-Clause
 * See key_values.h.
 */
#include "boot/launcher/key_values.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The key, which ends with a NUL, and the value follow. */
struct entry {
    uint32_t key_bytes, bytes;
};

static unsigned char *reserve_bytes(struct sheaf_key_values *values, size_t bytes)
{
    unsigned char *all = realloc(values->entries, values->bytes + bytes);
    if (!all)
        return NULL;
    values->entries = all;
    return all + values->bytes;
}

bool sheaf_key_values_add(struct sheaf_key_values *values, const void *entries, size_t bytes)
{
    unsigned char *at = bytes ? reserve_bytes(values, bytes) : NULL;
    if (at)
        memcpy(at, entries, bytes);
    values->bytes += at ? bytes : 0;
    return at || bytes == 0;
}

bool sheaf_key_values_put(struct sheaf_key_values *values, const char *key, const void *value, size_t bytes)
{
    const struct entry entry = {(uint32_t)strlen(key) + 1, (uint32_t)bytes};
    unsigned char *at = reserve_bytes(values, sizeof entry + entry.key_bytes + bytes);
    if (!at)
        return false;
    memcpy(at, &entry, sizeof entry);
    memcpy(at + sizeof entry, key, entry.key_bytes);
    if (bytes > 0)
        memcpy(at + sizeof entry + entry.key_bytes, value, bytes);
    values->bytes += sizeof entry + entry.key_bytes + bytes;
    return true;
}

/* Reads the entry there; false: there is none, or no whole one. */
static bool read_entry(const struct sheaf_key_values *values, size_t at, struct entry *entry)
{
    size_t rest = values->bytes - at;
    if (rest < sizeof *entry)
        return false;
    memcpy(entry, values->entries + at, sizeof *entry);
    rest -= sizeof *entry;
    return entry->key_bytes > 0 && entry->key_bytes <= rest &&
           entry->bytes <= rest - entry->key_bytes &&
           values->entries[at + sizeof *entry + entry->key_bytes - 1] == '\0';
}

static const unsigned char *find_value(const struct sheaf_key_values *values, const char *key,
                                       size_t *bytes)
{
    const unsigned char *found = NULL;
    struct entry entry;
    for (size_t at = 0; read_entry(values, at, &entry);
         at += sizeof entry + entry.key_bytes + entry.bytes) {
        const unsigned char *name = values->entries + at + sizeof entry;
        if (strcmp((const char *)name, key) != 0)
            continue;
        found = name + entry.key_bytes;
        *bytes = entry.bytes;
    }
    return found;
}

int sheaf_key_values_get(const struct sheaf_key_values *values, const char *key, void **value,
                         size_t *bytes)
{
    const unsigned char *found = find_value(values, key, bytes);
    *value = found ? malloc(*bytes ? *bytes : 1) : NULL;
    if (!*value)
        return -1;
    memcpy(*value, found, *bytes);
    return 0;
}

void sheaf_key_values_free(struct sheaf_key_values *values)
{
    free(values->entries);
    *values = (struct sheaf_key_values){0};
}
