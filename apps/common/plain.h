/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What every application needs around its own work, whichever library a version of it is written to:
 * options from a table, one message by the first PE when something is wrong, rounds with a clock, and the
 * line that tells the time. PE stands for an MPI version's rank, too; an OpenMP version is one PE, and
 * calls all this outside its threads.
 */
#ifndef PLAIN_H
#define PLAIN_H

#include "world.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum app_kind {
    APP_FLAG,   /* bool: given or not */
    APP_COUNT,  /* long: a whole number from least to most */
    APP_REAL,   /* double: a number from least to most */
    APP_TEXT,   /* const char *: anything but nothing */
    APP_CHOICE, /* int: the index of one of the words in choices */
    APP_END     /* the table's last line */
};

struct app_option {
    const char *name; /* "--size"; without dashes: the operand, such as FILE */
    enum app_kind kind;
    void *value; /* of kind's type; holds the default */
    const char *help;
    double least, most;  /* of APP_COUNT and APP_REAL */
    const char *choices; /* of APP_CHOICE: "jacobi|gauss-seidel|sor" */
};

/* Every PE, with the arguments of main. APP_RUN: go on. Else 0 (help was printed) or 1 (the
 * reason was): finalize and return it. */
#define APP_RUN (-1)
int app_start(int argc, char **argv, const char *summary, const struct app_option *options);

/* The same of this PE alone, which does not hear what the others were given. */
int app_read(int argc, char **argv, const char *summary, const struct app_option *options);

/* Prints "NAME: message" to standard error on PE 0, nothing elsewhere. Returns 1. */
int app_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints "NAME: message" on PE 0, nothing elsewhere. */
void app_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Seconds since some fixed moment. */
double app_seconds(void);

/* Collective. The median of so many rounds of the work, 1 to APP_ROUNDS_MOST; all begin a round together,
 * and it takes as long as its slowest PE. */
#define APP_ROUNDS_MOST 1000
double app_timed(void (*work)(void *state), void *state, long rounds);

/* The same with something before each round that is not timed. */
double app_timed_after(void (*prepare)(void *state), void (*work)(void *state), void *state, long rounds);

/* Says "NAME: WHAT on N PEs: S s, X Mop/s" (ranks, threads), without a rate for no operations. */
void app_report(double seconds, double operations, const char *what, ...)
    __attribute__((format(printf, 3, 4)));

/* How PEs share count things in consecutive blocks whose sizes differ by at most one. */
static inline long app_block_first(long count, int pe, int npes)
{
    long share = count / npes, extra = count % npes;
    return pe * share + (pe < extra ? pe : extra);
}

/* A generator of 64 random bits (splitmix64): a counter, scrambled. */
static inline uint64_t app_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Uniform in 0 .. limit - 1, by the upper bits of a product: limit up to 2^32. */
static inline long app_random_below(uint64_t *state, long limit)
{
    return (long)((app_random(state) >> 32) * (uint64_t)limit >> 32);
}

#endif
