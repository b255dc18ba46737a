/* SPDX-License-Identifier: BSD-3-Clause
 * See meet.h.
 */
#include "snapshot/meet.h"

#include "base/log.h"
#include "core/access/context.h"
#include "core/access/order.h"
#include "core/pe/job.h"
#include "core/team/note.h"
#include "core/team/sync.h"

#include <string.h>

int sheaf_snapshot_meet(struct sheaf_team *team, const struct sheaf_snapshot_reason *why, const char *call,
                        const char *doing)
{
    int refusing = sheaf_team_first(team, why->text[0] != '\0');
    if (refusing == team->rank)
        sheaf_warn("%s: %s: %s", call, doing, why->text);
    sheaf_sync(team);
    return refusing < 0 ? 0 : -1;
}

static void hear_id(void *result, int rank, const void *note)
{
    if (rank == 0)
        memcpy(result, note, sizeof(struct sheaf_snapshot_id));
}

struct sheaf_snapshot_id sheaf_snapshot_share_id(struct sheaf_team *team,
                                                 const struct sheaf_snapshot_id *mine)
{
    struct sheaf_snapshot_id first = *mine;
    sheaf_team_gather(team, mine, sizeof *mine, hear_id, &first);
    sheaf_sync(team);
    return first;
}

static void quiet_contexts(const struct sheaf_team *team)
{
    for (struct sheaf_context *context = team->contexts; context; context = context->next)
        sheaf_context_quiet(context);
}

/* Another thread's contexts are its own affair. */
void sheaf_snapshot_settle(struct sheaf_team *team)
{
    if (sheaf_job.thread_level != SHMEM_THREAD_MULTIPLE) {
        quiet_contexts(sheaf_team_world());
        quiet_contexts(sheaf_team_find(SHMEM_TEAM_SHARED, "shmemx_snapshot"));
        for (const struct sheaf_team *other = NULL; (other = sheaf_team_next(other));)
            quiet_contexts(other);
    }
    sheaf_quiet();
    sheaf_sync(team);
}
