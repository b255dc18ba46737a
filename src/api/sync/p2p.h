/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Waits and tests on sets of variables, with the type as a value: what the typed routines of
 * p2p.c and p2p_sets.c share. A set is an array of variables, those with nonzero status left out.
 */
#ifndef SHEAF_API_SYNC_P2P_H
#define SHEAF_API_SYNC_P2P_H

#include "core/access/route.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sheaf_p2p_type {
    const char *name;
    size_t bytes;
    /* Whether *variable, read atomically, stands in relation cmp to *value. */
    bool (*holds)(const void *variable, int cmp, const void *value);
    uint64_t (*bits)(const void *variable); /* read atomically */
    void (*print)(const void *value, char *text, size_t size);
};

struct sheaf_p2p_set {
    const struct sheaf_p2p_type *type;
    const char *variables;
    size_t count;
    const int *status;  /* NULL: all are in the set */
    int cmp;
    const char *values; /* what they are compared with */
    size_t value_step;  /* bytes from one value to the next: 0 where one serves all */
};

/* Ends the program by name when cmp is none of SHMEM_CMP_*, when the library is not up, and at debug
 * level when the variables are not symmetric. */
void sheaf_p2p_check_slowly(const void *variables, size_t bytes, int cmp, const char *call);

static inline void sheaf_p2p_check(const void *variables, size_t bytes, int cmp, const char *call)
{
    if (sheaf_unlikely((unsigned)cmp >= sheaf_route.comparisons))
        sheaf_p2p_check_slowly(variables, bytes, cmp, call);
}

/* One variable that a wait is for, in words: the object is a struct sheaf_p2p_set. */
void sheaf_p2p_describe(const void *object, char *text, size_t size);

/* shmem_test where the call is looked at first, or counted (core/pe/poll.h). */
bool sheaf_p2p_test_counted(const struct sheaf_p2p_type *type, const void *variable, int cmp,
                            const void *value, const char *call);

/* As the public routines; the empty set is satisfied for all, SIZE_MAX for any, 0 for some. */
bool sheaf_p2p_test_all(const struct sheaf_p2p_set *set);
size_t sheaf_p2p_test_any(const struct sheaf_p2p_set *set);
size_t sheaf_p2p_test_some(const struct sheaf_p2p_set *set, size_t *indices);
void sheaf_p2p_wait_all(const struct sheaf_p2p_set *set);
size_t sheaf_p2p_wait_any(const struct sheaf_p2p_set *set);
size_t sheaf_p2p_wait_some(const struct sheaf_p2p_set *set, size_t *indices);

/* X is int, size_t, ...: how the types of the wait family compare and print themselves. */
#define SHEAF_P2P_DECLARE(NAME, TYPE) extern const struct sheaf_p2p_type sheaf_p2p_type_##NAME;

#endif
