/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See space.h. The members need not agree on addresses: each one maps the space where it can. They agree
 * on the space's index in the list, on kind and size, and on whether all of them have succeeded. They also
 * exchange its addresses.
 */
#include "core/space.h"

#include "base/log.h"
#include "base/os/os.h"
#include "boot/boot.h"
#include "core/amo_agree.h"
#include "survive/interface/survival.h"
#include "core/pe/job.h"
#include "core/pe/network.h"
#include "core/space_kind.h"
#include "core/team/agree.h"
#include "core/team/multinode.h"
#include "core/team/note.h"
#include "core/team/sync.h"
#include "core/team/team.h"

#include <stdlib.h>
#include <string.h>

/* The notes of each member, in three exchanges. */
struct request {
    uint64_t free;  /* a bit for each free index of its list */
    uint64_t size;  /* in bytes */
    uint64_t kind;  /* hash of the text */
    uint64_t refused; /* a word: padding would be sent as it is */
};
struct outcome {
    struct sheaf_space_file file;
    uint64_t address;
    uint64_t refused;
};
_Static_assert(sizeof(struct request) <= SHEAF_NOTE_BYTES && sizeof(struct outcome) <= SHEAF_NOTE_BYTES,
               "each is one note");

/* The call under way. */
struct creation {
    struct sheaf_space_wish wish;
    struct sheaf_team *team; /* the space's own */
    struct sheaf_space *space;
    struct sheaf_space_reason why; /* empty while this PE has had no error */
    const char *call, *kind;
    int refusing; /* map_all: the first rank that failed, or -1 */
};

static bool is_refused(const struct creation *creation)
{
    return creation->why.text[0] != '\0';
}

static uint64_t hash_of(const char *text)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return hash;
}

static uint64_t free_indices(void)
{
    uint64_t places = 0;
    for (int i = 0; i < SHEAF_MOST_SPACES; i++)
        places |= (uint64_t)(sheaf_spaces[i].team == NULL) << i;
    return places;
}

/* The first member that failed prints the reason. */
static int report_refusal(const struct creation *creation, int refusing_rank)
{
    if (refusing_rank < 0)
        return 0;
    if (refusing_rank == creation->team->rank)
        sheaf_warn("SH312 %s: no memory space of kind %s and %zu bytes: %s", creation->call, creation->kind,
                   creation->wish.length, creation->why.text);
    return -1;
}

/* The sum of all members' requests. mine: every other request is compared with it. */
struct requests {
    struct request mine;
    uint64_t free;
    int refusing, differing; /* the first rank, or -1 */
};

static void read_request(void *result, int rank, const void *note)
{
    struct requests *requests = result;
    struct request other;
    memcpy(&other, note, sizeof other);
    requests->free &= other.free;
    if (other.refused && requests->refusing < 0)
        requests->refusing = rank;
    if ((other.size != requests->mine.size || other.kind != requests->mine.kind) && requests->differing < 0)
        requests->differing = rank;
}

/* Collective: chooses the lowest index that is free on all members. */
static int agree_on_index(struct creation *creation)
{
    struct sheaf_team *team = creation->team;
    struct requests all = {.mine = {.free = free_indices(), .size = creation->wish.length,
                                    .kind = hash_of(creation->kind), .refused = is_refused(creation)},
                           .free = UINT64_MAX, .refusing = -1, .differing = -1};
    sheaf_team_gather(team, &all.mine, sizeof all.mine, read_request, &all);
    sheaf_sync(team);
    if (all.refusing >= 0)
        return report_refusal(creation, all.refusing);
    if (all.differing >= 0)
        sheaf_fatal("SH121 %s: PE %d asks for another kind or size than PE %d: all members of the team "
                    "must pass the same", creation->call, sheaf_team_world_pe(team, all.differing),
                    sheaf_job.pe);
    if (all.free == 0) {
        sheaf_space_explain(&creation->why, "a PE has %d memory spaces, the most there can be",
                            SHEAF_MOST_SPACES);
        return report_refusal(creation, 0);
    }
    creation->space = &sheaf_spaces[__builtin_ctzll(all.free)];
    return 0;
}

/* Collective. */
static void agree_on_provider(struct creation *creation)
{
    if (!creation->wish.by_network)
        return;
    const char *missing = sheaf_amo_agree_on_space(creation->team->size == sheaf_job.npes);
    if (missing)
        sheaf_space_explain(&creation->why, "%s", missing);
    creation->space->by_network = !missing;
}

/* In a file the blocks keep the offsets of the job that wrote them, so such a space has no guard zones. */
static void map_own(struct creation *creation)
{
    sheaf_space_lock();
    int failed = sheaf_space_map_own(&creation->space->map, &creation->wish, &creation->why);
    sheaf_space_unlock();
    if (failed)
        return;
    bool is_guarded = sheaf_job_checks_memory() && creation->wish.kind != SHEAF_SPACE_FILE;
    int refused = sheaf_guarded_init(&creation->space->blocks, creation->space->map.start,
                                     creation->wish.length, is_guarded, &sheaf_space_freed);
    creation->space->addresses = malloc((size_t)creation->team->size * sizeof *creation->space->addresses);
    if (refused || !creation->space->addresses)
        sheaf_space_explain(&creation->why, "no memory for its bookkeeping");
}

static void map_member(struct creation *creation, int rank, const struct outcome *theirs)
{
    int pe = sheaf_team_world_pe(creation->team, rank);
    if (theirs->refused || is_refused(creation) || sheaf_boot_node_of(pe) != sheaf_boot.node)
        return;
    sheaf_space_map_slot(&creation->space->map, &creation->wish, sheaf_boot_slot_of(pe), rank,
                         &theirs->file, &creation->why);
}

static void read_outcome(void *result, int rank, const void *note)
{
    struct creation *creation = result;
    struct outcome other;
    memcpy(&other, note, sizeof other);
    if (other.refused && creation->refusing < 0)
        creation->refusing = rank;
    if (creation->space->addresses)
        creation->space->addresses[rank] = other.address;
    map_member(creation, rank, &other);
}

/* Collective: every member maps its own memory, and that of the other members of its node. */
static int map_all(struct creation *creation)
{
    map_own(creation);
    struct outcome mine = {.file = creation->space->map.file,
                           .address = (uintptr_t)creation->space->map.start,
                           .refused = is_refused(creation)};
    creation->refusing = -1;
    sheaf_team_gather(creation->team, &mine, sizeof mine, read_outcome, creation);
    sheaf_sync(creation->team);
    return report_refusal(creation, creation->refusing);
}

/* Where the network is the provider it must know each member's copy. */
static void offer_to_network(struct creation *creation)
{
    const struct sheaf_space *space = creation->space;
    unsigned index = (unsigned)(space - sheaf_spaces);
    if (space->by_network && !is_refused(creation) &&
        sheaf_network->offer_space(index, space->map.start, space->map.length) != 0)
        sheaf_space_explain(&creation->why, "the network does not take it, as the line before says");
}

/* Collective: checks that all members have mapped all memory, and offered it. */
static int confirm_mapping(struct creation *creation)
{
    int refusing = sheaf_team_first(creation->team, is_refused(creation));
    sheaf_sync(creation->team);
    return report_refusal(creation, refusing);
}

/* Collective. */
static int make_space(struct creation *creation)
{
    if (agree_on_index(creation) != 0)
        return -1;
    agree_on_provider(creation);
    if (map_all(creation) != 0)
        return -1;
    offer_to_network(creation);
    return confirm_mapping(creation);
}

static void publish_space(struct creation *creation)
{
    struct sheaf_space *space = creation->space;
    unsigned place = (unsigned)(space - sheaf_spaces);
    space->team = creation->team;
    space->members = (struct sheaf_space_members){space->team->size, space->team->start,
                                                  space->team->stride, space->team->table};
    sheaf_space_note(place, &space->map);
    sheaf_store_relaxed(&space->segment.start, space->map.start);
    sheaf_store_release(&space->segment.length, creation->wish.length);
    if (place >= sheaf_space_count)
        sheaf_store_release(&sheaf_space_count, place + 1);
}

static void drop_space(struct sheaf_space *space, bool keep)
{
    if (space->by_network)
        sheaf_network->withdraw_space((unsigned)(space - sheaf_spaces));
    space->by_network = false;
    sheaf_store_release(&space->segment.length, 0);
    sheaf_space_note((unsigned)(space - sheaf_spaces), NULL);
    sheaf_space_lock();
    sheaf_guarded_fini(&space->blocks);
    sheaf_freed_forget(&sheaf_space_freed, space->map.start, space->map.length);
    sheaf_space_unmap(&space->map, keep);
    free(space->addresses);
    space->addresses = NULL;
    space->team = NULL;
    sheaf_space_unlock();
}

/* Makes the space's own team, since the program may destroy the team that it passed. */
static int make_team(struct creation *creation, struct sheaf_team *parent)
{
    shmem_team_t made;
    if (sheaf_team_split_strided(parent, 0, 1, parent->size, NULL, 0, &made) != 0) {
        sheaf_warn("SH301 %s: no memory for a team of %d PEs", creation->call, parent->size);
        return -1;
    }
    creation->team = made;
    creation->wish.rank = creation->team->rank;
    creation->wish.size = creation->team->size;
    return 0;
}

/* The space that this thread is creating, for abandon_creation(): a member may die meanwhile. */
static __thread struct sheaf_space **space_in_creation;

static void abandon_creation(void)
{
    if (*space_in_creation)
        drop_space(*space_in_creation, false);
}

int sheaf_space_create(struct sheaf_team *team, const char *kind, size_t size, struct sheaf_space **space,
                       const char *call)
{
    SHEAF_KEEP_ERRNO;
    struct creation creation = {.call = call, .kind = kind ? kind : "(null)"};
    *space = NULL;
    if (!team || make_team(&creation, team) != 0)
        return -1;
    creation.wish.length = size;
    space_in_creation = &creation.space;
    sheaf_survival->set_cleanup(abandon_creation);
    sheaf_space_read_kind(creation.kind, &creation.wish, &creation.why);
    bool is_made = make_space(&creation) == 0;
    if (is_made) {
        publish_space(&creation);
        *space = creation.space;
    } else if (creation.space) {
        drop_space(creation.space, false);
    }
    sheaf_sync(creation.team);
    sheaf_survival->set_cleanup(NULL);
    if (!is_made)
        sheaf_team_destroy(creation.team);
    return is_made ? 0 : -1;
}

struct sheaf_space *sheaf_space_require(struct sheaf_space *handle, const char *call)
{
    uintptr_t offset = (uintptr_t)handle - (uintptr_t)sheaf_spaces;
    sheaf_job_require(call);
    if (offset % sizeof *handle != 0 || offset >= sizeof sheaf_spaces || handle->segment.length == 0)
        sheaf_fatal("SH133 %s: space is %p, the handle of no memory space: pass what shmemx_space_create "
                    "gave", call, (void *)handle);
    return handle;
}

void sheaf_space_destroy(struct sheaf_space *space, const char *call)
{
    SHEAF_KEEP_ERRNO;
    struct sheaf_team *team = space->team;
    sheaf_agree_enter(team, call);
    sheaf_space_barrier(space);
    drop_space(space, true);
    sheaf_team_destroy(team);
}

void sheaf_space_destroy_all(void)
{
    for (int i = 0; i < SHEAF_MOST_SPACES; i++)
        if (sheaf_spaces[i].team)
            drop_space(&sheaf_spaces[i], true);
}
