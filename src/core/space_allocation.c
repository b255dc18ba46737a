/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Blocks of a memory space, by the heap's allocator, over the members of the space's team. All members run
 * it on the same calls and so agree without a message, except on the memory that their nodes have left.
 */
#include "core/space.h"

#include "base/log.h"
#include "core/access/order.h"
#include "core/memory/address_text.h"
#include "core/memory/block_rules.h"
#include "core/pe/call.h"
#include "core/team/agree.h"
#include "core/team/history.h"
#include "core/team/multinode.h"
#include "core/team/note.h"
#include "core/team/sync.h"

#include <stdint.h>
#include <string.h>

void sheaf_space_barrier(struct sheaf_space *space)
{
    sheaf_quiet_before_sync();
    sheaf_sync(space->team);
}

/* Huge pages and files got their memory when the space was made. */
static bool node_is_short_of(const struct sheaf_space *space, size_t size)
{
    struct sheaf_team *near = sheaf_team_near(space->team);
    return near->rank == 0 && space->map.kind != SHEAF_SPACE_FILE && space->map.fd < 0 &&
           sheaf_block_overfills_node(size, near->size);
}

/* Collective, also a barrier. Returns whether some node has too little memory. */
static bool barrier_with_verdict(struct sheaf_space *space, size_t size)
{
    if (size < SHEAF_BLOCK_LARGE) {
        sheaf_space_barrier(space);
        return false;
    }
    sheaf_quiet_before_sync();
    int refusing = sheaf_team_first(space->team, node_is_short_of(space, size));
    sheaf_sync(space->team);
    return refusing >= 0;
}

static size_t take_block(struct sheaf_space *space, size_t size, size_t alignment)
{
    sheaf_space_lock();
    size_t offset = sheaf_guarded_allocate(&space->blocks, size, alignment, SIZE_MAX);
    sheaf_space_unlock();
    return offset;
}

static size_t release_block(struct sheaf_space *space, size_t offset)
{
    sheaf_space_lock();
    size_t size = sheaf_guarded_release(&space->blocks, offset);
    sheaf_space_unlock();
    return size;
}

/* The alignment for the allocator; 0 where no block can have it. */
static size_t alignment_of_offset(const struct sheaf_space *space, size_t alignment, const char *call)
{
    if (!sheaf_block_is_power_of_two(alignment, call))
        return 0;
    if (alignment > space->map.alignment) {
        sheaf_debug("%s: alignment %zu is larger than %zu, the most in a space of %zu bytes", call,
                    alignment, space->map.alignment, space->segment.length);
        return 0;
    }
    return sheaf_block_alignment(alignment);
}

static void explain_full(const struct sheaf_space *space, size_t size, const char *call)
{
    struct sheaf_heap_usage usage;
    sheaf_heap_usage(space->blocks.heap, &usage);
    sheaf_debug("%s: no room for %zu bytes: %zu of %zu bytes of the memory space are in use in %zu blocks",
                call, size, usage.live, usage.limit, usage.blocks);
}

static void *allocate_block(struct sheaf_space *space, size_t size, size_t alignment, bool zeroed,
                            const char *call)
{
    size_t offset = take_block(space, size, alignment);
    if (offset == SHEAF_HEAP_FULL) {
        explain_full(space, size, call);
        sheaf_space_barrier(space);
        return NULL;
    }
    char *block = space->segment.start + offset;
    if (zeroed)
        memset(block, 0, size);
    if (barrier_with_verdict(space, size)) {
        sheaf_debug("%s: a node has too little memory left for %zu bytes on each PE", call, size);
        release_block(space, offset);
        return NULL;
    }
    return block;
}

void *sheaf_space_allocate(struct sheaf_space *space, size_t size, size_t alignment, bool zeroed,
                           const char *call)
{
    SHEAF_KEEP_ERRNO;
    sheaf_agree_enter(space->team, call);
    sheaf_agree_on_number(space->team, "the size in bytes", (ptrdiff_t)size);
    sheaf_agree_on_number(space->team, "the alignment", (ptrdiff_t)alignment);
    alignment = alignment_of_offset(space, alignment, call);
    if (size == 0)
        return NULL;
    if (alignment == 0) {
        sheaf_address_note_null(call, size, sheaf_call.site);
        return NULL;
    }
    struct sheaf_record *record = sheaf_history_begin_several(space->team, SHEAF_WAITS_FOR_ALL, size);
    void *block = allocate_block(space, size, alignment, zeroed, call);
    if (!block)
        sheaf_address_note_null(call, size, sheaf_call.site);
    sheaf_history_end(record);
    return block;
}

/* Gives whole pages back to the system, if it takes them. */
static void discard_pages(const struct sheaf_space *space, char *start, size_t size)
{
    char *first;
    size_t pages = sheaf_block_whole_pages(start, size, &first);
    if (size >= SHEAF_BLOCK_GIVES_BACK && pages)
        sheaf_space_discard(&space->map, first, pages);
}

/* The offset of a block that the program passes back, and its size. */
static size_t offset_of(const struct sheaf_space *space, const void *block, size_t *size, const char *call)
{
    size_t offset = (size_t)((const char *)block - space->segment.start);
    *size = sheaf_segment_holds(&space->segment, (uintptr_t)block, 1)
                ? sheaf_guarded_size(&space->blocks, offset)
                : 0;
    if (*size > 0)
        return offset;
    char what[SHEAF_ADDRESS_TEXT];
    sheaf_address_describe(block, what, sizeof what);
    sheaf_fatal("SH117 %s: %p is not the start of a block of the memory space, but %s: pass what "
                "shmemx_space_malloc returned, once", call, block, what);
}

void sheaf_space_free(struct sheaf_space *space, void *block, const char *call)
{
    SHEAF_KEEP_ERRNO;
    if (!block)
        return;
    size_t size, offset = offset_of(space, block, &size, call);
    sheaf_agree_enter(space->team, call);
    sheaf_agree_on_number(space->team, "the block's place in the space", (ptrdiff_t)offset);
    struct sheaf_record *record = sheaf_history_begin_several(space->team, SHEAF_WAITS_FOR_ALL, size);
    sheaf_space_barrier(space);
    discard_pages(space, block, release_block(space, offset));
    sheaf_history_end(record);
}
