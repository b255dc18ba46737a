/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The names of the collectives' algorithms: one list each, from which come the enumerators, what
 * an environment variable or a line of a file of choices accepts, and the help. Knows the names
 * alone; what they stand for is the collectives' matter.
 */
#ifndef SHEAF_BASE_NAMES_H
#define SHEAF_BASE_NAMES_H

#include <stddef.h>

/* X(ENUMERATOR, name) */
#define SHEAF_BARRIER_NAMES(X)                                                                     \
    X(BARRIER_AUTO, "auto")                                                                        \
    X(BARRIER_CENTRAL, "central")                                                                  \
    X(BARRIER_LINEAR, "linear")                                                                    \
    X(BARRIER_DISSEMINATION, "dissemination")                                                      \
    X(BARRIER_TREE, "tree")

#define SHEAF_BROADCAST_NAMES(X)                                                                   \
    X(BROADCAST_AUTO, "auto")                                                                      \
    X(BROADCAST_NOTE, "note")                                                                      \
    X(BROADCAST_PUSH, "push")                                                                      \
    X(BROADCAST_PULL, "pull")                                                                      \
    X(BROADCAST_BINOMIAL, "binomial")

#define SHEAF_FCOLLECT_NAMES(X)                                                                    \
    X(FCOLLECT_AUTO, "auto")                                                                       \
    X(FCOLLECT_NOTE, "note")                                                                       \
    X(FCOLLECT_NAIVE, "naive")                                                                     \
    X(FCOLLECT_LINEAR, "linear")                                                                   \
    X(FCOLLECT_RING, "ring")

#define SHEAF_REDUCE_NAMES(X)                                                                      \
    X(REDUCE_AUTO, "auto")                                                                         \
    X(REDUCE_NOTE, "note")                                                                         \
    X(REDUCE_GATHER, "gather")                                                                     \
    X(REDUCE_SHARES, "shares")                                                                     \
    X(REDUCE_NAIVE, "naive")                                                                       \
    X(REDUCE_LINEAR, "linear")                                                                     \
    X(REDUCE_TREE, "tree")                                                                         \
    X(REDUCE_RECURSIVE_DOUBLING, "recursive-doubling")                                             \
    X(REDUCE_RING, "ring")

#define SHEAF_ENUMERATOR(enumerator, name) SHEAF_##enumerator,
enum sheaf_barrier_algorithm { SHEAF_BARRIER_NAMES(SHEAF_ENUMERATOR) SHEAF_BARRIER_ALGORITHMS };
enum sheaf_broadcast_algorithm {
    SHEAF_BROADCAST_NAMES(SHEAF_ENUMERATOR) SHEAF_BROADCAST_ALGORITHMS
};
enum sheaf_fcollect_algorithm { SHEAF_FCOLLECT_NAMES(SHEAF_ENUMERATOR) SHEAF_FCOLLECT_ALGORITHMS };
enum sheaf_reduce_algorithm { SHEAF_REDUCE_NAMES(SHEAF_ENUMERATOR) SHEAF_REDUCE_ALGORITHMS };
#undef SHEAF_ENUMERATOR

/* The operations whose algorithm can be chosen. Reductions whose result does not depend on the
 * order of combination, those of integers, have rules of their own before the others'. */
enum sheaf_family {
    SHEAF_BARRIER,
    SHEAF_BROADCAST,
    SHEAF_FCOLLECT,
    SHEAF_REDUCE,
    SHEAF_REDUCE_EXACT,
    SHEAF_FAMILIES
};

/* Lists that end with NULL. An algorithm's name stands at its enumerator's place, "auto" first. */
extern const char *const sheaf_family_names[SHEAF_FAMILIES + 1];
extern const char *const *const sheaf_algorithm_names[SHEAF_FAMILIES];

/* The most bytes that an algorithm carries: in a note, beside a counter, or without limit. */
#define SHEAF_NOTE_LIMIT   56
#define SHEAF_GATHER_LIMIT 48
size_t sheaf_algorithm_limit(enum sheaf_family family, int algorithm);

/* The place of text in a list, or -1. */
int sheaf_names_find(const char *const *names, const char *text);

/* "auto, push, pull": the list in words, cut at size - 1. */
void sheaf_names_print(const char *const *names, char *text, size_t size);

#endif
