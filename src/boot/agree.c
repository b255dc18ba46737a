/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the nodes have to agree on once each has mapped its image.
 */
#include "boot/boot.h"

#include "base/log.h"
#include "base/settings/names.h"
#include "boot/end/watch_hosts.h"
#include "boot/replicated_log/agent_client.h"
#include "image/image.h"

#include <stdlib.h>

/* What a node's layout came to. */
struct outcome {
    uint64_t heap_limit;
    uint64_t heap_alignment;
    uint64_t team_end; /* of team memory, from the heap's first byte; 0: there is none */
    uint64_t atomics; /* enum sheaf_atomics */
};
#define OUTCOME_KEY "layout"

static int check_atomics(uint64_t mine, uint64_t others, int pe)
{
    if (mine == others)
        return 0;
    sheaf_error("SH205 SHEAF_ATOMICS is \"%s\" for this PE and \"%s\" for PE %d on host %s; all PEs must "
                "have the same: hand it to all hosts (mpirun -x SHEAF_ATOMICS, mpiexec.hydra -genvall)",
                sheaf_atomics_names[mine], sheaf_atomics_names[others], pe, sheaf_boot_host_of(pe));
    return -1;
}

/* The lowest PE of a node reads the others'; for its node it is the control area that tells. */
static int collect(struct sheaf_control *control)
{
    for (int node = 0; node < control->nodes; node++) {
        struct outcome *other;
        size_t bytes;
        if (node == sheaf_boot.node)
            continue;
        int leader = sheaf_boot_leader_of(node);
        if (sheaf_boot_get(leader, OUTCOME_KEY, (void **)&other, &bytes) != 0 ||
            bytes != sizeof *other) {
            sheaf_error("SH609 PE %d on host %s has not published the size of its heap", leader,
                        sheaf_boot_host_of(leader));
            return -1;
        }
        if (check_atomics(control->atomics, other->atomics, leader) != 0)
            return -1;
        if (other->heap_limit < control->heap_limit)
            control->heap_limit = other->heap_limit;
        if (other->heap_alignment < control->heap_alignment)
            control->heap_alignment = other->heap_alignment;
        if (other->team_end < control->team_end)
            control->team_end = other->team_end;
        free(other);
    }
    return 0;
}

static void reduce_heap(const struct sheaf_control *control)
{
    sheaf_image_reduce_heap(control->heap_limit, control->heap_alignment, control->team_end);
}

int sheaf_boot_agree(int atomics)
{
    struct sheaf_control *control = sheaf_image.control;
    struct outcome mine = {sheaf_image.segments[SHEAF_SEGMENT_HEAP].length, sheaf_image.heap_alignment,
                           sheaf_image.team.length ? sheaf_image.heap_length : 0, (uint64_t)atomics};
    if (sheaf_boot.nodes == 1)
        return 0;
    if (sheaf_boot.is_respawned) {
        reduce_heap(control);
        return 0;
    }
    bool leads = sheaf_boot.slot == 0;
    sheaf_watch_hosts_publish();
    if (sheaf_agent_publish() != 0)
        return -1;
    if (leads) {
        control->heap_limit = mine.heap_limit;
        control->heap_alignment = mine.heap_alignment;
        control->team_end = mine.team_end;
        control->atomics = mine.atomics;
    }
    if ((leads && sheaf_boot_put(OUTCOME_KEY, &mine, sizeof mine) != 0) || sheaf_boot_fence() != 0 ||
        (leads && collect(control) != 0))
        return -1;
    sheaf_control_barrier(control);
    if (check_atomics(mine.atomics, control->atomics, sheaf_boot_pe_at(0)) != 0)
        return -1;
    sheaf_watch_hosts_hold();
    if (sheaf_agent_connect() != 0)
        return -1;
    reduce_heap(control);
    return 0;
}
