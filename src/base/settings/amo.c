/* SPDX-License-Identifier: BSD-3-Clause
 * See amo.h.
 */
#include "base/settings/amo.h"

#include <stdio.h>
#include <string.h>

const char *const sheaf_amo_names[SHEAF_AMOS + 1] = {
#define NAME(enumerator, name) name,
    SHEAF_AMO_NAMES(NAME)
#undef NAME
};

static int find(const char *name, size_t length)
{
    if (length == 3 && strncmp(name, "inc", 3) == 0)
        return SHEAF_AMO_ADD;
    for (int i = 0; i < SHEAF_AMOS; i++)
        if (strlen(sheaf_amo_names[i]) == length && strncmp(name, sheaf_amo_names[i], length) == 0)
            return i;
    return -1;
}

/* One name of length characters. */
static sheaf_amo_set parse_one(const char *name, size_t length)
{
    if (length == 3 && strncmp(name, "all", 3) == 0)
        return SHEAF_AMO_ALL;
    size_t letters = strcspn(name, "0123456789,");
    int operation = find(name, letters < length ? letters : length);
    if (operation < 0)
        return 0;
    const char *width = name + letters;
    if (length == letters)
        return sheaf_amo_bit(operation, 4) | sheaf_amo_bit(operation, 8);
    if (length == letters + 2 && strncmp(width, "32", 2) == 0)
        return sheaf_amo_bit(operation, 4);
    return length == letters + 2 && strncmp(width, "64", 2) == 0 ? sheaf_amo_bit(operation, 8) : 0;
}

int sheaf_amo_parse(const char *text, sheaf_amo_set *set)
{
    sheaf_amo_set found = 0;
    for (const char *at = text;; at++) {
        size_t length = strcspn(at, ",");
        sheaf_amo_set one = parse_one(at, length);
        if (one == 0)
            return -1;
        found |= one;
        at += length;
        if (*at == '\0')
            break;
    }
    *set = found;
    return 0;
}

static void append(char *text, size_t size, const char *name, const char *width)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s%s", used ? "," : "", name, width);
}

void sheaf_amo_print(sheaf_amo_set set, char *text, size_t size)
{
    text[0] = '\0';
    for (int i = 0; i < SHEAF_AMOS; i++) {
        sheaf_amo_set narrow = set & sheaf_amo_bit(i, 4), wide = set & sheaf_amo_bit(i, 8);
        if (narrow || wide)
            append(text, size, sheaf_amo_names[i], narrow && wide ? "" : narrow ? "32" : "64");
    }
}

/* A read is an addition of nothing or a comparison that changes nothing, a write is a swap. */
static sheaf_amo_set servants(enum sheaf_amo operation, unsigned bytes)
{
    sheaf_amo_set itself = sheaf_amo_bit(operation, bytes);
    if (operation == SHEAF_AMO_FETCH)
        return itself | sheaf_amo_bit(SHEAF_AMO_ADD, bytes) | sheaf_amo_bit(SHEAF_AMO_COMPARE_SWAP, bytes);
    return operation == SHEAF_AMO_SET ? itself | sheaf_amo_bit(SHEAF_AMO_SWAP, bytes) : itself;
}

enum sheaf_amo_way sheaf_amo_way(sheaf_amo_set native, enum sheaf_amo operation, unsigned bytes)
{
    if (native & servants(operation, bytes))
        return SHEAF_AMO_NATIVE;
    return native & sheaf_amo_bit(SHEAF_AMO_COMPARE_SWAP, 8) ? SHEAF_AMO_BUILT : SHEAF_AMO_NOT;
}

sheaf_amo_set sheaf_amo_missing(sheaf_amo_set native, sheaf_amo_set set)
{
    sheaf_amo_set missing = 0;
    for (int i = 0; i < SHEAF_AMOS; i++)
        for (unsigned bytes = 4; bytes <= 8; bytes += 4)
            if (sheaf_amo_way(native, i, bytes) == SHEAF_AMO_NOT)
                missing |= set & sheaf_amo_bit(i, bytes);
    return missing;
}
