/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The bytes that a peer costs which is never addressed, with 100,000 PEs on 1,000 nodes: what the PEs of
 * one node allocate for the predefined teams, each for itself and in the node's control area, and what
 * the control area has for the job's PEs. tests/onnode/peers.py measures what the engines add: an eighth
 * of a byte a context.
 */
#include "simulation.h"
#include "unit.h"

#include "boot/boot.h"
#include "core/pe/job.h"
#include "core/team/multinode.h"
#include "core/team/team_internal.h"
#include "image/control.h"

#include <malloc.h>

enum { NODES = 1000, PER_NODE = 100, PES = NODES * PER_NODE };

static struct sim_pe pe;
struct sim_pe *sim_me = &pe;
int sim_nodes = NODES, sim_per_node = PER_NODE;
size_t sim_heap_bytes;

/* No PE of this program waits or sends. */
void sim_wait_for_word(uint32_t *word, uint32_t old, struct sheaf_pace_wait *wait)
{
    (void)word, (void)old, (void)wait;
    CHECK(false);
}

void sim_wait_for_message(struct sheaf_pace_wait *wait)
{
    (void)wait;
    CHECK(false);
}

void sim_wake(uint32_t *word)
{
    (void)word;
}

void sim_send(int peer, uint64_t tag, const void *source, size_t bytes)
{
    (void)peer, (void)tag, (void)source, (void)bytes;
    CHECK(false);
}

void sim_receive(int peer, uint64_t tag, void *dest, size_t bytes, size_t *remaining)
{
    (void)peer, (void)tag, (void)dest, (void)bytes, (void)remaining;
    CHECK(false);
}

struct sim_pe *sim_pe_of(int number)
{
    (void)number;
    return &pe;
}

static void become_pe(int slot)
{
    sheaf_boot.slot = slot;
    sheaf_job.pe = sheaf_boot.pe = 7 * PER_NODE + slot;
}

static void make_area(struct sheaf_control *header)
{
    size_t arena = (size_t)64 << 20;
    CHECK(sheaf_control_plan(header, PER_NODE, PES, NODES, (uint64_t)1 << 40) == 0);
    struct sheaf_control *control = aligned_alloc(4096, 65536 + arena);
    memset(control, 0, 65536 + arena);
    control->npes = PER_NODE;
    control->arena_offset = 65536;
    control->arena_size = arena;
    sheaf_job.control = control;
}

/* As team.c makes the world team. */
static void make_world(struct sheaf_team *world)
{
    *world = (struct sheaf_team){.identity = 1, .rank = sheaf_job.pe, .size = PES, .stride = 1,
                                 .predefined = true};
    CHECK(sheaf_multinode_make(world) == 0);
    if (sheaf_boot.slot == 0)
        sheaf_job.control->world_block = sheaf_team_block_allocate(world);
    CHECK(sheaf_job.control->world_block &&
          sheaf_team_attach_block(world, sheaf_job.control->world_block) == 0);
    CHECK(world->multinode->nodes == NODES && world->multinode->node == 7 && world->multinode->is_even);
    CHECK(world->multinode->near.size == PER_NODE && world->multinode->near.rank == sheaf_boot.slot);
}

int main(void)
{
    static struct sheaf_team worlds[PER_NODE];
    struct sheaf_control header;
    sheaf_job.npes = sheaf_boot.npes = PES;
    sheaf_boot.nodes = NODES;
    sheaf_boot.node = 7;
    sheaf_boot.node_npes = PER_NODE;
    make_area(&header);
    size_t before = mallinfo2().uordblks;
    for (int slot = 0; slot < PER_NODE; slot++) {
        become_pe(slot);
        make_world(&worlds[slot]);
    }
    double private = (double)(mallinfo2().uordblks - before) / PER_NODE / PES;
    uint64_t area = header.names_offset - header.nodes_offset + sheaf_job.control->arena_used;
    double shared = (double)area / PES;
    printf("%d PEs on %d nodes: %.3f bytes of a PE for each peer, %.1f of its node: %.2f a PE\n", PES,
           NODES, private, shared, private + shared / PER_NODE);
    CHECK(private < 1 && shared < 200 && private + shared / PER_NODE < 100);
    return 0;
}
