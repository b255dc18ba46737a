/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A table spread over all PEs, entry i on PE i mod n, incremented at random places by atomic
 * operations. See README.md.
 */
#include "app.h"
#include "way.h"

#include <stdio.h>

struct settings {
    long bins;    /* of the whole table */
    long updates; /* of each PE */
    long seed;
    int way;
};

static uint64_t random_start(const struct settings *settings, int me)
{
    return (uint64_t)settings->seed * UINT64_C(0x100000001b3) + ((uint64_t)me << 40);
}

/* Returns the sum of all places incremented by this PE, to check the table against. */
static uint64_t update(const struct settings *settings, long *table)
{
    const int npes = shmem_n_pes();
    uint64_t state = random_start(settings, shmem_my_pe()), places = 0;
    const shmem_ctx_t ctx = way_open(settings->way);
    for (long i = 0; i < settings->updates; i++) {
        const long bin = app_random_below(&state, settings->bins);
        shmem_ctx_long_atomic_inc(ctx, &table[bin / npes], (int)(bin % npes));
        places += (uint64_t)bin;
    }
    way_close(settings->way, ctx);
    shmem_barrier_all();
    return places;
}

/* Every update is in the table, and the updates are where they belong as far as a sum tells. */
static int verify(const struct settings *settings, const long *table, uint64_t places)
{
    const int me = shmem_my_pe(), npes = shmem_n_pes();
    long count = 0, fullest = 0;
    uint64_t weighted = 0;
    for (long bin = me; bin < settings->bins; bin += npes) {
        const long here = table[bin / npes];
        count += here;
        weighted += (uint64_t)here * (uint64_t)bin;
        fullest = here > fullest ? here : fullest;
    }
    count = app_sum_long(count);
    weighted = app_sum_uint64(weighted);
    places = app_sum_uint64(places);
    fullest = (long)app_max_double((double)fullest);
    if (count != settings->updates * npes)
        return app_fail("the table holds %ld updates instead of %ld", count,
                        settings->updates * npes);
    if (weighted != places)
        return app_fail("updates went to other places than they were sent to");
    if (me == 0)
        printf("histogram: verified: %ld updates in %ld bins, at most %ld in one\n", count,
               settings->bins, fullest);
    return 0;
}

static int run(int argc, char **argv)
{
    struct settings settings = {.bins = 100000, .updates = 1000000, .seed = 1};
    const struct app_option options[] = {
        {"--bins", APP_COUNT, &settings.bins, "bins of the whole table", 1, 4e9, NULL},
        {"--updates", APP_COUNT, &settings.updates, "updates by each PE", 0, 1e12, NULL},
        {"--seed", APP_COUNT, &settings.seed, "of the random places", 0, 1e9, NULL},
        WAY_OPTION(&settings.way),
        {.kind = APP_END}};
    int status = app_start(argc, argv, "Counts random numbers in a table over all PEs.", options);
    if (status != APP_RUN)
        return status;
    const int npes = shmem_n_pes();
    long *table = app_allocate((size_t)((settings.bins + npes - 1) / npes), sizeof(long),
                               "the table");
    if (table == NULL)
        return 1;
    const double begin = app_seconds();
    const uint64_t places = update(&settings, table);
    const double seconds = app_seconds() - begin;
    if (shmem_my_pe() == 0)
        printf("histogram: %ld updates by each of %d PEs, %.1f ns per update\n", settings.updates,
               npes, settings.updates > 0 ? seconds / (double)settings.updates * 1e9 : 0.0);
    status = verify(&settings, table, places);
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
