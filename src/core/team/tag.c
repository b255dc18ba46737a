/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See tag.h. A tag consists of, from the top: 24 bits for a PE, 1 bit that says whether that PE leads a
 * team or begins an active set or a list of PEs, 15 bits that tell its teams, sets or lists apart, and 24
 * bits for the sender.
 */
#include "core/team/tag.h"

#include "base/log.h"
#include "core/pe/job.h"
#include "core/pe/wait.h"
#include "core/team/team.h"

#define COUNTER_BITS 15
#define SET_BIT      (UINT64_C(1) << COUNTER_BITS)
#define SIZE_BITS    10
#define NO_PE       ((1 << SHEAF_TAG_PE_BITS) - 1)
#define INCARNATION_SHIFT  17 /* above the bits of PE numbers, in jobs with respawned processes */
#define LIST_STRIDE  UINT64_C(31) /* in the bits where a set has the logarithm of its stride; higher than
                                     any set's */

static uint64_t compose_tag(int pe, uint64_t which)
{
    return ((uint64_t)pe << (COUNTER_BITS + 1) | which) << SHEAF_TAG_PE_BITS;
}

/* A respawned process counts its teams from 1 again. Other members may still hold messages of the dead
 * process's teams. So the tags of a PE's own teams include its incarnation. */
static int pe_of_incarnation(void)
{
    uint32_t state = sheaf_job.control ? sheaf_control_incarnation_state(sheaf_job.control,
                                                                         sheaf_job.pe) : 0;
    return sheaf_job.pe | (int)(state / 2) << INCARNATION_SHIFT;
}

/* Numbers wrap after 32767 teams; those of existing teams are skipped. 0 is the world team's. */
uint64_t sheaf_tag_new(void)
{
    static uint32_t teams;
    uint64_t tag = 0;
    for (uint64_t tries = 0; tries < SET_BIT; tries++) {
        uint32_t number = __atomic_add_fetch(&teams, 1, __ATOMIC_RELAXED) & (SET_BIT - 1);
        tag = compose_tag(pe_of_incarnation(), number);
        if (number != 0 && !sheaf_team_has_tag(tag))
            return tag;
    }
    sheaf_fatal("SH131 %s: PE %d leads %d teams, the most there can be: destroy some",
                sheaf_call.name, sheaf_job.pe, (int)SET_BIT - 1);
}

uint64_t sheaf_tag_of_world(uint32_t deaths)
{
    return compose_tag(NO_PE, deaths & (SET_BIT - 1));
}

/* All members have processed the same deaths. Messages sent before that must not reach the sets made
 * after it. */
static int leader_with_deaths(int leader)
{
    return leader | (int)(sheaf_team_world()->born % 128) << INCARNATION_SHIFT;
}

/* Sets with the same start and stride whose sizes differ by a multiple of 1024 have one tag. Their
 * members make the calls in one order, so messages do not mix unless two threads use both sets at once. */
uint64_t sheaf_tag_of_set(int start, int log_stride, int size)
{
    uint64_t low_size = (uint64_t)size & ((1 << SIZE_BITS) - 1);
    return compose_tag(leader_with_deaths(start), SET_BIT | (uint64_t)log_stride << SIZE_BITS | low_size);
}

/* Lists of one leader may share a tag, as sets may. */
uint64_t sheaf_tag_of_list(int leader, uint64_t hash)
{
    uint64_t which = LIST_STRIDE << SIZE_BITS | hash >> (64 - SIZE_BITS);
    return compose_tag(leader_with_deaths(leader), SET_BIT | which);
}
