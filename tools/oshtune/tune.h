/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the parts of oshtune share: what is to be measured, and what was.
 */
#ifndef SHEAF_OSHTUNE_TUNE_H
#define SHEAF_OSHTUNE_TUNE_H

#include "base/settings/names.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { MOST_COUNTS = 16, MOST_SIZES = 12, MOST_ROUNDS = 25, MOST_ALGORITHMS = 16 };

/* Whether this machine can: not every processor has a way past its caches. */
bool tune_is_possible(enum sheaf_family family, int algorithm);

/* What is measured: exact reductions have rules of their own, but the same measurements. */
#define MEASURED_FAMILIES SHEAF_REDUCE_EXACT

/* One algorithm of one operation on so many PEs. */
struct subject {
    int pes;
    enum sheaf_family family;
    int algorithm;
};

/* Nanoseconds of each round that a subject took for one size. */
struct samples {
    double ns[MOST_ROUNDS];
    int count;
};

struct options {
    double seconds;            /* to spend */
    int counts[MOST_COUNTS];   /* numbers of PEs, ascending powers of two */
    int count_count;
    const char *output;
    const char *measurements;  /* NULL: not wanted */
    bool quiet;
};

/* The bytes that are measured: 0 alone for a barrier; at most MOST_SIZES. Returns how many. */
int tune_sizes(const struct subject *subject, size_t *bytes);

/* The settings that force an algorithm, by family. */
extern const char *const tune_settings[MEASURED_FAMILIES];

/* Called with one size's result. */
typedef void tune_result(void *to, const struct subject *subject, size_t bytes, double ns);

/* Runs a job of pes PEs that measures every algorithm once, for about budget seconds in all, and hands over
 * its results. Returns 0, or prints the reason and returns -1. */
int tune_run_job(int pes, double budget, tune_result *result, void *to);

/* The part that oshrun starts: arguments as tune_run_job() gives them. */
int tune_measure(int argc, char **argv);

/* The results: one table, filled by subject and size's place. */
struct samples *tune_samples(int count_index, const struct subject *subject, int size_index);
double tune_median(const struct samples *samples);

/* Writes the rules that follow from the results; the raw results. */
void tune_write_rules(FILE *out, const struct options *options, int rounds);
void tune_write_measurements(FILE *out, const struct options *options);

#endif
