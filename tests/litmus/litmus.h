/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Litmus tests: a shape is a handful of operations by two to four PEs, its roles, and an outcome
 * that the specification forbids. It is run some thousand times, each time on fresh variables, with
 * the PEs brought together first and then held back for a random while; PE 0 judges what they saw.
 *
 * A test that cannot fail proves nothing, so each shape has a broken form as well: it leaves out what
 * forbids the outcome where that shows on any machine, or lets two operations change places, which is
 * what a processor does that is not told otherwise. "PROGRAM broken" runs these, and fails unless each
 * shows its forbidden outcome.
 *
 * Other shapes have an outcome that is allowed, surprising though it is: where SHEAF_CHAOS is set it must be
 * seen. "PROGRAM soak" runs a million of each shape, "PROGRAM names" prints their names: docs/understand/memory-model.md
 * has a row for each.
 */
#ifndef LITMUS_H
#define LITMUS_H

#include "check.h"

#include <stdbool.h>

#define LITMUS_ROLES 4
#define LITMUS_SEEN  4  /* values that a role can report */
#define LITMUS_BLOCK 32 /* words of a long put */
#define LITMUS_FLAGS 4

/* A PE's variables of one run, symmetric, zero at first, each on lines of its own. */
struct litmus_words {
    _Alignas(128) long x;
    _Alignas(128) long y;
    _Alignas(128) long z;
    _Alignas(128) uint64_t signal;
    _Alignas(128) long flags[LITMUS_FLAGS];
    _Alignas(128) long block[LITMUS_BLOCK];
};

/* One PE's view of one run. */
struct litmus_run {
    struct litmus_words *at;
    int role;      /* from 0; -1 watches, and takes part in what everybody must call */
    const int *pe; /* of each role */
    int me;
    bool is_broken;
    long number;   /* of this run, from 1, the same on all PEs */
    long *saw;     /* LITMUS_SEEN values to report, zero at first */
};

/* What PE 0 judges: each role's report, and its variables once all is complete. */
struct litmus_outcome {
    long saw[LITMUS_ROLES][LITMUS_SEEN];
    long x[LITMUS_ROLES], y[LITMUS_ROLES];
};

struct litmus_shape {
    const char *name;
    const char *forbidden; /* the outcome in words, and the page of the specification */
    int roles;
    void (*act)(struct litmus_run *run);
    bool (*is_forbidden)(const struct litmus_outcome *outcome);
    const char *broken; /* what its broken form does */
    bool is_allowed;    /* the outcome may be seen: it is counted. There is no broken form */
};

/* A shape whose outcome is allowed. */
#define LITMUS_ALLOWED(name, roles, act, is_seen) {name, "allowed", roles, act, is_seen, NULL, true}

/* For outcomes: role 1, or 2, saw the flag and then not what it announces. */
static inline bool litmus_has_flag_alone(const struct litmus_outcome *outcome)
{
    return outcome->saw[1][0] == 1 && outcome->saw[1][1] != 1;
}

static inline bool litmus_third_has_flag_alone(const struct litmus_outcome *outcome)
{
    return outcome->saw[2][0] == 1 && outcome->saw[2][1] != 1;
}

/* The whole of main: shapes ends with one without a name. */
int litmus_main(int argc, char **argv, const struct litmus_shape *shapes);

/* A context of this PE, the same in all runs. */
extern shmem_ctx_t litmus_context;

/* A word of the run in the symmetric heap, zero at first. */
long *litmus_heap_word(const struct litmus_run *run);

/* A load of my own copy: what a program does once it was told that the value is there. */
static inline long litmus_load(const long *word)
{
    return *(const volatile long *)word;
}

static inline void litmus_store(long *word, long value)
{
    *(volatile long *)word = value;
}

/* Two steps in this order, or in the other where the run is broken. */
#define LITMUS_IN_ORDER(run, first, order, second)                                                 \
    do {                                                                                           \
        if (!(run)->is_broken) {                                                                   \
            first;                                                                                 \
            order;                                                                                 \
            second;                                                                                \
        } else {                                                                                   \
            second;                                                                                \
            litmus_pause(run);                                                                     \
            first;                                                                                 \
        }                                                                                          \
    } while (0)

/* A step that a broken run leaves out. */
#define LITMUS_KEPT(run, step)                                                                     \
    do {                                                                                           \
        if (!(run)->is_broken)                                                                     \
            step;                                                                                  \
    } while (0)

/* Lets a random while pass: a store that a processor delays stays away for such a time. */
void litmus_pause(struct litmus_run *run);

#endif
