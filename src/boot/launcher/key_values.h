/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What one PE has put for the others, entry after entry: keys with values of any bytes. For
 * launchers' languages in which all values go to everybody with a fence.
 */
#ifndef SHEAF_BOOT_LAUNCHER_KEY_VALUES_H
#define SHEAF_BOOT_LAUNCHER_KEY_VALUES_H

#include <stdbool.h>
#include <stddef.h>

/* All zero: empty. */
struct sheaf_key_values {
    unsigned char *entries;
    size_t bytes;
};

/* Appends an entry, or entries that another PE has sent. False without memory: the list is as it
 * was. */
bool sheaf_key_values_put(struct sheaf_key_values *values, const char *key, const void *value,
                          size_t bytes);
bool sheaf_key_values_add(struct sheaf_key_values *values, const void *entries, size_t bytes);

/* A copy of the latest value of that key, the caller's to free; -1: there is none, or no memory.
 * Entries may be anything that another PE has sent. */
int sheaf_key_values_get(const struct sheaf_key_values *values, const char *key, void **value,
                         size_t *bytes);

void sheaf_key_values_free(struct sheaf_key_values *values);

#endif
