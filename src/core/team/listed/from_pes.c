/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See from_pes.h. The members on a node find their block in the control area's list (listing.h). Then all
 * members exchange one note, with a tag computed from the list of PEs. The note says whether all have
 * succeeded, and gives the tag that the team has from then on.
 */
#include "core/team/listed/from_pes.h"

#include "base/log.h"
#include "core/pe/job.h"
#include "core/pe/mpi_world.h"
#include "core/team/history.h"
#include "core/team/listed/listing.h"
#include "core/team/multinode.h"
#include "core/team/note.h"
#include "core/team/tag.h"
#include "core/team/team_internal.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* The call under way. pes: numbers of the world. */
struct call {
    const char *name;
    int *pes;
    int size;
    int rank; /* this PE's rank in the list, or -1 */
    uint64_t hash;
};

/* The note of each member. */
struct note {
    uint64_t hash;
    uint64_t tag; /* from the first member of a team that spans nodes */
    uint64_t failed; /* a word: padding would be sent as it is */
};

struct collected_notes {
    const struct call *call;
    uint64_t tag;
    bool failed;
};

/* Fills in pes, rank and hash. Returns -1 where the list is not valid. */
static int read_list(struct call *call, const struct sheaf_team *parent, const int *pes)
{
    bool *seen = calloc((size_t)parent->size, sizeof *seen);
    int bad = -1;
    if (!seen)
        sheaf_fatal("SH301 %s: no memory for a list of %d PEs", call->name, call->size);
    call->hash = UINT64_C(0xcbf29ce484222325);
    for (int i = 0; i < call->size && bad < 0; i++) {
        if (pes[i] < 0 || pes[i] >= parent->size || seen[pes[i]]) {
            bad = i;
            continue;
        }
        seen[pes[i]] = true;
        call->pes[i] = sheaf_team_world_pe(parent, pes[i]);
        call->hash = (call->hash ^ (uint64_t)call->pes[i]) * UINT64_C(0x100000001b3);
        if (call->pes[i] == sheaf_job.pe)
            call->rank = i;
    }
    free(seen);
    if (bad >= 0)
        sheaf_debug("%s: pes[%d] is %d, which is none of the parent's %d PEs, or is listed twice",
                    call->name, bad, pes[bad], parent->size);
    return bad < 0 ? 0 : -1;
}

/* How often a list of PEs has made a team; the number is the same on all its members. */
struct list {
    uint64_t hash;
    uint64_t times;
    struct list *next;
};

static uint64_t times_made(uint64_t hash)
{
    static struct list *lists;
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    struct list *list = lists;
    while (list && list->hash != hash)
        list = list->next;
    if (!list && (list = calloc(1, sizeof *list))) {
        *list = (struct list){.hash = hash, .next = lists};
        lists = list;
    }
    uint64_t times = list ? ++list->times : 0;
    pthread_mutex_unlock(&lock);
    return times;
}

static int *copy_list(const struct call *call)
{
    size_t bytes = (size_t)call->size * sizeof *call->pes;
    int *pes = malloc(bytes);
    if (!pes)
        sheaf_fatal("SH301 %s: no memory for a list of %d PEs", call->name, call->size);
    return memcpy(pes, call->pes, bytes);
}

/* Makes the team, except for the exchange between its members. */
static struct sheaf_team *prepare_team(struct call *call)
{
    struct sheaf_team *team = sheaf_team_new();
    uint64_t block = 0;
    int failed = !team;
    if (team) {
        int *pes = copy_list(call);
        sheaf_team_list(team, pes, call->size);
        team->rank = call->rank;
        failed = sheaf_multinode_make(team) != 0;
    }
    if (!failed && sheaf_job.control) {
        struct sheaf_listing wanted = {SHEAF_LISTING_PES, call->pes, call->size,
                                       sheaf_team_near(team)->size, false};
        block = sheaf_listing_block(team, &wanted);
        if (wanted.is_reordered && sheaf_job.thread_level != SHMEM_THREAD_MULTIPLE)
            sheaf_fatal("SH121 %s: another PE passes the same PEs in another order than PE %d: all members "
                        "must pass the same list", call->name, sheaf_job.pe);
        failed = block == 0;
    }
    if (!failed)
        team->identity =
            sheaf_history_identity(NULL, call->hash, (uint64_t)call->size, times_made(call->hash));
    if (failed || sheaf_team_attach_block(team, block) != 0)
        sheaf_fatal("SH301 %s: no memory for a team of %d PEs", call->name, call->size);
    return team;
}

static void read_note(void *result, int rank, const void *from)
{
    struct collected_notes *heard = result;
    const struct note *note = from;
    if (note->hash != heard->call->hash)
        sheaf_fatal("SH121 %s: PE %d passes another list than PE %d: all members must pass the same",
                    heard->call->name, heard->call->pes[rank], sheaf_job.pe);
    heard->failed |= note->failed != 0;
    if (rank == 0)
        heard->tag = note->tag;
}

/* Collective over the team. */
static int exchange_notes(struct sheaf_team *team, const struct call *call, bool failed)
{
    struct note mine = {.hash = call->hash, .failed = failed};
    struct collected_notes heard = {.call = call};
    if (team->multinode) {
        team->multinode->tag = sheaf_tag_of_list(call->pes[0], call->hash);
        if (team->rank == 0)
            mine.tag = sheaf_tag_new();
    }
    sheaf_team_gather(team, &mine, sizeof mine, read_note, &heard);
    if (team->multinode)
        team->multinode->tag = heard.tag;
    return heard.failed ? -1 : 0;
}

static int make_team(struct call *call, const struct sheaf_team *parent, const shmem_team_config_t *config,
                     long mask, shmem_team_t *made)
{
    bool has_contexts = mask & SHMEM_TEAM_NUM_CONTEXTS;
    struct sheaf_team *team = prepare_team(call);
    struct sheaf_record *record = sheaf_history_begin(team, SHEAF_WAITS_FOR_ALL, SHEAF_NO_BYTES);
    team->node_domain = parent->node_domain;
    if (has_contexts && config)
        team->num_contexts = config->num_contexts;
    int failed = exchange_notes(team, call, has_contexts && !config);
    sheaf_record_end(record);
    free(call->pes);
    if (failed) {
        sheaf_team_discard(team);
        return -1;
    }
    sheaf_team_enlist(team);
    *made = team;
    return 0;
}

int sheaf_team_from_pes(struct sheaf_team *parent, const int *pes, int size,
                        const shmem_team_config_t *config, long mask, shmem_team_t *team,
                        const char *name)
{
    struct call call = {.name = name, .size = size, .rank = -1};
    *team = SHMEM_TEAM_INVALID;
    if (!parent || !pes || size < 1 || size > parent->size)
        return -1;
    sheaf_mpi_world_compare();
    call.pes = malloc((size_t)size * sizeof *call.pes);
    if (!call.pes)
        sheaf_fatal("SH301 %s: no memory for a list of %d PEs", name, size);
    int failed = read_list(&call, parent, pes);
    if (failed || call.rank < 0) {
        free(call.pes);
        return failed;
    }
    return make_team(&call, parent, config, mask, team);
}
