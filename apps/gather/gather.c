/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A table spread over all PEs, entry i on PE i mod n, read at random places by nonblocking gets of one
 * entry. See README.md.
 */
#include "app.h"

#include <stdio.h>

struct settings {
    long entries; /* of the whole table */
    long reads;   /* of each PE */
    long seed;
    bool batch;   /* in a session, where the library has them */
};

/* Reads under way at most. */
#define STRETCH 65536

static long places[STRETCH], values[STRETCH];

/* What entry i holds. */
static long entry(long i)
{
    return (long)((uint64_t)i * UINT64_C(0x9e3779b97f4a7c15) >> 3);
}

static void fill(const struct settings *settings, long *table)
{
    const int npes = shmem_n_pes();
    for (long i = shmem_my_pe(); i < settings->entries; i += npes)
        table[i / npes] = entry(i);
    shmem_barrier_all();
}

static void read_some(const struct settings *settings, const long *table, uint64_t *state, long count)
{
    const int npes = shmem_n_pes();
    for (long i = 0; i < count; i++) {
        places[i] = app_random_below(state, settings->entries);
        shmem_long_get_nbi(&values[i], &table[places[i] / npes], 1, (int)(places[i] % npes));
    }
    shmem_quiet();
}

/* Returns how many reads brought something else than their entry. */
static long read_all(const struct settings *settings, const long *table)
{
    uint64_t state = (uint64_t)settings->seed * UINT64_C(0x100000001b3) + ((uint64_t)shmem_my_pe() << 40);
    long wrong = 0;
    app_start_batch(settings->batch);
    for (long done = 0, count; done < settings->reads; done += count) {
        count = settings->reads - done < STRETCH ? settings->reads - done : STRETCH;
        read_some(settings, table, &state, count);
        for (long i = 0; i < count; i++)
            wrong += values[i] != entry(places[i]);
    }
    app_stop_batch(settings->batch);
    shmem_barrier_all();
    return wrong;
}

static int verify(const struct settings *settings, long wrong)
{
    wrong = app_sum_long(wrong);
    if (wrong)
        return app_fail("%ld reads brought something else than their entry", wrong);
    if (shmem_my_pe() == 0)
        printf("gather: verified: %ld reads of %ld entries\n", settings->reads * shmem_n_pes(),
               settings->entries);
    return 0;
}

static int run(int argc, char **argv)
{
    struct settings settings = {.entries = 100000, .reads = 1000000, .seed = 1};
    const struct app_option options[] = {
        {"--entries", APP_COUNT, &settings.entries, "entries of the whole table", 1, 4e9, NULL},
        {"--reads", APP_COUNT, &settings.reads, "reads by each PE", 0, 1e12, NULL},
        {"--seed", APP_COUNT, &settings.seed, "of the random places", 0, 1e9, NULL},
        {.name = "--batch", .kind = APP_FLAG, .value = &settings.batch,
         .help = "in a session with SHMEM_CTX_SESSION_BATCH"},
        {.kind = APP_END}};
    int status = app_start(argc, argv, "Reads random entries of a table over all PEs.", options);
    if (status != APP_RUN)
        return status;
    const int npes = shmem_n_pes();
    long *table = app_allocate((size_t)((settings.entries + npes - 1) / npes), sizeof(long), "the table");
    if (table == NULL)
        return 1;
    fill(&settings, table);
    const double begin = app_seconds();
    const long wrong = read_all(&settings, table);
    const double seconds = app_seconds() - begin;
    if (shmem_my_pe() == 0)
        printf("gather: %ld reads by each of %d PEs, %.1f ns per read\n", settings.reads, npes,
               settings.reads > 0 ? seconds / (double)settings.reads * 1e9 : 0.0);
    status = verify(&settings, wrong);
    shmem_free(table);
    return status;
}

int main(int argc, char **argv)
{
    shmem_init();
    int status = run(argc, argv);
    shmem_finalize();
    return status;
}
