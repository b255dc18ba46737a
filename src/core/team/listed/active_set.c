/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See active_set.h. An active set has no parent team: see listing.h. Its team is cached until finalize.
 */
#include "core/team/listed/active_set.h"

#include "base/log.h"
#include "core/team/agree.h"
#include "core/pe/job.h"
#include "core/team/history.h"
#include "core/team/listed/listing.h"
#include "core/team/multinode.h"
#include "core/team/tag.h"
#include "core/team/team_internal.h"

#include <pthread.h>
#include <stdlib.h>

static struct sheaf_team *cached_sets;
static pthread_mutex_t cached_lock = PTHREAD_MUTEX_INITIALIZER;

/* The list's entry stays, since some members may never call. */
static uint64_t find_block(struct sheaf_team *team, int log_stride)
{
    const int set[] = {team->start, log_stride, team->size, (int)sheaf_team_world()->born};
    if (!sheaf_job.control)
        return 0;
    return sheaf_listing_block(team, &(struct sheaf_listing){
        .kind = SHEAF_LISTING_ACTIVE_SET, .key = set, .length = sizeof set / sizeof *set});
}

static struct sheaf_team *make_set(int start, int log_stride, int size, const char *call)
{
    struct sheaf_team *team = calloc(1, sizeof *team);
    if (!team)
        sheaf_fatal("SH301 %s: no memory for an active set of %d PEs", call, size);
    team->start = start;
    team->stride = 1 << log_stride;
    team->size = size;
    team->rank = (sheaf_job.pe - start) >> log_stride;
    team->identity = sheaf_history_identity(NULL, (uint64_t)start, (uint64_t)log_stride, (uint64_t)size);
    int failed = sheaf_multinode_make(team);
    uint64_t block = failed ? 0 : find_block(team, log_stride);
    if (team->multinode)
        team->multinode->tag = sheaf_tag_of_set(start, log_stride, size);
    if (failed || (sheaf_job.control && !block) || sheaf_team_attach_block(team, block) != 0)
        sheaf_fatal("SH301 %s: no memory for an active set of %d PEs", call, size);
    return team;
}

static void check_set(int start, int log_stride, int size, const char *call)
{
    if (start < 0 || log_stride < 0 || log_stride > 30 || size < 1 ||
        start + ((long)(size - 1) << log_stride) >= sheaf_job.npes)
        sheaf_fatal("SH116 %s: the active set (start %d, log2 stride %d, size %d) is not within PEs 0 to "
                    "%d", call, start, log_stride, size, sheaf_job.npes - 1);
}

/* In old programs every PE makes the call; other libraries return at once on PEs outside the set. */
static bool is_member(int start, int log_stride, int size, const char *call)
{
    int distance = sheaf_job.pe - start;
    if (distance >= 0 && distance >> log_stride < size && distance % (1 << log_stride) == 0)
        return true;
    if (sheaf_job_checks_args())
        sheaf_fatal("SH116 %s: PE %d is not in the active set (start %d, stride 2^%d, size %d) that it "
                    "calls for", call, sheaf_job.pe, start, log_stride, size);
    return false;
}

struct sheaf_team *sheaf_team_active_set(int start, int log_stride, int size, const char *call)
{
    sheaf_job_require(call);
    check_set(start, log_stride, size, call);
    if (!is_member(start, log_stride, size, call))
        return NULL;
    pthread_mutex_lock(&cached_lock);
    struct sheaf_team *team = cached_sets;
    while (team && (team->start != start || team->stride != 1 << log_stride || team->size != size))
        team = team->next;
    if (!team) {
        team = make_set(start, log_stride, size, call);
        team->next = cached_sets;
        cached_sets = team;
    }
    pthread_mutex_unlock(&cached_lock);
    sheaf_agree_enter(team, call);
    return team;
}

/* A block with other members stays, since these may never have called; it and the list's entries are
 * freed at the next initialization. */
void sheaf_active_sets_fini(void)
{
    while (cached_sets) {
        struct sheaf_team *next = cached_sets->next;
        sheaf_history_close(cached_sets);
        if (!cached_sets->block_offset)
            free(cached_sets->block);
        else if (sheaf_team_near(cached_sets)->size == 1)
            sheaf_team_block_release(cached_sets->block_offset, cached_sets);
        sheaf_team_drop(cached_sets);
        cached_sets = next;
    }
}
