/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The step counters of collectives that work in stages: see coll_internal.h.
 */
#include "coll/coll_internal.h"
#include "core/team/near.h"

#include <stdio.h>

/* For the status board: the rank that this thread waits for. */
static __thread int awaited_rank;

static void describe_step(const void *object, char *text, size_t size)
{
    const struct sheaf_team *team = object;
    snprintf(text, size, "rank %d (PE %d) of a team of %d, to go on", awaited_rank,
             sheaf_team_world_pe(team, awaited_rank), team->size);
}

void sheaf_steps_begin(struct sheaf_team *team)
{
    struct sheaf_member *mine = sheaf_coll_member(team, team->rank);
    uint32_t instance = ++mine->words[SHEAF_WORD_INSTANCE];
    sheaf_store_release(&mine->words[SHEAF_WORD_STEP], instance << 16);
}

void sheaf_steps_reach(struct sheaf_team *team, uint32_t step)
{
    struct sheaf_member *mine = sheaf_coll_member(team, team->rank);
    uint32_t *word = &mine->words[SHEAF_WORD_STEP];
    sheaf_near_store_word(team, word, mine->words[SHEAF_WORD_INSTANCE] << 16 | step);
}

void sheaf_steps_wait(struct sheaf_team *team, int rank, uint32_t step)
{
    uint32_t instance = sheaf_coll_member(team, team->rank)->words[SHEAF_WORD_INSTANCE];
    uint32_t wanted = instance << 16 | step;
    uint32_t *word = &sheaf_coll_member(team, rank)->words[SHEAF_WORD_STEP];
    uint32_t now = sheaf_load_acquire(word);
    if ((int32_t)(now - wanted) >= 0)
        return;
    awaited_rank = rank;
    struct sheaf_wait wait = SHEAF_WAIT_FOR(SHEAF_WAIT_COLLECTIVE, team, describe_step);
    while ((int32_t)(now - wanted) < 0)
        now = sheaf_wait_word(word, &team->block->sleepers, now, &wait);
    sheaf_wait_done(&wait);
}
