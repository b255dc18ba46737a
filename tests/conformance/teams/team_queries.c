/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Queries of teams: what SHMEM_TEAM_INVALID answers, translation, configurations; predefined
 * handles as constants in static initializers.
 */
#include "check.h"

#include <string.h>

static shmem_team_t static_world = SHMEM_TEAM_WORLD;
static shmem_team_t static_shared = SHMEM_TEAM_SHARED;
static const shmem_team_t static_invalid = SHMEM_TEAM_INVALID;
static shmem_ctx_t static_default = SHMEM_CTX_DEFAULT;
static _Thread_local shmem_ctx_t thread_local_context = SHMEM_CTX_INVALID;
static struct {
    shmem_team_t team;
    shmem_ctx_t ctx;
} in_struct[] = {{SHMEM_TEAM_WORLD, SHMEM_CTX_DEFAULT}, {SHMEM_TEAM_INVALID, SHMEM_CTX_INVALID}};
static long object;

static void handles_work_in_static_initializers(int me, int n)
{
    CHECK(static_world == SHMEM_TEAM_WORLD);
    CHECK_EQ(shmem_team_n_pes(static_world), n);
    CHECK_EQ(shmem_team_my_pe(in_struct[0].team), me);
    CHECK(shmem_team_n_pes(static_shared) >= 1);
    CHECK(static_shared != static_world);
    CHECK(static_invalid == in_struct[1].team);
    CHECK(thread_local_context == SHMEM_CTX_INVALID);
    CHECK(in_struct[1].ctx == thread_local_context);
    CHECK(static_default != SHMEM_CTX_INVALID);
    shmem_ctx_long_p(static_default, &object, me + 1, (me + 1) % n);
    shmem_ctx_quiet(in_struct[0].ctx);
    CHECK_EQ(shmem_team_sync(static_world), 0);
    CHECK_EQ(object, (me + n - 1) % n + 1);
    CHECK_EQ(shmem_ctx_create(0, &thread_local_context), 0);
    CHECK(thread_local_context != SHMEM_CTX_INVALID);
    shmem_ctx_destroy(thread_local_context);
}

static void my_pe_and_n_pes_of_invalid_are_minus_one(void)
{
    CHECK_EQ(shmem_team_my_pe(SHMEM_TEAM_INVALID), -1);
    CHECK_EQ(shmem_team_n_pes(SHMEM_TEAM_INVALID), -1);
}

static void translate_is_minus_one_when_not_in_both(int me, int n)
{
    shmem_team_t first_half;
    const int half = (n + 1) / 2;
    CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, half, NULL, 0, &first_half), 0);
    CHECK_EQ(shmem_team_translate_pe(SHMEM_TEAM_INVALID, 0, SHMEM_TEAM_WORLD), -1);
    CHECK_EQ(shmem_team_translate_pe(SHMEM_TEAM_WORLD, 0, SHMEM_TEAM_INVALID), -1);
    CHECK_EQ(shmem_team_translate_pe(SHMEM_TEAM_INVALID, 0, SHMEM_TEAM_INVALID), -1);
    CHECK_EQ(shmem_team_translate_pe(SHMEM_TEAM_WORLD, n, SHMEM_TEAM_WORLD), -1);
    CHECK_EQ(shmem_team_translate_pe(SHMEM_TEAM_WORLD, -1, SHMEM_TEAM_WORLD), -1);
    CHECK_EQ(shmem_team_translate_pe(SHMEM_TEAM_WORLD, n - 1, SHMEM_TEAM_WORLD), n - 1);
    if (me >= half) {
        CHECK(first_half == SHMEM_TEAM_INVALID);
        CHECK_EQ(shmem_team_translate_pe(first_half, 0, SHMEM_TEAM_WORLD), -1);
        return;
    }
    for (int pe = 0; pe < n; pe++)
        CHECK_EQ(shmem_team_translate_pe(SHMEM_TEAM_WORLD, pe, first_half), pe < half ? pe : -1);
    CHECK_EQ(shmem_team_translate_pe(first_half, half, SHMEM_TEAM_WORLD), -1);
    shmem_team_destroy(first_half);
}

static void get_config_of_invalid_writes_nothing(void)
{
    shmem_team_config_t config = {.num_contexts = 12345};
    CHECK(shmem_team_get_config(SHMEM_TEAM_INVALID, SHMEM_TEAM_NUM_CONTEXTS, &config) != 0);
    CHECK_EQ(config.num_contexts, 12345);
}

static void get_config_with_mask_zero_does_nothing(void)
{
    shmem_team_config_t config = {.num_contexts = 12345};
    CHECK_EQ(shmem_team_get_config(SHMEM_TEAM_WORLD, 0, NULL), 0);
    CHECK_EQ(shmem_team_get_config(SHMEM_TEAM_WORLD, 0, &config), 0);
    CHECK_EQ(config.num_contexts, 12345);
}

static void config_may_be_null_with_mask_zero_and_is_ignored_then(int n)
{
    shmem_team_t teams[3];
    shmem_team_config_t config = {.num_contexts = -99};
    CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &teams[0]), 0);
    CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, &config, 0, &teams[1]), 0);
    CHECK_EQ(config.num_contexts, -99);
    config.num_contexts = 4;
    CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, &config, SHMEM_TEAM_NUM_CONTEXTS,
                                      &teams[2]),
             0);
    for (int i = 0; i < 3; i++) {
        memset(&config, 0xff, sizeof config);
        CHECK_EQ(shmem_team_get_config(teams[i], SHMEM_TEAM_NUM_CONTEXTS, &config), 0);
        CHECK(config.num_contexts >= (i == 2 ? 4 : 0));
        shmem_team_destroy(teams[i]);
    }
}

/* More than asked for, also where none was: the number is a hint here. */
static void num_contexts_is_no_cap(int n)
{
    enum { ASKED = 2, CONTEXTS = 9 };
    const shmem_team_config_t config = {.num_contexts = ASKED};
    for (int masked = 0; masked < 2; masked++) {
        shmem_team_t team;
        shmem_ctx_t contexts[CONTEXTS];
        CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, &config,
                                          masked ? SHMEM_TEAM_NUM_CONTEXTS : 0, &team),
                 0);
        for (int i = 0; i < CONTEXTS; i++)
            CHECK_EQ(shmem_team_create_ctx(team, 0, &contexts[i]), 0);
        for (int i = 0; i < CONTEXTS; i++)
            shmem_ctx_destroy(contexts[i]);
        shmem_team_destroy(team);
    }
}

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe();
    const int n = shmem_n_pes();
    handles_work_in_static_initializers(me, n);
    my_pe_and_n_pes_of_invalid_are_minus_one();
    translate_is_minus_one_when_not_in_both(me, n);
    get_config_of_invalid_writes_nothing();
    get_config_with_mask_zero_does_nothing();
    config_may_be_null_with_mask_zero_and_is_ignored_then(n);
    num_contexts_is_no_cap(n);
    return test_finish();
}
