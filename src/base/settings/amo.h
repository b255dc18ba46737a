/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The atomic operations, by number and name, and sets of them: which a network can, which a program
 * uses. Knows nothing of how they are done.
 */
#ifndef SHEAF_BASE_SETTINGS_AMO_H
#define SHEAF_BASE_SETTINGS_AMO_H

#include <stddef.h>
#include <stdint.h>

/* X(ENUMERATOR, name) */
#define SHEAF_AMO_NAMES(X)                                                                         \
    X(FETCH, "fetch")              /* read */                                                      \
    X(SET, "set")                  /* write */                                                     \
    X(ADD, "add")                                                                                  \
    X(AND, "and")                                                                                  \
    X(OR, "or")                                                                                    \
    X(XOR, "xor")                                                                                  \
    X(SWAP, "swap")                                                                                \
    X(COMPARE_SWAP, "cswap")       /* operand is stored where the object equals compare */

enum sheaf_amo {
#define SHEAF_ENUMERATOR(enumerator, name) SHEAF_AMO_##enumerator,
    SHEAF_AMO_NAMES(SHEAF_ENUMERATOR)
#undef SHEAF_ENUMERATOR
};
#define SHEAF_AMOS (SHEAF_AMO_COMPARE_SWAP + 1)
extern const char *const sheaf_amo_names[SHEAF_AMOS + 1];

/* One bit per operation and width. */
typedef uint32_t sheaf_amo_set;
#define SHEAF_AMO_ALL (((sheaf_amo_set)1 << 2 * SHEAF_AMOS) - 1)
#define SHEAF_AMO_64  ((sheaf_amo_set)0xaaaa)
_Static_assert(SHEAF_AMOS == 8, "SHEAF_AMO_64 has a bit for each");

static inline sheaf_amo_set sheaf_amo_bit(enum sheaf_amo operation, unsigned bytes)
{
    return (sheaf_amo_set)1 << (2 * operation + (bytes == 8));
}

/* "add64,cswap,fetch32": names, with 32, 64 or for both without; inc is add; all. Returns 0, or -1
 * and leaves set alone. */
int sheaf_amo_parse(const char *text, sheaf_amo_set *set);

/* The same back, cut at size - 1. */
void sheaf_amo_print(sheaf_amo_set set, char *text, size_t size);

/* How an operation gets done by a network that has these. */
enum sheaf_amo_way {
    SHEAF_AMO_NOT,    /* not at all */
    SHEAF_AMO_NATIVE, /* by one operation of the network */
    SHEAF_AMO_BUILT   /* from its 64-bit compare-and-swap */
};
enum sheaf_amo_way sheaf_amo_way(sheaf_amo_set native, enum sheaf_amo operation, unsigned bytes);

/* Those of set that the network has neither natively nor built. */
sheaf_amo_set sheaf_amo_missing(sheaf_amo_set native, sheaf_amo_set set);

#endif
