/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See allocation.h. All PEs run the same allocator on the same calls, so they agree on every offset and on
 * every refusal without a message. Only the memory that a node has left is not known to all.
 */
#include "core/allocation.h"

#include "base/log.h"
#include "boot/boot.h"
#include "core/low_jitter.h"
#include "core/team/agree.h"
#include "core/team/history.h"
#include "core/access/checked.h"
#include "core/amo_agree.h"
#include "core/pe/call.h"
#include "core/pe/job.h"
#include "core/pe/mpi_world.h"
#include "core/access/order.h"
#include "core/team/note.h"
#include "core/team/sync.h"
#include "core/memory/address_text.h"
#include "core/memory/block_rules.h"
#include "core/memory/blocks.h"
#include "core/memory/team_blocks.h"
#include "core/space.h"
#include "image/heap/heap.h"
#include "image/image.h"
#include "survive/interface/survival.h"

#include <stdint.h>
#include <string.h>

static const struct sheaf_segment *const segment = &sheaf_image.segments[SHEAF_SEGMENT_HEAP];

static bool is_in_heap(const void *address)
{
    return sheaf_segment_holds(segment, (uintptr_t)address, 1);
}

/* Hinted blocks lie apart only where the network may perform their atomic operations: not in a job
 * without a network, and not where members may die (see amo_agree.c). */
static bool may_keep_hinted_apart(void)
{
    int atomics = sheaf_job.settings.atomics;
    return sheaf_network && sheaf_survival->members_stay &&
           (atomics == SHEAF_ATOMICS_HINTED || atomics == SHEAF_ATOMICS_AUTO);
}

int sheaf_memory_init(void)
{
    int failed = sheaf_blocks_init(may_keep_hinted_apart(),
                                   sheaf_job_checks_memory() && sheaf_survival->members_stay);
    if (failed)
        sheaf_error("SH301 no memory for the symmetric heap's bookkeeping");
    return failed;
}

void sheaf_memory_fini(void)
{
    sheaf_team_blocks_fini();
    sheaf_image_clear_heap(sheaf_blocks_fini());
    sheaf_image_set_heap_open(false);
    sheaf_store_relaxed(&sheaf_usage->heap_bytes, 0);
}

void sheaf_memory_record_usage(void)
{
    sheaf_store_relaxed(&sheaf_usage->heap_bytes, sheaf_blocks_live() + sheaf_team_blocks_live());
}

static void barrier_of_living(void)
{
    sheaf_quiet_of_living();
    sheaf_survival->barrier();
}

/* Also a barrier. Returns whether any PE refuses. */
static bool any_refuses(bool refuses)
{
    sheaf_quiet_of_living();
    return sheaf_survival->any_refuses(refuses);
}

static bool node_is_short_of(size_t size)
{
    return sheaf_block_overfills_node(size, sheaf_boot.host_npes);
}

/* The barrier of an allocation across nodes. Returns whether a PE found too little memory on its node,
 * or could not make the heap's next part accessible to the others. */
static bool barrier_with_verdicts(size_t offset, size_t size)
{
    if (sheaf_network->grows_together(offset, offset + size))
        barrier_of_living();
    return any_refuses(sheaf_network->heap_grown(offset, offset + size) != 0 ||
                       (size >= SHEAF_BLOCK_LARGE && sheaf_boot.slot == 0 && node_is_short_of(size)));
}

static void explain_full(size_t size, size_t alignment, const char *call)
{
    struct sheaf_heap_usage usage;
    sheaf_blocks_usage(&usage);
    sheaf_debug("%s: no room for %zu bytes at a multiple of %zu: %zu of %zu bytes are in use in %zu "
                "blocks", call, size, alignment, usage.live, usage.limit, usage.blocks);
}

/* Gives the whole pages inside [start, start + length) back to the system. Returns false where the
 * system does not take them, or where a network may have them pinned: it would go on writing to the
 * pages given back. */
static bool discard_pages(char *start, size_t length)
{
    if (sheaf_network)
        return false;
    char *first;
    size_t pages = sheaf_block_whole_pages(start, length, &first);
    return pages == 0 || sheaf_image_discard(first, pages) == 0;
}

/* Memory above fresh_from was never part of a block and is zero already. */
static void zero_block(size_t offset, size_t size, size_t fresh_from)
{
    char *start = segment->start + offset;
    size_t used = offset >= fresh_from ? 0 : fresh_from - offset;
    if (used > size)
        used = size;
    if (used >= SHEAF_BLOCK_GIVES_BACK && discard_pages(start, used)) {
        size_t page = sheaf_os_page_size();
        memset(start, 0, used < page ? used : page);
        memset(start + used - page, 0, page);
    } else {
        memset(start, 0, used);
    }
}

/* The alignment of a block's offset that makes its address a multiple of alignment; 0 when there is
 * none. */
static size_t alignment_of_offset(size_t alignment, const char *call)
{
    if (!sheaf_block_is_power_of_two(alignment, call))
        return 0;
    if (alignment > segment->length) {
        sheaf_debug("%s: alignment %zu is larger than the symmetric heap of %zu bytes: raise "
                    "SHMEM_SYMMETRIC_SIZE", call, alignment, segment->length);
        return 0;
    }
    if (alignment > sheaf_image.heap_alignment) {
        sheaf_warn("SH311 %s: alignment %zu is not possible: the address space has no room for heaps at a "
                   "multiple of more than %zu: raise ulimit -v or lower SHMEM_SYMMETRIC_SIZE",
                   call, alignment, sheaf_image.heap_alignment);
        return 0;
    }
    return sheaf_block_alignment(alignment);
}

/* The properties of a block that differ between the routines. */
struct wish {
    size_t alignment;
    bool zeroed;
    bool hinted;
};

static void *take_block(size_t size, size_t alignment, struct wish wish, const char *call)
{
    size_t fresh_from;
    size_t offset = sheaf_blocks_allocate(size, alignment, wish.hinted, &fresh_from);
    if (offset == SHEAF_HEAP_FULL) {
        explain_full(size, alignment, call);
        barrier_of_living();
        return NULL;
    }
    if (wish.zeroed)
        zero_block(offset, size, fresh_from);
    if (size < SHEAF_BLOCK_LARGE && !sheaf_network) {
        barrier_of_living();
    } else if (sheaf_network ? barrier_with_verdicts(offset, size) : any_refuses(node_is_short_of(size))) {
        sheaf_debug("%s: a node has too little memory left for %zu bytes on each PE", call, size);
        sheaf_blocks_release(offset);
        return NULL;
    }
    sheaf_low_jitter_touch(segment->start + offset, size);
    return segment->start + offset;
}

static void *allocate_block(size_t size, struct wish wish, const char *call)
{
    sheaf_mpi_world_compare();
    sheaf_survival->enter();
    sheaf_agree_on_call(sheaf_team_world(), call);
    sheaf_agree_on_number(sheaf_team_world(), "the size in bytes", (ptrdiff_t)size);
    sheaf_agree_on_number(sheaf_team_world(), "the alignment", (ptrdiff_t)wish.alignment);
    size_t alignment = alignment_of_offset(wish.alignment, call);
    if (alignment == 0) {
        sheaf_address_note_null(call, size, sheaf_call.site);
        return NULL;
    }
    struct sheaf_record *record = sheaf_history_begin_several(sheaf_team_world(), SHEAF_WAITS_FOR_ALL,
                                                              size);
    void *block = take_block(size, alignment, wish, call);
    if (!block)
        sheaf_address_note_null(call, size, sheaf_call.site);
    sheaf_memory_record_usage();
    sheaf_history_end(record);
    return block;
}

void *sheaf_memory_allocate(size_t size, size_t alignment, const char *call)
{
    SHEAF_KEEP_ERRNO;
    sheaf_job_require(call);
    return size == 0 ? NULL : allocate_block(size, (struct wish){.alignment = alignment}, call);
}

void *sheaf_memory_allocate_zeroed(size_t count, size_t size, const char *call)
{
    SHEAF_KEEP_ERRNO;
    size_t bytes;
    sheaf_job_require(call);
    if (count == 0 || size == 0)
        return NULL;
    if (__builtin_mul_overflow(count, size, &bytes))
        bytes = SIZE_MAX;
    return allocate_block(bytes, (struct wish){SHEAF_HEAP_ALIGNMENT, true, false}, call);
}

/* The offset of a block that the program passes back, and its size. */
static size_t offset_of(const void *block, size_t *size, const char *call)
{
    const char *address = block;
    size_t offset = (size_t)(address - segment->start);
    *size = is_in_heap(block) ? sheaf_blocks_size(offset) : 0;
    if (*size > 0)
        return offset;
    char what[SHEAF_ADDRESS_TEXT];
    sheaf_address_describe(block, what, sizeof what);
    sheaf_fatal("SH117 %s: %p is not the start of a block of the symmetric heap, but %s: pass what "
                "shmem_malloc returned, once", call, block, what);
}

static void release_block(size_t offset)
{
    size_t size = sheaf_blocks_release(offset);
    if (size >= SHEAF_BLOCK_GIVES_BACK)
        discard_pages(segment->start + offset, size);
    sheaf_memory_record_usage();
}

void *sheaf_memory_allocate_for_atomics(size_t size, const char *call)
{
    SHEAF_KEEP_ERRNO;
    sheaf_job_require(call);
    if (size == 0)
        return NULL;
    bool may_be_apart = may_keep_hinted_apart();
    if (may_be_apart)
        sheaf_agree_on_call(sheaf_team_world(), call);
    struct wish wish = {.alignment = SHEAF_HEAP_ALIGNMENT,
                        .hinted = may_be_apart && sheaf_amo_agree_on_hints()};
    char *block = allocate_block(size, wish, call);
    if (!block || !wish.hinted || sheaf_amo_agree_on_block(block))
        return block;
    release_block((size_t)(block - segment->start));
    sheaf_blocks_forget_hinted();
    return allocate_block(size, (struct wish){.alignment = SHEAF_HEAP_ALIGNMENT}, call);
}

static void *move_block(size_t from, size_t size, const char *call)
{
    size_t before = sheaf_blocks_size(from);
    struct wish wish = {.alignment = SHEAF_HEAP_ALIGNMENT, .hinted = sheaf_blocks_is_hinted_offset(from)};
    void *block = allocate_block(size, wish, call);
    if (!block)
        return NULL;
    memcpy(block, segment->start + from, before < size ? before : size);
    release_block(from);
    barrier_of_living();
    return block;
}

void *sheaf_memory_resize(void *block, size_t size, const char *call)
{
    SHEAF_KEEP_ERRNO;
    sheaf_job_require(call);
    if (!block)
        return sheaf_memory_allocate(size, SHEAF_HEAP_ALIGNMENT, call);
    if (size == 0) {
        sheaf_memory_free(block, call);
        return NULL;
    }
    size_t before, offset = offset_of(block, &before, call);
    sheaf_survival->enter();
    sheaf_agree_on_call(sheaf_team_world(), call);
    sheaf_agree_on_number(sheaf_team_world(), "the block's place in the heap", (ptrdiff_t)offset);
    sheaf_agree_on_number(sheaf_team_world(), "the size in bytes", (ptrdiff_t)size);
    struct sheaf_record *record = sheaf_history_begin_several(sheaf_team_world(), SHEAF_WAITS_FOR_ALL,
                                                              size);
    barrier_of_living();
    sheaf_history_end(record);
    if (!sheaf_blocks_resize(offset, size, &before))
        return move_block(offset, size, call);
    if (!sheaf_network) {
        barrier_of_living();
    } else if (barrier_with_verdicts(offset, size)) {
        sheaf_blocks_restore(offset, before);
        sheaf_address_note_null(call, size, sheaf_call.site);
        return NULL;
    }
    sheaf_low_jitter_touch(block, size);
    sheaf_memory_record_usage();
    return block;
}

void sheaf_memory_free(void *block, const char *call)
{
    SHEAF_KEEP_ERRNO;
    sheaf_job_require(call);
    if (!block)
        return;
    struct sheaf_space *space = sheaf_space_of(block);
    if (sheaf_unlikely(space)) {
        sheaf_space_free(space, block, call);
        return;
    }
    size_t size, offset = offset_of(block, &size, call);
    sheaf_survival->enter();
    sheaf_agree_on_call(sheaf_team_world(), call);
    sheaf_agree_on_number(sheaf_team_world(), "the block's place in the heap", (ptrdiff_t)offset);
    uint32_t place = (uint32_t)(offset / SHEAF_HEAP_ALIGNMENT);
    struct sheaf_record *record = sheaf_history_begin_about(sheaf_team_world(), place,
                                                            SHEAF_WAITS_FOR_ALL, size);
    barrier_of_living();
    release_block(offset);
    sheaf_history_end(record);
}

/* The blocks' memory is made accessible to other nodes' PEs like one new block. */
int sheaf_memory_adopt(const struct sheaf_block_list *list)
{
    struct sheaf_team *world = sheaf_team_world();
    bool refused = sheaf_network && list->high_water > 0 && barrier_with_verdicts(0, list->high_water);
    if (!refused)
        refused = sheaf_team_first(world, sheaf_blocks_adopt(list) != 0) >= 0;
    sheaf_sync(world);
    sheaf_memory_record_usage();
    return refused ? -1 : 0;
}
