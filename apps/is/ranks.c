/* SPDX-License-Identifier: BSD-3-Clause */
#include "ranks.h"

#include "plain.h"

#include <stdlib.h>
#include <string.h>

static int shift_of(const struct ranks *ranks)
{
    return ranks->problem->log_range - RANKS_LOG_BUCKETS;
}

static size_t range_of(const struct ranks *ranks)
{
    return (size_t)1 << ranks->problem->log_range;
}

int ranks_create(struct ranks *ranks, const struct problem *problem, int part, int parts)
{
    const long keys = 1L << problem->log_keys;
    *ranks = (struct ranks){.problem = problem, .part = part, .parts = parts};
    ranks->first = app_block_first(keys, part, parts);
    ranks->count = app_block_first(keys, part + 1, parts) - ranks->first;
    ranks->keys = malloc((size_t)(ranks->count + 1) * sizeof *ranks->keys);
    ranks->smaller = malloc((range_of(ranks) + 1) * sizeof *ranks->smaller);
    ranks->borders = malloc(((size_t)parts + 1) * sizeof *ranks->borders);
    if (ranks->keys == NULL || ranks->smaller == NULL || ranks->borders == NULL)
        return -1;
    problem_make_keys(problem, ranks->first, ranks->count, ranks->keys);
    for (int test = 0; test < PROBLEM_TESTS; test++)
        problem_make_keys(problem, problem->places[test], 1, &ranks->tests[test]);
    return 0;
}

void ranks_destroy(struct ranks *ranks)
{
    free(ranks->borders);
    free(ranks->smaller);
    free(ranks->keys);
}

void ranks_count(struct ranks *ranks, int iteration)
{
    const int shift = shift_of(ranks);
    if (iteration == 1)
        problem_restore_keys(ranks->problem, ranks->first, ranks->count, ranks->keys);
    problem_change_keys(ranks->problem, iteration, ranks->first, ranks->count, ranks->keys);
    memset(ranks->mine, 0, RANKS_BUCKETS * sizeof *ranks->mine);
    for (long i = 0; i < ranks->count; i++)
        ranks->mine[ranks->keys[i] >> shift]++;
}

/* Part p's buckets begin with the first one below which there are its p-th share of all keys, or more. */
static void choose_buckets(struct ranks *ranks)
{
    const long keys = 1L << ranks->problem->log_keys;
    int next = 1;
    long below = 0;
    ranks->borders[0] = 0;
    for (int bucket = 0; bucket < RANKS_BUCKETS; bucket++) {
        for (; next < ranks->parts && below >= app_block_first(keys, next, ranks->parts); next++)
            ranks->borders[next] = bucket;
        for (int part = 0; part < ranks->parts; part++)
            below += ranks->all[(long)part * RANKS_BUCKETS + bucket];
    }
    for (; next <= ranks->parts; next++)
        ranks->borders[next] = RANKS_BUCKETS;
    ranks->low = (uint32_t)ranks->borders[ranks->part] << shift_of(ranks);
}

/* A part's keys in the buckets from .. until - 1. */
static long count_of(const struct ranks *ranks, int part, int from, int until)
{
    const int32_t *buckets = ranks->all + (long)part * RANKS_BUCKETS;
    long count = 0;
    for (int bucket = from; bucket < until; bucket++)
        count += buckets[bucket];
    return count;
}

static void count_mine(struct ranks *ranks)
{
    const int own = ranks->borders[ranks->part], end = ranks->borders[ranks->part + 1];
    ranks->below = ranks->total = 0;
    for (int part = 0; part < ranks->parts; part++) {
        ranks->below += count_of(ranks, part, 0, own);
        ranks->total += count_of(ranks, part, own, end);
    }
}

void ranks_group(struct ranks *ranks)
{
    const int shift = shift_of(ranks);
    int32_t next[RANKS_BUCKETS];
    int32_t place = 0;
    for (int bucket = 0; bucket < RANKS_BUCKETS; bucket++) {
        next[bucket] = place;
        place += ranks->mine[bucket];
    }
    for (long i = 0; i < ranks->count; i++)
        ranks->grouped[next[ranks->keys[i] >> shift]++] = ranks->keys[i];
    choose_buckets(ranks);
    count_mine(ranks);
}

struct segment ranks_segment_of(const struct ranks *ranks, int part)
{
    const int own = ranks->borders[ranks->part], end = ranks->borders[ranks->part + 1];
    return (struct segment){count_of(ranks, part, 0, own), count_of(ranks, part, own, end)};
}

struct segment ranks_segment_for(const struct ranks *ranks, int part)
{
    const int from = ranks->borders[part], until = ranks->borders[part + 1];
    return (struct segment){count_of(ranks, ranks->part, 0, from),
                            count_of(ranks, ranks->part, from, until)};
}

/* Possible keys in my buckets. */
static long width_of(const struct ranks *ranks)
{
    return (long)(ranks->borders[ranks->part + 1] - ranks->borders[ranks->part]) << shift_of(ranks);
}

void ranks_clear(struct ranks *ranks)
{
    memset(ranks->smaller, 0, (size_t)width_of(ranks) * sizeof *ranks->smaller);
}

void ranks_add(struct ranks *ranks, const uint32_t *keys, long count)
{
    uint32_t *table = ranks->smaller;
    const uint32_t low = ranks->low, width = (uint32_t)width_of(ranks);
    for (long i = 0; i < count; i++) {
        const uint32_t place = keys[i] - low;
        if (place < width)
            table[place]++;
        else
            ranks->wrong++;
    }
}

void ranks_finish(struct ranks *ranks, int iteration)
{
    const long width = width_of(ranks);
    uint32_t smaller = (uint32_t)ranks->below;
    for (long key = 0; key < width; key++) {
        const uint32_t equal = ranks->smaller[key];
        ranks->smaller[key] = smaller;
        smaller += equal;
    }
    for (int test = 0; test < PROBLEM_TESTS; test++) {
        const long key = (long)ranks->tests[test] - (long)ranks->low;
        if (key >= 0 && key < width)
            ranks->wrong += ranks->smaller[key] != problem_rank(ranks->problem, test, iteration);
    }
}

void ranks_place(struct ranks *ranks, const uint32_t *keys, long count, uint32_t *sorted)
{
    const uint32_t width = (uint32_t)width_of(ranks);
    for (long i = 0; i < count; i++) {
        if (keys[i] - ranks->low >= width)
            continue;
        const long place = (long)ranks->smaller[keys[i] - ranks->low]++ - ranks->below;
        if (place < ranks->total)
            sorted[place] = keys[i];
    }
}

bool ranks_are_sorted(const struct ranks *ranks, const uint32_t *sorted)
{
    for (long i = 0; i < ranks->total; i++)
        if (sorted[i] == UINT32_MAX || (i > 0 && sorted[i] < sorted[i - 1]))
            return false;
    return true;
}
