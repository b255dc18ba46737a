/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The choice of algorithms: a table by the team's size and the bytes, made of rules. The first rule that
 * fits wins: a name from the environment, then the lines of SHEAF_TUNE's file, then the library's own. All
 * PEs must be given the same rules.
 */
#ifndef SHEAF_COLL_CHOICE_H
#define SHEAF_COLL_CHOICE_H

#include "base/settings/env.h"
#include "base/settings/names.h"

#include <limits.h>
#include <stdint.h>

/* A rule applies to teams of at most pes members and at most this many bytes. The bytes are those of a
 * broadcast's message, of each member's part in an fcollect, or of a reduction's array; 0 for a
 * barrier. A rule for reductions also applies to exact ones, unless an earlier rule serves those. */
struct sheaf_rule {
    enum sheaf_family family;
    int pes;       /* a power of two, or SHEAF_ANY_PES */
    size_t bytes;  /* or SHEAF_ANY_BYTES */
    int algorithm; /* its name's index in the family's list; never that of auto, but for copies */
};
#define SHEAF_ANY_PES   INT_MAX
#define SHEAF_ANY_BYTES SIZE_MAX

/* Sizes of teams by powers of two: 1, 2, 3-4, 5-8, ... */
#define SHEAF_SIZE_CLASSES 32

/* The rules of a row: those given by the user at most, and all including the built-in ones. */
#define SHEAF_GIVEN_RULES 12
#define SHEAF_ROW_RULES   16

/* The rules that can apply to one family and class: bytes ascend, and the last is SHEAF_ANY_BYTES. */
struct sheaf_choice_row {
    size_t bytes[SHEAF_ROW_RULES];
    uint8_t algorithm[SHEAF_ROW_RULES];
    uint8_t count;
};
extern struct sheaf_choice_row sheaf_choices[SHEAF_FAMILIES][SHEAF_SIZE_CLASSES];

static inline int sheaf_size_class(int size)
{
    return size <= 1 ? 0 : 32 - __builtin_clz((unsigned)size - 1);
}

static inline int sheaf_choose(enum sheaf_family family, int size, size_t bytes)
{
    const struct sheaf_choice_row *row = &sheaf_choices[family][sheaf_size_class(size)];
    int rule = 0;
    while (bytes > row->bytes[rule])
        rule++;
    return row->algorithm[rule];
}

/* What "levels" is for a team without them: team->has_levels. */
static inline int sheaf_choose_without_levels(enum sheaf_family family, size_t bytes)
{
    if (family == SHEAF_BARRIER)
        return SHEAF_BARRIER_CENTRAL;
    if (family == SHEAF_BROADCAST)
        return bytes <= SHEAF_NOTE_LIMIT ? SHEAF_BROADCAST_NOTE : SHEAF_BROADCAST_PULL;
    return bytes <= SHEAF_NOTE_LIMIT ? SHEAF_REDUCE_NOTE : SHEAF_REDUCE_SHARES;
}

/* Adds a user's rule behind the present ones, which stay in force where they apply. Returns -1 when a
 * row is full, else 0. */
int sheaf_choice_add(const struct sheaf_rule *rule);

/* Calls add (sheaf_choice_add) for each rule of a file. Returns 0, or prints file, line and value and
 * returns -1. */
typedef int sheaf_tune_add(const struct sheaf_rule *rule);
int sheaf_tune_file_read(const char *path, sheaf_tune_add *add);

/* Makes the table; called once per initialization, before any collective. Returns 0, or prints
 * the reason and returns -1. */
int sheaf_choice_make(const struct sheaf_settings *settings);

#endif
