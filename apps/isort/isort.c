/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bucket sort of integers: PE p's bucket takes the p-th part of the range of keys; every PE puts
 * its keys into the buckets, each PE sorts its own. See README.md.
 */
#include "app.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RANGE_MOST 4294967296L

struct settings {
    long keys;  /* of each PE */
    long range; /* keys are 0 .. range - 1 */
    long seed;
    int scaling;
};

enum scaling { WEAK, STRONG, WEAK_ISO };

struct sort {
    long *key;      /* private, mine as generated; then grouped by bucket */
    long *grouped;  /* private */
    long *end;      /* private: where each bucket's keys end in grouped */
    long *place;    /* symmetric: how far each bucket is filled; only its owner's is used */
    long *total;    /* symmetric: keys of all PEs for each bucket */
    long *my_size;  /* symmetric: my keys for each bucket */
    long *bucket;   /* symmetric: what arrived here */
};

/* What must be the same before and after: how many keys, their sum, and a sum of hashes. */
struct fingerprint {
    long count;
    uint64_t sum;
    uint64_t hashes;
};

static struct fingerprint take_fingerprint(const long *key, long count)
{
    struct fingerprint print = {.count = count};
    for (long i = 0; i < count; i++) {
        uint64_t hash = (uint64_t)key[i];
        print.sum += hash;
        print.hashes += app_random(&hash);
    }
    print.count = app_sum_long(print.count);
    print.sum = app_sum_uint64(print.sum);
    print.hashes = app_sum_uint64(print.hashes);
    return print;
}

static int bucket_of(long key, long range, int npes)
{
    return (int)((uint64_t)key * (uint64_t)npes / (uint64_t)range);
}

/* Collective. 0, or 1 on all PEs, the reason printed. */
static int sort_create(const struct settings *settings, struct sort *sort)
{
    const size_t npes = (size_t)shmem_n_pes(), keys = (size_t)settings->keys;
    *sort = (struct sort){.key = calloc(keys + 1, sizeof(long)),
                          .grouped = calloc(keys + 1, sizeof(long)),
                          .end = calloc(npes, sizeof(long))};
    if (app_agree(sort->key == NULL || sort->grouped == NULL || sort->end == NULL) != 0)
        return app_fail("not enough memory for %ld keys", settings->keys);
    sort->place = app_allocate(1, sizeof(long), "the bucket's counter");
    if (sort->place == NULL)
        return 1;
    sort->total = app_allocate(npes, sizeof(long), "the buckets' sizes");
    if (sort->total == NULL)
        return 1;
    sort->my_size = app_allocate(npes, sizeof(long), "the buckets' sizes");
    return sort->my_size == NULL;
}

static void sort_destroy(struct sort *sort)
{
    long *const symmetric[] = {sort->bucket, sort->my_size, sort->total, sort->place};
    for (int i = 0; i < 4; i++)
        if (symmetric[i] != NULL)
            shmem_free(symmetric[i]);
    free(sort->key);
    free(sort->grouped);
    free(sort->end);
}

static void generate(const struct settings *settings, struct sort *sort)
{
    uint64_t state = (uint64_t)settings->seed << 32 | (uint64_t)shmem_my_pe();
    state = app_random(&state);
    for (long i = 0; i < settings->keys; i++)
        sort->key[i] = app_random_below(&state, settings->range);
}

/* Brings my keys for one bucket together, and learns how large each bucket becomes. */
static void group(const struct settings *settings, struct sort *sort)
{
    const int npes = shmem_n_pes();
    for (long i = 0; i < settings->keys; i++)
        sort->my_size[bucket_of(sort->key[i], settings->range, npes)]++;
    for (int pe = 0; pe < npes; pe++)
        sort->end[pe] = pe > 0 ? sort->end[pe - 1] + sort->my_size[pe - 1] : 0;
    for (long i = 0; i < settings->keys; i++)
        sort->grouped[sort->end[bucket_of(sort->key[i], settings->range, npes)]++] = sort->key[i];
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, sort->total, sort->my_size, (size_t)npes);
}

/* Each PE reserves room in a bucket by a fetch-add and puts its keys there. PEs start with
 * different buckets, so that they do not all queue for the same one. */
static int exchange(struct sort *sort)
{
    const int me = shmem_my_pe(), npes = shmem_n_pes();
    long most = 0;
    for (int pe = 0; pe < npes; pe++)
        most = sort->total[pe] > most ? sort->total[pe] : most;
    sort->bucket = app_allocate((size_t)most, sizeof(long), "the fullest bucket");
    if (sort->bucket == NULL)
        return 1;
    for (int i = 0; i < npes; i++) {
        const int pe = (me + i) % npes;
        const long size = sort->my_size[pe];
        if (size == 0)
            continue;
        const long place = shmem_long_atomic_fetch_add(sort->place, size, pe);
        shmem_long_put_nbi(sort->bucket + place, sort->grouped + sort->end[pe] - size,
                           (size_t)size, pe);
    }
    shmem_barrier_all();
    return 0;
}

static int compare_longs(const void *left, const void *right)
{
    long a = *(const long *)left, b = *(const long *)right;
    return (a > b) - (a < b);
}

/* My bucket is sorted, and begins no lower than the one before it ends: the largest key of each
 * lower bucket is looked at, the nearest that is not empty first. */
static bool is_sorted(const struct sort *sort)
{
    const int me = shmem_my_pe();
    const long count = sort->total[me];
    for (long i = 1; i < count; i++)
        if (sort->bucket[i - 1] > sort->bucket[i])
            return false;
    int before = me - 1;
    while (before >= 0 && sort->total[before] == 0)
        before--;
    if (before < 0 || count == 0)
        return true;
    return shmem_long_g(&sort->bucket[sort->total[before] - 1], before) <= sort->bucket[0];
}

static int sort_and_verify(const struct settings *settings, struct sort *sort)
{
    const int me = shmem_my_pe(), npes = shmem_n_pes();
    generate(settings, sort);
    const struct fingerprint before = take_fingerprint(sort->key, settings->keys);
    const double begin = app_seconds();
    group(settings, sort);
    if (exchange(sort) != 0)
        return 1;
    const bool complete = *sort->place == sort->total[me];
    qsort(sort->bucket, (size_t)sort->total[me], sizeof(long), compare_longs);
    shmem_barrier_all();
    const double seconds = app_seconds() - begin;
    if (me == 0)
        printf("isort: %ld keys of 0..%ld on %d PEs, %.3f s\n", before.count,
               settings->range - 1, npes, seconds);

    if (app_agree(!complete) != 0)
        return app_fail("a bucket did not get as many keys as were sent to it");
    const struct fingerprint after = take_fingerprint(sort->bucket, sort->total[me]);
    if (after.count != before.count || after.sum != before.sum || after.hashes != before.hashes)
        return app_fail("the sorted keys are not the keys that were there before");
    if (app_agree(!is_sorted(sort)) != 0)
        return app_fail("the keys are not sorted");
    if (me == 0)
        printf("isort: verified: sorted, and a permutation of the %ld keys\n", before.count);
    return 0;
}

/* From what was asked for to what this PE has. */
static int scale(struct settings *settings)
{
    const int me = shmem_my_pe(), npes = shmem_n_pes();
    const long first = app_block_first(settings->keys, me, npes);
    if (settings->scaling == STRONG)
        settings->keys = app_block_first(settings->keys, me + 1, npes) - first;
    if (settings->scaling != WEAK_ISO)
        return 0;
    if (settings->range > RANGE_MOST / npes)
        return app_fail("--range: keys below %ld for each of %d PEs go beyond %ld", settings->range, npes,
                        RANGE_MOST);
    settings->range *= npes;
    return 0;
}

static int run(int argc, char **argv)
{
    struct settings settings = {.keys = 1000000, .range = 1L << 28, .seed = 1, .scaling = WEAK};
    const struct app_option options[] = {
        {"--keys", APP_COUNT, &settings.keys, "keys of each PE; strong: of all PEs together", 0, 1e10,
         NULL},
        {"--range", APP_COUNT, &settings.range, "keys are below this; weak-iso: this for each PE", 1,
         RANGE_MOST, NULL},
        {"--seed", APP_COUNT, &settings.seed, "of the random keys", 0, 1e9, NULL},
        {"--scaling", APP_CHOICE, &settings.scaling, "what more PEs change", 0, 0, "weak|strong|weak-iso"},
        {.kind = APP_END}};
    int status = app_start(argc, argv, "Sorts random integers over all PEs.", options);
    if (status != APP_RUN)
        return status;
    if (scale(&settings) != 0)
        return 1;
    struct sort sort;
    status = sort_create(&settings, &sort);
    if (status == 0)
        status = sort_and_verify(&settings, &sort);
    sort_destroy(&sort);
    return status;
}

int main(int argc, char **argv)
{
    shmem_init();
    int status = run(argc, argv);
    shmem_finalize();
    return status;
}
