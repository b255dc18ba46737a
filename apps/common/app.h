/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What every application needs around its own work: options from a table, one message by PE 0
 * when something is wrong, and a verdict that all PEs share, so that none waits for another that
 * has given up. Uses nothing but the public interface of OpenSHMEM.
 */
#ifndef APP_H
#define APP_H

#include <shmem.h>

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

/* Prints "NAME: message" to standard error on PE 0, nothing elsewhere. Returns 1. */
int app_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Collective. The largest of all PEs' statuses: 0 when all succeeded. */
int app_agree(int status);

/* Of the default context, where the library has sessions and batch is wanted: the small operations that
 * follow may travel together. */
void app_start_batch(bool batch);
void app_stop_batch(bool batch);

/* Collective. PE 0's bytes (at most APP_SHARE_BYTES of them) replace everybody's. */
#define APP_SHARE_BYTES 256
void app_share(void *data, size_t bytes);

/* Collective. Zeroed symmetric memory of the same size on all PEs, at least one byte. NULL on
 * all PEs, and a message that says what it was for, when there is not enough. */
void *app_allocate(size_t count, size_t size, const char *what);

/* Sums and maxima over all PEs, collective, the same bits everywhere. */
long app_sum_long(long mine);
uint64_t app_sum_uint64(uint64_t mine);
double app_max_double(double mine);

/* Seconds since some fixed moment. */
double app_seconds(void);

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
