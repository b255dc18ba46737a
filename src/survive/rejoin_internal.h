/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What rejoin.c and rejoin_far.c both ask of the deaths that the living have met, and how the heap's blocks
 * are told to a new process.
 */
#ifndef SHEAF_SURVIVE_REJOIN_INTERNAL_H
#define SHEAF_SURVIVE_REJOIN_INTERNAL_H

#include "base/log.h"
#include "core/memory/blocks.h"
#include "survive/failed.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* What the allocator knows, as a new process gets it. */
struct sheaf_saved_heap {
    uint64_t count, high_water;
    struct sheaf_heap_block blocks[];
};

/* What is to be saved, and the bytes that this takes; ends the job when the heap cannot be told. */
static inline struct sheaf_block_list sheaf_rejoin_list_heap(size_t *bytes)
{
    struct sheaf_block_list list;
    if (sheaf_blocks_list(&list) != 0)
        sheaf_fatal("SH301 %s: no memory for what the heap holds", sheaf_call.name);
    *bytes = sizeof(struct sheaf_saved_heap) + list.count * sizeof *list.blocks;
    return list;
}

static inline void sheaf_rejoin_save_heap(struct sheaf_saved_heap *heap,
                                          const struct sheaf_block_list *list)
{
    *heap = (struct sheaf_saved_heap){.count = list->count, .high_water = list->high_water};
    if (list->count)
        memcpy(heap->blocks, list->blocks, list->count * sizeof *list->blocks);
}

static inline int sheaf_rejoin_adopt_heap(struct sheaf_saved_heap *heap)
{
    return sheaf_blocks_adopt(&(struct sheaf_block_list){heap->blocks, heap->count, heap->high_water});
}

/* Whether for each dead PE a process has been asked for, as far as this PE sees. */
static inline bool sheaf_rejoin_all_are_wanted(void)
{
    bool all = true;
    for (int pe = 0; pe < sheaf_job.npes; pe++)
        all &= sheaf_failure_presence(pe) != SHEAF_PE_DEAD;
    return all;
}

/* The lowest that lives by then. */
static inline int sheaf_rejoin_leader(const struct sheaf_team *world, uint32_t deaths)
{
    int rank = 0;
    while (sheaf_failed_by(world, rank, deaths))
        rank++;
    return rank;
}

#endif
