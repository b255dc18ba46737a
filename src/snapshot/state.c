/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See state.h. The format: counts, then the heap's blocks, each space with its blocks, teams, contexts.
 */
#include "snapshot/state.h"

#include "core/allocation.h"
#include "core/access/context.h"
#include "core/memory/space.h"
#include "core/memory/team_blocks.h"
#include "core/team/team.h"
#include "image/heap/heap.h"
#include "image/image.h"
#include "snapshot/file/format.h"
#include "snapshot/file/hash.h"

#include <stdlib.h>

/* A handle stays the same if the program makes the same calls at the same addresses. */
struct team {
    uint64_t handle, members; /* a hash */
    int32_t rank, size;
};
struct context {
    uint64_t handle, team, options;
};

/* A buffer that grows; bytes is NULL once there was no memory. */
struct buffer {
    char *bytes;
    size_t length, room;
};

static void append_bytes(struct buffer *buffer, const void *bytes, size_t length)
{
    if (buffer->length + length > buffer->room) {
        size_t room = 2 * (buffer->length + length) + 4096;
        char *grown = buffer->bytes ? realloc(buffer->bytes, room) : NULL;
        if (!grown)
            free(buffer->bytes);
        buffer->bytes = grown;
        buffer->room = grown ? room : 0;
    }
    if (buffer->bytes && length)
        memcpy(buffer->bytes + buffer->length, bytes, length);
    buffer->length += length;
}

static int put_memory(struct buffer *buffer, struct sheaf_snapshot_memory memory, int failed,
                      struct sheaf_block_list *list)
{
    if (failed)
        return -1;
    memory.high_water = list->high_water;
    memory.blocks = list->count;
    append_bytes(buffer, &memory, sizeof memory);
    append_bytes(buffer, list->blocks, list->count * sizeof *list->blocks);
    free(list->blocks);
    return 0;
}

static int put_spaces(struct buffer *buffer, struct sheaf_snapshot_counts *counts)
{
    int failed = 0;
    for (unsigned i = 0; i < sheaf_space_count && !failed; i++) {
        const struct sheaf_space *space = &sheaf_spaces[i];
        struct sheaf_block_list list;
        if (space->segment.length == 0)
            continue;
        sheaf_space_lock();
        failed = sheaf_guarded_list(&space->blocks, &list);
        sheaf_space_unlock();
        struct sheaf_snapshot_memory memory = {i, (uintptr_t)space->segment.start,
                                               space->segment.length, 0, 0};
        failed = put_memory(buffer, memory, failed, &list);
        counts->spaces++;
    }
    return failed;
}

static struct team describe_team(const struct sheaf_team *team)
{
    struct team line = {.handle = (uintptr_t)team, .rank = team->rank, .size = team->size};
    for (int rank = 0; rank < team->size; rank++)
        line.members = sheaf_hash_step(line.members, (uint64_t)sheaf_team_world_pe(team, rank));
    return line;
}

static void put_teams(struct buffer *buffer, struct sheaf_snapshot_counts *counts)
{
    for (const struct sheaf_team *team = NULL; (team = sheaf_team_next(team));) {
        struct team line = describe_team(team);
        append_bytes(buffer, &line, sizeof line);
        counts->teams++;
    }
}

static struct context describe_context(const struct sheaf_context *context)
{
    return (struct context){(uintptr_t)context, (uintptr_t)context->team, (uint64_t)context->options};
}

static void put_contexts_of(const struct sheaf_team *team, struct buffer *buffer,
                            struct sheaf_snapshot_counts *counts)
{
    for (const struct sheaf_context *context = team->contexts; context; context = context->next) {
        struct context line = describe_context(context);
        append_bytes(buffer, &line, sizeof line);
        counts->contexts++;
    }
}

static void put_contexts(struct buffer *buffer, struct sheaf_snapshot_counts *counts)
{
    put_contexts_of(sheaf_team_world(), buffer, counts);
    put_contexts_of(sheaf_team_find(SHMEM_TEAM_SHARED, "shmemx_snapshot"), buffer, counts);
    for (const struct sheaf_team *team = NULL; (team = sheaf_team_next(team));)
        put_contexts_of(team, buffer, counts);
}

static int refuse_team_memory(struct sheaf_snapshot_reason *why)
{
    if (sheaf_team_blocks_count() == 0)
        return 0;
    return sheaf_snapshot_explain(why, "the program has memory of shmemx_team_malloc, which no snapshot "
                                       "has");
}

int sheaf_state_save(void **bytes, size_t *length, struct sheaf_snapshot_reason *why)
{
    struct buffer buffer = {.bytes = malloc(4096), .room = 4096};
    struct sheaf_snapshot_counts counts = {0};
    struct sheaf_block_list list;
    if (sheaf_blocks_have_hinted()) {
        free(buffer.bytes);
        return sheaf_snapshot_explain(why, "the program has blocks with SHMEM_MALLOC_ATOMICS_REMOTE, which "
                                           "are the network's: no snapshot has those");
    }
    if (refuse_team_memory(why) != 0) {
        free(buffer.bytes);
        return -1;
    }
    append_bytes(&buffer, &counts, sizeof counts);
    const struct sheaf_segment *heap = &sheaf_image.segments[SHEAF_SEGMENT_HEAP];
    struct sheaf_snapshot_memory memory = {0, (uintptr_t)heap->start, heap->length, 0, 0};
    int failed = put_memory(&buffer, memory, sheaf_blocks_list(&list), &list);
    failed = failed || put_spaces(&buffer, &counts);
    if (!sheaf_image.came_late) { /* otherwise no variable that could hold a handle is restored */
        put_teams(&buffer, &counts);
        put_contexts(&buffer, &counts);
    }
    if (failed || !buffer.bytes) {
        free(buffer.bytes);
        return sheaf_snapshot_explain(why, "no memory for %zu bytes of bookkeeping", buffer.length);
    }
    memcpy(buffer.bytes, &counts, sizeof counts);
    *bytes = buffer.bytes;
    *length = buffer.length;
    return 0;
}

/* A reader of bytes, from the start on; it returns NULL where too few remain. */
struct cursor {
    const char *at;
    size_t remaining;
};

static const void *read_bytes(struct cursor *cursor, uint64_t count, size_t size)
{
    const char *at = cursor->at;
    if (count > cursor->remaining / size)
        return NULL;
    cursor->at += count * size;
    cursor->remaining -= count * size;
    return at;
}

static const struct sheaf_snapshot_memory *read_memory(struct cursor *cursor, struct sheaf_block_list *list)
{
    const struct sheaf_snapshot_memory *memory = read_bytes(cursor, 1, sizeof *memory);
    const void *blocks = memory ? read_bytes(cursor, memory->blocks, sizeof *list->blocks) : NULL;
    if (!blocks)
        return NULL;
    *list = (struct sheaf_block_list){(struct sheaf_heap_block *)(uintptr_t)blocks, memory->blocks,
                                      memory->high_water};
    return memory;
}

static bool has_block(const struct sheaf_block_list *list, const struct sheaf_heap_block *block)
{
    size_t low = 0, high = list->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (list->blocks[middle].offset < block->offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low < list->count && list->blocks[low].offset == block->offset &&
           list->blocks[low].size == block->size;
}

/* Whether the job has respawned processes: then all PEs return to the snapshot together, and blocks
 * that were allocated since are removed. */
static bool is_rollback(void)
{
    return sheaf_team_world()->born > 0;
}

/* Checks that the program's present blocks are blocks of the snapshot, since the program has their
 * addresses. */
static int check_blocks(const struct sheaf_block_list *now, const struct sheaf_block_list *then,
                        bool exactly,
                        const char *what, struct sheaf_snapshot_reason *why)
{
    for (size_t i = 0; i < now->count && (exactly || !is_rollback()); i++)
        if (!has_block(then, &now->blocks[i]))
            return sheaf_snapshot_explain(why,
                                          "%s has a block of %zu bytes at offset %zu that the snapshot "
                                          "has not: allocate the same blocks as before, or none", what,
                                          now->blocks[i].size, now->blocks[i].offset);
    if (exactly && now->count != then->count)
        return sheaf_snapshot_explain(why, "%s has %zu blocks, and %zu in the snapshot: a team that is not "
                                      "the world restores what lies in blocks, and no blocks", what,
                                      now->count, then->count);
    return 0;
}

/* Whether an allocator could have these blocks: they do not overlap, and lie within the limit. */
static bool can_have_blocks(const struct sheaf_block_list *list, size_t limit)
{
    struct sheaf_heap *heap = sheaf_heap_create_with(limit, list->blocks, list->count, list->high_water);
    if (heap)
        sheaf_heap_destroy(heap);
    return heap != NULL;
}

static int check_memory(const struct sheaf_snapshot_memory *memory, const struct sheaf_segment *segment,
                        struct sheaf_block_list *now, const struct sheaf_block_list *then, bool exactly,
                        const char *what, struct sheaf_snapshot_reason *why)
{
    int failed;
    if (memory->address != (uintptr_t)segment->start)
        failed = sheaf_snapshot_explain(why, "%s lies at %p and lay at 0x%llx: pointers into it would be "
                                        "wrong", what, (void *)segment->start,
                                        (unsigned long long)memory->address);
    else if (memory->high_water > segment->length)
        failed = sheaf_snapshot_explain(why, "%s has %zu bytes, and %llu were in use: SHMEM_SYMMETRIC_SIZE "
                                        "was larger", what, segment->length,
                                        (unsigned long long)memory->high_water);
    else if (!can_have_blocks(then, segment->length))
        failed = sheaf_snapshot_explain(why, "its list of blocks is damaged: no allocator could have had "
                                        "them in %zu bytes of %s", segment->length, what);
    else
        failed = check_blocks(now, then, exactly, what, why);
    free(now->blocks);
    return failed;
}

static int check_heap(struct cursor *cursor, bool exactly, struct sheaf_snapshot_reason *why)
{
    struct sheaf_block_list then, now;
    const struct sheaf_snapshot_memory *memory = read_memory(cursor, &then);
    if (!memory || sheaf_blocks_have_hinted() || sheaf_blocks_list(&now) != 0)
        return sheaf_snapshot_explain(why, "its list of blocks cannot be compared with this heap's");
    return check_memory(memory, &sheaf_image.segments[SHEAF_SEGMENT_HEAP], &now, &then, exactly,
                        "the symmetric heap", why);
}

/* last: the index of the space before, or -1; indices ascend. */
static int check_space(struct cursor *cursor, bool exactly, int *last, struct sheaf_snapshot_reason *why)
{
    struct sheaf_block_list then, now;
    const struct sheaf_snapshot_memory *memory = read_memory(cursor, &then);
    if (!memory || memory->place >= SHEAF_MOST_SPACES || (int)memory->place <= *last)
        return sheaf_snapshot_explain(why, "its list of memory spaces is cut");
    const struct sheaf_space *space = &sheaf_spaces[memory->place];
    *last = (int)memory->place;
    if (memory->length == 0 || space->segment.length != memory->length)
        return sheaf_snapshot_explain(why, "memory space %llu of %llu bytes is not here: make the same "
                                      "spaces before the snapshot is restored",
                                      (unsigned long long)memory->place,
                                      (unsigned long long)memory->length);
    if (sheaf_guarded_list(&space->blocks, &now) != 0)
        return sheaf_snapshot_explain(why, "no memory for a list of blocks");
    return check_memory(memory, &space->segment, &now, &then, exactly, "a memory space", why);
}

static bool has_team(const struct team *then)
{
    for (const struct sheaf_team *team = NULL; (team = sheaf_team_next(team));) {
        struct team now = describe_team(team);
        if (memcmp(&now, then, sizeof now) == 0)
            return true;
    }
    return false;
}

static bool team_has_context(const struct sheaf_team *team, const struct context *then)
{
    for (const struct sheaf_context *context = team->contexts; context; context = context->next) {
        struct context now = describe_context(context);
        if (memcmp(&now, then, sizeof now) == 0)
            return true;
    }
    return false;
}

static bool has_context(const struct context *then)
{
    bool found = team_has_context(sheaf_team_world(), then) ||
                 team_has_context(sheaf_team_find(SHMEM_TEAM_SHARED, "shmemx_restore"), then);
    for (const struct sheaf_team *team = NULL; !found && (team = sheaf_team_next(team));)
        found = team_has_context(team, then);
    return found;
}

static int check_handles(struct cursor *cursor, const struct sheaf_snapshot_counts *counts,
                         struct sheaf_snapshot_reason *why)
{
    const struct team *teams = read_bytes(cursor, counts->teams, sizeof *teams);
    const struct context *contexts = teams ? read_bytes(cursor, counts->contexts, sizeof *contexts) : NULL;
    if (!contexts || cursor->remaining)
        return sheaf_snapshot_explain(why, "its lists of teams and contexts are cut");
    for (uint64_t i = 0; i < counts->teams; i++)
        if (!has_team(&teams[i]))
            return sheaf_snapshot_explain(why,
                                          "a team of %d PEs is not here, or has another handle: make the "
                                          "same teams, in the same order, before the snapshot is restored",
                                          teams[i].size);
    for (uint64_t i = 0; i < counts->contexts; i++)
        if (!has_context(&contexts[i]))
            return sheaf_snapshot_explain(why,
                                          "a context is not here, or has another handle: make the same "
                                          "contexts, in the same order, before the snapshot is restored");
    return 0;
}

static int check_spaces(struct cursor *cursor, uint64_t count, bool exactly,
                        struct sheaf_snapshot_reason *why)
{
    uint64_t here = 0;
    int failed = 0, last = -1;
    for (unsigned i = 0; i < sheaf_space_count; i++)
        here += sheaf_spaces[i].segment.length > 0;
    for (uint64_t i = 0; i < count && !failed; i++)
        failed = check_space(cursor, exactly, &last, why);
    if (!failed && count != here)
        failed = sheaf_snapshot_explain(why, "it has %llu memory spaces, and %llu are here: make the same "
                                        "spaces before the snapshot is restored",
                                        (unsigned long long)count, (unsigned long long)here);
    return failed;
}

int sheaf_state_check(const void *bytes, size_t length, bool exactly, struct sheaf_snapshot_reason *why)
{
    struct cursor cursor = {bytes, length};
    const struct sheaf_snapshot_counts *counts = read_bytes(&cursor, 1, sizeof *counts);
    if (!counts)
        return sheaf_snapshot_explain(why, "its state is cut");
    if (refuse_team_memory(why) != 0 || check_heap(&cursor, exactly, why) != 0 ||
        check_spaces(&cursor, counts->spaces, exactly, why) != 0)
        return -1;
    return check_handles(&cursor, counts, why);
}

int sheaf_state_adopt(const void *bytes, struct sheaf_snapshot_reason *why)
{
    struct cursor cursor = {bytes, SIZE_MAX};
    struct sheaf_block_list list;
    const struct sheaf_snapshot_counts *counts = read_bytes(&cursor, 1, sizeof *counts);
    read_memory(&cursor, &list);
    int failed = sheaf_memory_adopt(&list);
    for (uint64_t i = 0; i < counts->spaces && !failed; i++) {
        const struct sheaf_snapshot_memory *memory = read_memory(&cursor, &list);
        sheaf_space_lock();
        failed = sheaf_guarded_adopt(&sheaf_spaces[memory->place].blocks, &list);
        sheaf_space_unlock();
    }
    return failed ? sheaf_snapshot_explain(why, "its blocks do not fit together, or there is no memory for "
                                                "the list of them")
                  : 0;
}
