/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Broadcast: what the root has, everybody gets. A small payload travels in the root's note; a
 * large one is read straight from the root's source.
 */
#include "coll/choice.h"
#include "coll/coll_internal.h"
#include "coll/multinode.h"
#include "core/team/agree.h"
#include "core/memory/check.h"
#include "core/memory/symmetric.h"

struct broadcast {
    void *dest;
    const void *source;
    size_t bytes;
    int root;
    bool on_root; /* the root's dest is written too */
};
typedef void broadcast_algorithm(struct sheaf_team *team, const struct broadcast *call);

static void copy_on_root(const struct broadcast *call)
{
    if (call->on_root)
        sheaf_coll_copy(call->dest, call->source, call->bytes);
}

static void read_from(struct sheaf_team *team, int rank, const struct broadcast *call)
{
    const void *from = rank == call->root ? call->source : call->dest;
    sheaf_copy_part(call->dest, sheaf_coll_peer(team, rank, from, call->bytes), call->bytes,
                    call->bytes);
}

static void note(struct sheaf_team *team, const struct broadcast *call)
{
    sheaf_broadcast_by_note(team, call->dest, call->source, call->bytes, call->root);
    if (team->rank == call->root)
        copy_on_root(call);
}

static void pull(struct sheaf_team *team, const struct broadcast *call)
{
    sheaf_coll_announce(team);
    if (team->rank == call->root) {
        copy_on_root(call);
    } else {
        sheaf_note_wait(team, call->root);
        read_from(team, call->root, call);
    }
    sheaf_coll_leave(team);
}

static void push(struct sheaf_team *team, const struct broadcast *call)
{
    sheaf_coll_announce(team);
    if (team->rank == call->root) {
        copy_on_root(call);
        for (int distance = 1; distance < team->size; distance++) {
            int rank = sheaf_coll_after(team, distance);
            sheaf_note_wait(team, rank);
            sheaf_copy_part(sheaf_coll_peer(team, rank, call->dest, call->bytes), call->source,
                            call->bytes, call->bytes * (size_t)(team->size - 1));
        }
    }
    sheaf_coll_leave(team);
}

/* With ranks counted from the root, the parent of r is r without its lowest set bit. */
static void binomial(struct sheaf_team *team, const struct broadcast *call)
{
    int place = (team->rank - call->root + team->size) % team->size;
    sheaf_steps_begin(team);
    if (place == 0) {
        copy_on_root(call);
    } else {
        int parent = ((place & (place - 1)) + call->root) % team->size;
        sheaf_steps_wait(team, parent, 1);
        read_from(team, parent, call);
    }
    sheaf_steps_reach(team, 1);
    sheaf_coll_leave(team);
}

static broadcast_algorithm *const algorithms[SHEAF_BROADCAST_ALGORITHMS] = {
    [SHEAF_BROADCAST_NOTE] = note,
    [SHEAF_BROADCAST_PUSH] = push,
    [SHEAF_BROADCAST_PULL] = pull,
    [SHEAF_BROADCAST_BINOMIAL] = binomial,
};

/* All but the note reach into the members' buffers: the root's source, and the others' dest. */
static broadcast_algorithm *choose(const struct sheaf_team *team, const struct broadcast *call)
{
    int algorithm = sheaf_choose(SHEAF_BROADCAST, team->size, call->bytes);
    bool is_root = team->rank == call->root;
    if (algorithm != SHEAF_BROADCAST_NOTE)
        sheaf_symmetric_require(is_root ? call->source : call->dest, call->bytes, sheaf_call.name);
    return algorithms[algorithm];
}

int sheaf_broadcast(struct sheaf_team *team, void *dest, const void *source, size_t bytes, int root,
                    bool on_root)
{
    struct broadcast call = {dest, source, bytes, root, on_root};
    sheaf_agree_on_number(team, "the size in bytes", (ptrdiff_t)bytes);
    sheaf_agree_on_number(team, "PE_root", root);
    struct sheaf_record *record = sheaf_coll_begin(team, root, bytes);
    if (bytes == 0)
        return sheaf_coll_end(record);
    sheaf_agree_on_object(team, "dest", dest);
    sheaf_agree_on_object(team, "source", source);
    sheaf_check_buffers(dest, bytes, source, bytes, true, sheaf_call.name);
    if (team->size == 1)
        copy_on_root(&call);
    else if (sheaf_unlikely(team->multinode != NULL))
        sheaf_multinode_broadcast(team, dest, source, bytes, root, on_root);
    else
        choose(team, &call)(team, &call);
    return sheaf_coll_end(record);
}
