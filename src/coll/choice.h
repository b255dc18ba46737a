/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which algorithm an operation uses: a table by the team's size and the bytes, made of rules. The
 * first rule that fits wins: a name from the environment, then the lines of SHEAF_TUNE's file,
 * then the library's own. All PEs must be given the same.
 */
#ifndef SHEAF_COLL_CHOICE_H
#define SHEAF_COLL_CHOICE_H

#include "base/settings/env.h"
#include "base/settings/names.h"

#include <limits.h>
#include <stdint.h>

/* What a rule for reductions says holds for exact ones too, unless they have one before it.
 * For teams of at most pes members and at most so many bytes: of a broadcast the message, of an
 * fcollect what each member brings, of a reduction the array; a barrier has 0. */
struct sheaf_rule {
    enum sheaf_family family;
    int pes;       /* a power of two, or SHEAF_ANY_PES */
    size_t bytes;  /* or SHEAF_ANY_BYTES */
    int algorithm; /* its name's place in the family's list; never that of auto */
};
#define SHEAF_ANY_PES   INT_MAX
#define SHEAF_ANY_BYTES SIZE_MAX

/* Sizes of teams by powers of two: 1, 2, 3-4, 5-8, ... */
#define SHEAF_SIZE_CLASSES 32

/* Rules of a row: as many may come from outside, and the rest is for the built-in ones. */
#define SHEAF_GIVEN_RULES 12
#define SHEAF_ROW_RULES   16

/* What is left of the rules for one family and class: bytes ascend, the last is
 * SHEAF_ANY_BYTES. */
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

/* Adds a rule from outside behind those there are; what they decide already stays. Returns -1
 * when a row is full, else 0. */
int sheaf_choice_add(const struct sheaf_rule *rule);

/* Gives the rules of a file to add, which is sheaf_choice_add. Returns 0, or prints file, line and value
 * and returns -1. */
typedef int sheaf_tune_add(const struct sheaf_rule *rule);
int sheaf_tune_file_read(const char *path, sheaf_tune_add *add);

/* From how many bytes on the table has copies stream on a node of so many PEs: behind the last rule
 * for memcpy; SIZE_MAX for none. */
size_t sheaf_choice_stream_from(int pes);

/* Makes the table; called once per initialization, before any collective. Returns 0, or prints
 * the reason and returns -1. */
int sheaf_choice_make(const struct sheaf_settings *settings);

#endif
