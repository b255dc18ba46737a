/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A table spread over all PEs, entry i on PE i mod n, read at random places by gets of one entry. See
 * README.md.
 */
#include "app.h"
#include "way.h"

#include <stdio.h>

struct settings {
    long entries; /* of the whole table */
    long reads;   /* of each PE */
    long seed;
    int way;
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

static void read_some(const struct settings *settings, shmem_ctx_t ctx, const long *table, uint64_t *state,
                      long count)
{
    const int npes = shmem_n_pes();
    for (long i = 0; i < count; i++) {
        places[i] = app_random_below(state, settings->entries);
        const long *source = &table[places[i] / npes];
        const int pe = (int)(places[i] % npes);
        if (settings->way == WAY_PLAIN)
            values[i] = shmem_ctx_long_g(ctx, source, pe);
        else
            shmem_ctx_long_get_nbi(ctx, &values[i], source, 1, pe);
    }
    shmem_ctx_quiet(ctx);
}

/* Returns how many reads brought something else than their entry. */
static long read_all(const struct settings *settings, const long *table)
{
    uint64_t state = (uint64_t)settings->seed * UINT64_C(0x100000001b3) + ((uint64_t)shmem_my_pe() << 40);
    long wrong = 0;
    const shmem_ctx_t ctx = way_open(settings->way);
    for (long done = 0, count; done < settings->reads; done += count) {
        count = settings->reads - done < STRETCH ? settings->reads - done : STRETCH;
        read_some(settings, ctx, table, &state, count);
        for (long i = 0; i < count; i++)
            wrong += values[i] != entry(places[i]);
    }
    way_close(settings->way, ctx);
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
    struct settings settings = {.entries = 100000, .reads = 1000000, .seed = 1, .way = WAY_NBI};
    const struct app_option options[] = {
        {"--entries", APP_COUNT, &settings.entries, "entries of the whole table", 1, 4e9, NULL},
        {"--reads", APP_COUNT, &settings.reads, "reads by each PE", 0, 1e12, NULL},
        {"--seed", APP_COUNT, &settings.seed, "of the random places", 0, 1e9, NULL},
        WAY_OPTION(&settings.way),
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
