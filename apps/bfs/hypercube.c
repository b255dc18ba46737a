/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Breadth-first search of a hypercube: a bit per corner, spread over all PEs, is set by an atomic
 * fetch-or, and whoever finds it clear has the corner.
 */
#include "hypercube.h"

#include "app.h"

#include <stdlib.h>
#if __has_include(<shmemx.h>)
#include <shmemx.h>
#endif

/* Corners that this PE has claimed on one level. */
struct level {
    uint64_t *corners;
    size_t count, room;
};

struct search {
    int dimension;
    uint64_t *marks; /* symmetric: corner c is bit c / npes % 64 of word c / npes / 64 on PE c % npes */
};

static int append(struct level *level, uint64_t corner)
{
    if (level->count == level->room) {
        size_t room = 2 * level->room + 64;
        uint64_t *corners = realloc(level->corners, room * sizeof *corners);
        if (corners == NULL)
            return 1;
        level->corners = corners;
        level->room = room;
    }
    level->corners[level->count++] = corner;
    return 0;
}

/* Whether nobody had it before. Exactly one PE is told so, whoever asks at the same time. */
static bool claim(const struct search *search, uint64_t corner)
{
    const uint64_t npes = (uint64_t)shmem_n_pes(), place = corner / npes;
    const uint64_t bit = UINT64_C(1) << place % 64;
    return !(shmem_uint64_atomic_fetch_or(&search->marks[place / 64], bit, (int)(corner % npes)) & bit);
}

/* The neighbours of a corner differ from it in one bit. */
static int expand(const struct search *search, const struct level *level, struct level *next)
{
    for (size_t i = 0; i < level->count; i++)
        for (int side = 0; side < search->dimension; side++) {
            const uint64_t corner = level->corners[i] ^ UINT64_C(1) << side;
            if (claim(search, corner) && append(next, corner) != 0)
                return 1;
        }
    return 0;
}

/* Level k of a hypercube has as many corners as there are ways to choose k of its sides. */
static int check_level(const struct search *search, int k, double *expected, long found)
{
    if ((double)found != *expected)
        return app_fail("level %d has %ld corners instead of %.0f: a claim was lost, or given twice", k,
                        found, *expected);
    *expected = *expected * (search->dimension - k) / (k + 1);
    return 0;
}

/* Levels until one is empty. */
static int run_search(const struct search *search, long *total)
{
    struct level levels[2] = {{0}, {0}};
    double expected = 1;
    int status = shmem_my_pe() == 0 && claim(search, 0) ? append(&levels[0], 0) : 0;
    for (int k = 0; status == 0; k++) {
        struct level *level = &levels[k % 2], *next = &levels[(k + 1) % 2];
        const long found = app_sum_long((long)level->count);
        if (found == 0 || (status = check_level(search, k, &expected, found)) != 0)
            break;
        *total += found;
        next->count = 0;
        if ((status = app_agree(expand(search, level, next))) != 0)
            app_fail("no memory for the corners of level %d", k + 1);
    }
    free(levels[0].corners);
    free(levels[1].corners);
    return status;
}

/* Every corner is marked, and nothing else. */
static int check_marks(const struct search *search, size_t words)
{
    long marked = 0;
    shmem_barrier_all();
    for (size_t i = 0; i < words; i++)
        marked += __builtin_popcountll(search->marks[i]);
    marked = app_sum_long(marked);
    if (marked != 1L << search->dimension)
        return app_fail("%ld corners are marked instead of %ld", marked, 1L << search->dimension);
    return 0;
}

/* Where the library has several providers of atomic operations: that the program uses this one alone,
 * and who it is. */
static const char *provider(const struct search *search)
{
#ifdef SHMEMX_PROVIDER_NETWORK
    static const char *const names[] = {
        [SHMEMX_PROVIDER_NONE] = "nobody", [SHMEMX_PROVIDER_PROCESSOR] = "this processor",
        [SHMEMX_PROVIDER_MESSAGE] = "a message", [SHMEMX_PROVIDER_NETWORK] = "the network",
        [SHMEMX_PROVIDER_BUILT] = "the network's compare-and-swap"};
    shmemx_atomics_declare("or64");
    return names[shmemx_provider("or", sizeof *search->marks, search->marks, shmem_n_pes() - 1, NULL)];
#else
    (void)search;
    return "the library";
#endif
}

static int search_all(struct search *search, size_t words)
{
    const char *who = provider(search);
    long total = 0;
    for (size_t i = 0; i < words; i++)
        search->marks[i] = 0;
    shmem_barrier_all();
    const double begin = app_seconds();
    int status = run_search(search, &total);
    const double seconds = app_max_double(app_seconds() - begin);
    if (status != 0 || (status = check_marks(search, words)) != 0)
        return status;
    app_report(seconds, (double)total * search->dimension, "%ld corners, the last PE's claimed by %s,",
               total, who);
    app_say("verified: %ld corners on %d levels", total, search->dimension + 1);
    return 0;
}

int hypercube_search(int dimension)
{
    struct search search = {.dimension = dimension};
    const size_t corners = ((size_t)1 << dimension) / (size_t)shmem_n_pes() + 1, words = corners / 64 + 1;
    search.marks = shmem_malloc_with_hints(words * sizeof *search.marks, SHMEM_MALLOC_ATOMICS_REMOTE);
    if (app_agree(search.marks == NULL) != 0)
        return app_fail("no memory for %zu bytes of marks on each PE", words * sizeof *search.marks);
    int status = search_all(&search, words);
    shmem_free(search.marks);
    return status;
}
