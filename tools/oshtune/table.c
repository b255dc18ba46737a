/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The results, and the rules that follow from them.
 */
#include "tune.h"

#include "base/stream.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An algorithm that won the next smaller size keeps this one unless another's median is so much
 * better and its best round was better too: what is less is noise, and fewer rules are easier to
 * read. */
#define WORTH_A_RULE 0.95

#define LARGEST_TOTAL ((size_t)4 << 20) /* bytes that an fcollect gathers */
#define MOST_COPIED ((size_t)512 << 20) /* bytes that all PEs together put */

const char *const tune_settings[MEASURED_FAMILIES] = {
    [SHEAF_BARRIER] = "SHMEM_BARRIER_ALGORITHM",
    [SHEAF_BROADCAST] = "SHMEM_BCAST_ALGORITHM",
    [SHEAF_FCOLLECT] = "SHMEM_FCOLLECT_ALGORITHM",
    [SHEAF_REDUCE] = "SHMEM_REDUCE_ALGORITHM",
    [SHEAF_COPIES] = "SHEAF_COPY",
};

static struct samples table[MOST_COUNTS][MEASURED_FAMILIES][MOST_ALGORITHMS][MOST_SIZES];

bool tune_is_possible(enum sheaf_family family, int algorithm)
{
    if (family != SHEAF_COPIES || algorithm == SHEAF_COPY_MEMCPY)
        return true;
    return algorithm == SHEAF_COPY_STREAM ? sheaf_stream_way() != NULL : sheaf_vector_way() != NULL;
}

/* From what every second-level cache holds to what no last-level cache does. */
static int copy_sizes(int pes, size_t *bytes)
{
    int count = 0;
    bytes[0] = 512 << 10;
    for (size_t size = bytes[0]; size <= (size_t)64 << 20 && size * (size_t)pes <= MOST_COPIED; size *= 2)
        bytes[count++] = size;
    return count > 0 ? count : 1;
}

int tune_sizes(const struct subject *subject, size_t *bytes)
{
    static const size_t all[] = {8,       48,      56,       256,      1 << 10,
                                 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20};
    size_t limit = sheaf_algorithm_limit(subject->family, subject->algorithm);
    int count = 0;
    bytes[0] = 0;
    if (subject->family == SHEAF_BARRIER)
        return 1;
    if (subject->family == SHEAF_COPIES)
        return copy_sizes(subject->pes, bytes);
    if (subject->family == SHEAF_FCOLLECT && LARGEST_TOTAL / (size_t)subject->pes < limit)
        limit = LARGEST_TOTAL / (size_t)subject->pes;
    for (size_t i = 0; i < sizeof all / sizeof *all && (count == 0 || all[i] <= limit); i++)
        bytes[count++] = all[i];
    return count;
}

struct samples *tune_samples(int count_index, const struct subject *subject, int size_index)
{
    int family = subject->family == SHEAF_REDUCE_EXACT ? (int)SHEAF_REDUCE : (int)subject->family;
    return &table[count_index][family][subject->algorithm][size_index];
}

static int compare(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

double tune_median(const struct samples *samples)
{
    struct samples sorted = *samples;
    qsort(sorted.ns, (size_t)sorted.count, sizeof *sorted.ns, compare);
    int middle = sorted.count / 2;
    if (sorted.count == 0)
        return INFINITY;
    return sorted.count % 2 ? sorted.ns[middle] : (sorted.ns[middle - 1] + sorted.ns[middle]) / 2;
}

static double least(const struct samples *samples)
{
    double best = INFINITY;
    for (int i = 0; i < samples->count; i++)
        best = fmin(best, samples->ns[i]);
    return best;
}

/* Whether a rule may name it: reductions that combine in rank order give the same bits for every
 * choice among them, and for exact ones all do. */
static bool may_choose(enum sheaf_family family, int algorithm)
{
    return family != SHEAF_REDUCE || algorithm < SHEAF_REDUCE_TREE;
}

static bool is_clearly_faster(const struct samples *samples, const struct samples *previous)
{
    return tune_median(samples) < tune_median(previous) * WORTH_A_RULE &&
           least(samples) < least(previous);
}

/* The fastest algorithm for a size; previous, if it is about as fast. 0 when none was measured. */
static int fastest(int count_index, struct subject subject, int size_index, int previous)
{
    const struct samples *best = NULL;
    int winner = 0;
    for (int algorithm = 1; sheaf_algorithm_names[subject.family][algorithm]; algorithm++) {
        subject.algorithm = algorithm;
        const struct samples *mine = tune_samples(count_index, &subject, size_index);
        if (may_choose(subject.family, algorithm) && mine->count > 0 &&
            (!best || tune_median(mine) < tune_median(best))) {
            best = mine;
            winner = algorithm;
        }
    }
    subject.algorithm = previous;
    const struct samples *last = previous ? tune_samples(count_index, &subject, size_index) : NULL;
    return last && last->count > 0 && !is_clearly_faster(best, last) ? previous : winner;
}

static void write_rule(FILE *out, const struct subject *subject, size_t bytes)
{
    char text[32] = "any";
    if (bytes != SIZE_MAX && bytes % 1024 == 0)
        snprintf(text, sizeof text, "%zuk", bytes / 1024);
    else if (bytes != SIZE_MAX)
        snprintf(text, sizeof text, "%zu", bytes);
    fprintf(out, "%-12s %-5d %-8s %s\n", sheaf_family_names[subject->family], subject->pes, text,
            sheaf_algorithm_names[subject->family][subject->algorithm]);
}

/* Between two measured sizes the rule ends in the middle, or where the algorithm does. */
static size_t boundary(const struct subject *winner, size_t bytes, size_t next)
{
    size_t limit = sheaf_algorithm_limit(winner->family, winner->algorithm);
    return limit < next ? limit : (size_t)sqrt((double)bytes * (double)next);
}

static void write_family(FILE *out, const struct options *options, int count_index,
                         enum sheaf_family family)
{
    size_t sizes[MOST_SIZES];
    struct subject subject = {options->counts[count_index], family, 0};
    int count = tune_sizes(&subject, sizes), last = 0;
    size_t last_bytes = 0;
    for (int i = 0; i < count; i++) {
        int winner = fastest(count_index, subject, i, last);
        if (!winner)
            break;
        subject.algorithm = last;
        if (last && winner != last)
            write_rule(out, &subject, boundary(&subject, last_bytes, sizes[i]));
        last = winner;
        last_bytes = sizes[i];
    }
    subject.algorithm = last;
    if (last)
        write_rule(out, &subject, sheaf_algorithm_limit(family, last));
}

void tune_write_rules(FILE *out, const struct options *options, int rounds)
{
    fprintf(out, "# Written by oshtune of Sheaf " SHEAF_VERSION ": medians of %d rounds.\n", rounds);
    fprintf(out, "# Operation, up to PEs, up to bytes, algorithm: the first line that fits wins.\n"
                 "# Exact reductions are those of integers; the others keep the order of PEs.\n");
    for (int i = 0; i < options->count_count; i++) {
        fprintf(out, "\n");
        for (int family = 0; family < SHEAF_REDUCE; family++)
            write_family(out, options, i, (enum sheaf_family)family);
        write_family(out, options, i, SHEAF_COPIES);
        write_family(out, options, i, SHEAF_REDUCE_EXACT);
        write_family(out, options, i, SHEAF_REDUCE);
    }
}

static void write_measurement(FILE *out, const struct subject *subject, size_t bytes,
                              const struct samples *samples)
{
    double most = 0;
    for (int i = 0; i < samples->count; i++)
        most = fmax(most, samples->ns[i]);
    if (samples->count > 0)
        fprintf(out, "%d\t%s\t%s\t%zu\t%.1f\t%.1f\t%.1f\t%d\n", subject->pes,
                sheaf_family_names[subject->family],
                sheaf_algorithm_names[subject->family][subject->algorithm], bytes,
                tune_median(samples), least(samples), most, samples->count);
}

void tune_write_measurements(FILE *out, const struct options *options)
{
    size_t sizes[MOST_SIZES];
    fprintf(out, "pes\toperation\talgorithm\tbytes\tmedian_ns\tmin_ns\tmax_ns\trounds\n");
    for (int i = 0; i < options->count_count; i++)
        for (int family = 0; family < MEASURED_FAMILIES; family++)
            for (int algorithm = 1; sheaf_algorithm_names[family][algorithm]; algorithm++) {
                struct subject subject = {options->counts[i], (enum sheaf_family)family, algorithm};
                int count = tune_sizes(&subject, sizes);
                for (int size = 0; size < count; size++)
                    write_measurement(out, &subject, sizes[size], tune_samples(i, &subject, size));
            }
}
