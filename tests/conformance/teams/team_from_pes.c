/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shmemx_team_from_pes: any PEs in any order, made by these alone; who gets what for a bad list; such teams
 * in collectives, contexts, splits and memory spaces. shmemx_team_exchange: bytes of any number.
 */
#include "check.h"

#include <shmemx.h>

#include <string.h>
#include <time.h>

#define MOST 64

static int me, n;
static uint64_t state = 16; /* the same on all PEs */

struct list {
    int pes[MOST], size, rank; /* rank: mine, or -1 */
};

/* A random subset of the PEs below limit in a random order; PE i stands for world PE i. */
static struct list draw(int limit)
{
    struct list list = {.rank = -1, .size = 1 + (int)test_random_below(&state, (uint64_t)limit)};
    for (int pe = 0; pe < limit; pe++)
        list.pes[pe] = pe;
    for (int i = 0; i < list.size; i++) {
        int other = i + (int)test_random_below(&state, (uint64_t)(limit - i)), pe = list.pes[other];
        list.pes[other] = list.pes[i];
        list.pes[i] = pe;
        if (pe == me)
            list.rank = i;
    }
    return list;
}

static void check_members(shmem_team_t team, const struct list *list)
{
    CHECK_EQ(shmem_team_my_pe(team), list->rank);
    CHECK_EQ(shmem_team_n_pes(team), list->size);
    for (int i = 0; i < list->size; i++) {
        CHECK_EQ(shmem_team_translate_pe(team, i, SHMEM_TEAM_WORLD), list->pes[i]);
        CHECK_EQ(shmem_team_translate_pe(SHMEM_TEAM_WORLD, list->pes[i], team), i);
    }
}

static void check_collectives(shmem_team_t team, const struct list *list)
{
    static long mine, sum, all[MOST];
    long expected = 0;
    mine = 3 * me + 1;
    CHECK_EQ(shmem_long_sum_reduce(team, &sum, &mine, 1), 0);
    CHECK_EQ(shmem_long_fcollect(team, all, &mine, 1), 0);
    for (int i = 0; i < list->size; i++) {
        expected += 3 * list->pes[i] + 1;
        CHECK_EQ(all[i], 3 * list->pes[i] + 1);
    }
    CHECK_EQ(sum, expected);
    CHECK_EQ(shmem_team_sync(team), 0);
}

static void check_context(shmem_team_t team, const struct list *list)
{
    static long from[MOST];
    shmem_ctx_t context;
    int next = (list->rank + 1) % list->size, before = (list->rank + list->size - 1) % list->size;
    CHECK_EQ(shmem_team_create_ctx(team, 0, &context), 0);
    shmem_ctx_long_p(context, &from[list->rank], me + 1, next);
    shmem_ctx_quiet(context);
    shmem_team_sync(team);
    CHECK_EQ(from[before], list->pes[before] + 1);
    shmem_ctx_destroy(context);
    shmem_team_sync(team);
}

static void check_split(shmem_team_t team, const struct list *list)
{
    shmem_team_t second;
    CHECK_EQ(shmem_team_split_strided(team, list->size - 1, -2, (list->size + 1) / 2, NULL, 0, &second), 0);
    int rank = (list->size - 1 - list->rank) % 2 ? -1 : (list->size - 1 - list->rank) / 2;
    CHECK_EQ(shmem_team_my_pe(second), rank);
    for (int i = 0; rank >= 0 && i < (list->size + 1) / 2; i++)
        CHECK_EQ(shmem_team_translate_pe(second, i, SHMEM_TEAM_WORLD), list->pes[list->size - 1 - 2 * i]);
    shmem_team_destroy(second);
}

static void check_space(shmem_team_t team, const struct list *list)
{
    shmemx_space_t space;
    CHECK_EQ(shmemx_space_create(team, "default", 1 << 16, &space), 0);
    long *cell = shmemx_space_malloc(space, sizeof *cell);
    CHECK(cell != NULL);
    shmem_long_p(cell, me + 7, list->pes[(list->rank + 1) % list->size]);
    shmem_quiet();
    shmem_team_sync(team);
    CHECK_EQ(*cell, list->pes[(list->rank + list->size - 1) % list->size] + 7);
    shmemx_space_destroy(space);
}

/* Only the members call, and each list overlaps the one before. */
static void members_alone_make_their_team(void)
{
    for (int i = 0; i < 40; i++) {
        struct list list = draw(n);
        shmem_team_t team;
        if (list.rank < 0)
            continue;
        CHECK_EQ(shmemx_team_from_pes(SHMEM_TEAM_WORLD, list.pes, list.size, NULL, 0, &team), 0);
        check_members(team, &list);
        check_collectives(team, &list);
        check_context(team, &list);
        if (i % 10 == 0) {
            check_split(team, &list);
            check_space(team, &list);
        }
        shmem_team_destroy(team);
    }
    shmem_barrier_all();
}

static void all_may_call(void)
{
    for (int i = 0; i < 10; i++) {
        struct list list = draw(n);
        shmem_team_t team = SHMEM_TEAM_WORLD;
        CHECK_EQ(shmemx_team_from_pes(SHMEM_TEAM_WORLD, list.pes, list.size, NULL, 0, &team), 0);
        CHECK_EQ(team == SHMEM_TEAM_INVALID, list.rank < 0);
        CHECK_EQ(shmem_team_my_pe(team), list.rank);
        shmem_team_destroy(team);
    }
}

/* Two teams at once, alive together; many of one list, which must not use up the arena. */
static void lists_are_made_again(void)
{
    shmem_team_t kept[2];
    int pes[MOST];
    for (int pe = 0; pe < n; pe++)
        pes[pe] = (pe + 1) % n;
    struct list list = {.size = n, .rank = (me + n - 1) % n};
    memcpy(list.pes, pes, sizeof pes);
    for (int i = 0; i < 2; i++)
        CHECK_EQ(shmemx_team_from_pes(SHMEM_TEAM_WORLD, pes, n, NULL, 0, &kept[i]), 0);
    for (int i = 0; i < 300; i++) {
        shmem_team_t team;
        CHECK_EQ(shmemx_team_from_pes(SHMEM_TEAM_WORLD, pes, n, NULL, 0, &team), 0);
        shmem_team_sync(team);
        shmem_team_destroy(team);
    }
    for (int i = 0; i < 2; i++) {
        check_members(kept[i], &list);
        check_collectives(kept[i], &list);
        shmem_team_destroy(kept[i]);
    }
}

static void numbers_are_the_parents(void)
{
    shmem_team_t reversed, team;
    struct list list = draw(n);
    int numbers[MOST];
    CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, -1, n, NULL, 0, &reversed), 0);
    for (int i = 0; i < list.size; i++)
        numbers[i] = n - 1 - list.pes[i];
    CHECK_EQ(shmemx_team_from_pes(reversed, numbers, list.size, NULL, 0, &team), 0);
    if (list.rank >= 0)
        check_members(team, &list);
    shmem_team_destroy(team);
    shmem_team_destroy(reversed);
}

static void refused(shmem_team_t parent, const int *pes, int size)
{
    shmem_team_t team = SHMEM_TEAM_WORLD;
    CHECK(shmemx_team_from_pes(parent, pes, size, NULL, 0, &team) != 0);
    CHECK(team == SHMEM_TEAM_INVALID);
}

static void bad_lists_are_refused(void)
{
    const int twice[] = {0, 0}, outside[] = {n}, negative[] = {-1}, first[] = {0};
    if (n > 1)
        refused(SHMEM_TEAM_WORLD, twice, 2);
    refused(SHMEM_TEAM_WORLD, twice, n + 1);
    refused(SHMEM_TEAM_WORLD, outside, 1);
    refused(SHMEM_TEAM_WORLD, negative, 1);
    refused(SHMEM_TEAM_WORLD, first, 0);
    refused(SHMEM_TEAM_WORLD, NULL, 1);
    refused(SHMEM_TEAM_INVALID, first, 1);
    shmem_barrier_all();
}

/* One member asks for a number of contexts and passes none: all fail. */
static void one_failure_is_everybodys(void)
{
    shmem_team_config_t config = {.num_contexts = 5};
    shmem_team_t team;
    int pes[MOST];
    for (int pe = 0; pe < n; pe++)
        pes[pe] = n - 1 - pe;
    CHECK(shmemx_team_from_pes(SHMEM_TEAM_WORLD, pes, n, me == 0 ? NULL : &config, SHMEM_TEAM_NUM_CONTEXTS,
                               &team) != 0);
    CHECK(team == SHMEM_TEAM_INVALID);
    CHECK_EQ(shmemx_team_from_pes(SHMEM_TEAM_WORLD, pes, n, &config, SHMEM_TEAM_NUM_CONTEXTS, &team), 0);
    config.num_contexts = 0;
    CHECK_EQ(shmem_team_get_config(team, SHMEM_TEAM_NUM_CONTEXTS, &config), 0);
    CHECK_EQ(config.num_contexts, 5);
    shmem_team_destroy(team);
}

static unsigned char byte_of(int pe, size_t at)
{
    return (unsigned char)(31 * pe + 7 * (int)at + 1);
}

static void exchange_hands_out_all_bytes(shmem_team_t team)
{
    const size_t lengths[] = {0, 1, 55, 56, 57, 112, 1000};
    int size = shmem_team_n_pes(team), rank = shmem_team_my_pe(team);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        unsigned char mine[1000], *all = calloc((size_t)size, 1000);
        CHECK(all != NULL);
        for (size_t at = 0; at < lengths[i]; at++)
            mine[at] = byte_of(rank, at);
        CHECK_EQ(shmemx_team_exchange(team, mine, lengths[i], all), 0);
        memset(mine, 0, sizeof mine);
        for (int pe = 0; pe < size; pe++)
            for (size_t at = 0; at < lengths[i]; at++)
                CHECK_EQ(all[(size_t)pe * lengths[i] + at], byte_of(pe, at));
        free(all);
    }
}

/* By ranks that are not the PEs' order, and much at once: far PEs that took an exchange for each note needed 7 s. */
static int long_exchanges(void)
{
    const size_t length = (size_t)4 << 20;
    int backwards[MOST];
    shmem_team_t team;
    unsigned char *mine = malloc(length), *all = malloc((size_t)n * length);
    CHECK(mine != NULL && all != NULL);
    for (int rank = 0; rank < n; rank++)
        backwards[rank] = n - 1 - rank;
    CHECK_EQ(shmemx_team_from_pes(SHMEM_TEAM_WORLD, backwards, n, NULL, 0, &team), 0);
    exchange_hands_out_all_bytes(SHMEM_TEAM_WORLD);
    exchange_hands_out_all_bytes(team);
    for (size_t at = 0; at < length; at++)
        mine[at] = byte_of(me, at);
    time_t begun = time(NULL);
    CHECK_EQ(shmemx_team_exchange(team, mine, length, all), 0);
    CHECK(time(NULL) - begun <= 3 || shmem_team_n_pes(SHMEM_TEAM_SHARED) > 1);
    for (size_t at = 0; at < (size_t)n * length; at++)
        CHECK_EQ(all[at], byte_of(n - 1 - (int)(at / length), at % length));
    free(mine);
    free(all);
    return test_finish();
}

int main(int argc, char **argv)
{
    (void)argv;
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    if (n > MOST)
        TEST_SKIP("more than 64 PEs");
    if (argc > 1)
        return long_exchanges();
    members_alone_make_their_team();
    all_may_call();
    lists_are_made_again();
    numbers_are_the_parents();
    bad_lists_are_refused();
    one_failure_is_everybodys();
    exchange_hands_out_all_bytes(SHMEM_TEAM_WORLD);
    exchange_hands_out_all_bytes(SHMEM_TEAM_SHARED);
    return test_finish();
}
