/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The world team of simulated PEs, around their program: simulation.h.
 */
#include "simulation.h"
#include "unit.h"

#include "boot/boot.h"
#include "core/pe/job.h"
#include "core/team/multinode.h"
#include "core/team/team_internal.h"

static struct {
    sim_program *program;
    void *argument;
} inner;

/* The world team of the PE that runs, in the block that its node's first PE makes. */
static void make_world(void)
{
    struct sheaf_team *world = calloc(1, sizeof *world);
    *world = (struct sheaf_team){.identity = 1, .rank = sim_me->pe, .size = sheaf_job.npes, .stride = 1,
                                 .predefined = true};
    sim_me->world = world;
    CHECK(sheaf_multinode_make(world) == 0);
    if (sim_me->slot == 0)
        sheaf_job.control->world_block = sheaf_team_block_allocate(world);
    uint64_t block = sheaf_job.control->world_block;
    CHECK(block && sheaf_team_attach_block(world, block) == 0);
}

static void drop_world(void)
{
    struct sheaf_team *world = sim_me->world;
    sheaf_multinode_free(world);
    free(world);
}

static void run_with_world(void *unused)
{
    (void)unused;
    make_world();
    sim_begin();
    inner.program(inner.argument);
    drop_world();
}

void sim_run_with_world(int nodes, int per_node, size_t heap_bytes, const struct wire *wire,
                        sim_program *program, void *argument)
{
    inner.program = program;
    inner.argument = argument;
    sim_run(nodes, per_node, heap_bytes, wire, run_with_world, NULL);
}
