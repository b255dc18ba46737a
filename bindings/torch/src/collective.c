/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Each step of a collective: a member writes its own area, and reads the others' areas. Data longer
 * than an area goes in parts, one a step.
 */
#include "torch.h"

#include <string.h>

#define ALIGNED 64

/* Up to these bytes each member combines everything by itself; beyond, each combines a share, which
 * the others fetch in a second step. */
#define WHOLE 8192

#define LONG (4UL << 20)

/* Areas of fewer bytes are always written into the caches: the reader's first cache has them soon. */
#define LEAST_LEARNED (8UL << 10)

/* Parts of the shortest class until its first trial: by then the areas' pages have been used. */
#define FIRST 48

/* Each so many-th of them is timed, beside trials: a clock of the thread's time takes 0.5 us. */
#define EVERY 64

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Bytes of one block in a step, where an area holds as many blocks as there are members. */
static size_t block_part(const struct sheaf_group *group)
{
    return SHEAF_TORCH_CHUNK / (size_t)group->size / ALIGNED * ALIGNED;
}

static bool is_split(const struct sheaf_operation *operation)
{
    return operation->kind == SHEAF_SCATTER || operation->kind == SHEAF_REDUCE_SCATTER ||
           operation->kind == SHEAF_ALLTOALL;
}

static bool is_shared(const struct sheaf_operation *operation)
{
    bool combines = operation->kind == SHEAF_ALLREDUCE || operation->kind == SHEAF_REDUCE;
    return combines && operation->bytes > WHOLE && operation->group->size > 1;
}

/* A broadcast goes whole up to an area, too. 1 MiB in four parts, of which one is written while another is
 * read, takes two ranks 60 us, and whole 31 (calls one after the other). Data that the writer's own cache
 * still has is read more slowly, and the root's next call overlaps. */
static size_t part(const struct sheaf_operation *operation)
{
    return is_split(operation) ? block_part(operation->group) : SHEAF_TORCH_CHUNK;
}

/* Steps of a part. */
static size_t part_steps(const struct sheaf_operation *operation)
{
    return is_shared(operation) ? 2 : 1;
}

/* most: the longest block of an alltoall. */
size_t sheaf_collective_steps(const struct sheaf_operation *operation, size_t most)
{
    size_t longest = operation->kind == SHEAF_ALLTOALL ? most : operation->bytes;
    size_t parts = longest / part(operation) + (longest % part(operation) != 0);
    parts = parts ? parts : 1;
    return parts * part_steps(operation);
}

/* Where in its block the step begins; and how many bytes of a block of so many it moves. */
static size_t step_start(const struct sheaf_operation *operation)
{
    return operation->index / part_steps(operation) * part(operation);
}

static size_t bytes_from(const struct sheaf_operation *operation, size_t start, size_t block)
{
    return start < block ? least(block - start, part(operation)) : 0;
}

static size_t step_bytes(const struct sheaf_operation *operation, size_t block)
{
    return bytes_from(operation, step_start(operation), block);
}

/* The share of rank, when all combine: whole lines of elements. */
static size_t share_start(const struct sheaf_operation *operation, size_t bytes, int rank)
{
    size_t lines = (bytes + ALIGNED - 1) / ALIGNED, members = (size_t)operation->group->size;
    return least(lines * (size_t)rank / members * ALIGNED, bytes);
}

/* Whether the results are written past the caches, which they would fill. */
static bool is_long(const struct sheaf_operation *operation)
{
    size_t bytes = 0;
    for (int i = 0; i < operation->outs; i++)
        bytes += operation->out[i].bytes;
    return bytes > LONG;
}

/* Whether a member reads its own block i where it is, and not in its area. */
static bool is_own(const struct sheaf_operation *operation, int i)
{
    bool exchanges = operation->kind == SHEAF_ALLTOALL || operation->kind == SHEAF_ALLGATHER ||
                     operation->kind == SHEAF_GATHER;
    return exchanges && i == operation->group->rank;
}

/* The step's area, or the next one's. Long operations but broadcasts keep to two areas: their
 * tensors need the caches. Whether one is long is known once all have come to its first step. */
static char *step_area(const struct sheaf_operation *operation, size_t ahead)
{
    bool keeps = operation->kind != SHEAF_BROADCAST && operation->steps > 2;
    return sheaf_memory_area(operation->group, operation->group->step + ahead,
                             keeps && operation->index + ahead > 0);
}

static void show(const struct sheaf_operation *operation, char *to, const char *from, size_t bytes)
{
    if (bytes)
        sheaf_memory_copy(to, from, bytes, operation->is_past);
}

static void fill_blocks(struct sheaf_operation *operation, char *area)
{
    for (int i = 0; i < operation->ins; i++)
        if (!is_own(operation, i))
            show(operation, area + (size_t)i * block_part(operation->group),
                 operation->in[i].address + step_start(operation),
                 step_bytes(operation, operation->in[i].bytes));
}

/* A member combines its own share from where it is: all others go to the area. */
static void fill_shares(struct sheaf_operation *operation, char *area)
{
    const char *in = operation->in[0].address + step_start(operation);
    size_t bytes = step_bytes(operation, operation->bytes);
    size_t start = share_start(operation, bytes, operation->group->rank);
    size_t end = share_start(operation, bytes, operation->group->rank + 1);
    show(operation, area, in, start);
    show(operation, area + end, in + end, bytes - end);
}

void sheaf_collective_fill(struct sheaf_operation *operation)
{
    char *area = step_area(operation, 0);
    if (is_split(operation)) {
        fill_blocks(operation, area);
        return;
    }
    if (is_shared(operation)) {
        if (operation->index % 2 == 0)
            fill_shares(operation, area);
        return;
    }
    if (operation->ins)
        show(operation, area, operation->in[0].address + step_start(operation),
             step_bytes(operation, operation->in[0].bytes));
}

/* Combines bytes at offset of all members' areas into out; own: where this member's bytes are, or NULL: in
 * its area. */
static void combine(struct sheaf_operation *operation, size_t offset, size_t bytes, const char *own,
                    char *out)
{
    struct sheaf_group *group = operation->group;
    const void *sources[group->size];
    char *area = step_area(operation, 0) + offset, *free = group->scratch;
    for (int i = 0; i < group->size; i++) {
        sources[i] = own && i == group->rank ? own : sheaf_memory_at(group, i, area);
        if (!sources[i]) {
            sheaf_memory_read(group, i, free, area, bytes, false);
            sources[i] = free;
            free += (bytes + ALIGNED - 1) / ALIGNED * ALIGNED;
        }
    }
    sheaf_memory_complete(group);
    sheaf_combine(operation->type, operation->combine, out, sources, group->size,
                  bytes / sheaf_combine_size(operation->type));
}

/* The share goes to the next step's area, which nobody reads any more; and where the result is wanted to
 * its place, both out of the first cache. */
static void combine_near(struct sheaf_operation *operation, size_t start, size_t end)
{
    size_t at_step = step_start(operation);
    const char *own = operation->in[0].address + at_step;
    char *area = step_area(operation, 1);
    _Alignas(ALIGNED) char piece[WHOLE];
    for (size_t at = start; at < end; at += WHOLE) {
        size_t length = least(end - at, WHOLE);
        combine(operation, at, length, own + at, piece);
        show(operation, area + at, piece, length);
        if (operation->outs)
            memcpy(operation->out[0].address + at_step + at, piece, length);
    }
}

static void combine_share(struct sheaf_operation *operation)
{
    struct sheaf_group *group = operation->group;
    size_t bytes = step_bytes(operation, operation->bytes);
    size_t start = share_start(operation, bytes, group->rank);
    size_t end = share_start(operation, bytes, group->rank + 1);
    if (group->near == group->size)
        combine_near(operation, start, end);
    else
        combine(operation, start, end - start,
                operation->in[0].address + step_start(operation) + start,
                step_area(operation, 1) + start);
}

static void fetch_shares(struct sheaf_operation *operation)
{
    struct sheaf_group *group = operation->group;
    size_t bytes = step_bytes(operation, operation->bytes);
    char *out = operation->out[0].address + step_start(operation);
    char *area = step_area(operation, 0);
    for (int i = group->near == group->size; i < group->size; i++) {
        int rank = (group->rank + i) % group->size;
        size_t start = share_start(operation, bytes, rank),
               end = share_start(operation, bytes, rank + 1);
        sheaf_memory_read(group, rank, out + start, area + start, end - start, false);
    }
}

/* How the areas of the part that begins are written. All members decide alike, since all know the same
 * times; where the lengths of an alltoall put them into different classes, nothing is learned. */
static void choose_way(struct sheaf_operation *operation)
{
    struct sheaf_group *group = operation->group;
    bool has_lengths = operation->kind == SHEAF_ALLTOALL;
    size_t block = has_lengths ? operation->longest : operation->bytes;
    size_t bytes = is_split(operation) ? block * (size_t)group->size : block;
    if (bytes < LEAST_LEARNED || group->size == 1 || group->near < group->size)
        return;
    int class = 63 - __builtin_clzl(bytes / LEAST_LEARNED);
    class = class < SHEAF_TORCH_LENGTHS ? class : SHEAF_TORCH_LENGTHS - 1;
    struct sheaf_trial *trial = &group->trials[operation->kind][class];
    if (!trial->pause)
        sheaf_trial_begin(trial, group->way, FIRST >> class / 2, EVERY >> class / 2);
    operation->is_past = sheaf_trial_way(trial, &operation->turn) == SHEAF_PAST;
    operation->trial = operation->turn ? trial : NULL;
}

/* Before a step. */
void sheaf_collective_begin(struct sheaf_operation *operation)
{
    if (operation->index % part_steps(operation) == 0)
        choose_way(operation);
}

/* After a step. The next part's announcements have what this one took. */
void sheaf_collective_end(struct sheaf_operation *operation)
{
    struct sheaf_group *group = operation->group;
    if ((operation->index + 1) % part_steps(operation) != 0)
        return;
    group->timed = operation->trial;
    group->timed_turn = operation->turn;
    group->took = operation->took;
    operation->took = 0;
}

/* All have come to the step, and with it to the end of the part before. */
void sheaf_collective_learn(struct sheaf_group *group)
{
    uint64_t sum = 0;
    bool all = true;
    for (int i = 0; i < group->size && group->timed; i++) {
        uint64_t took = sheaf_memory_table(group, group->step, i)->took;
        all = all && took;
        sum += took;
    }
    if (group->timed && sheaf_trial_took(group->timed, group->timed_turn, all ? sum : 0))
        group->way = (enum sheaf_torch_way)group->timed->way;
    group->timed = NULL;
}

static void drain_combined(struct sheaf_operation *operation)
{
    bool has_result = operation->outs > 0;
    if (is_shared(operation) && operation->index % 2 == 0)
        combine_share(operation);
    else if (is_shared(operation) && has_result)
        fetch_shares(operation);
    else if (!is_shared(operation) && has_result)
        combine(operation, 0, step_bytes(operation, operation->bytes), NULL,
                operation->out[0].address + step_start(operation));
}

/* From rank's area to block out[index]; offset: of the area. */
static void drain_block(struct sheaf_operation *operation, int rank, int index, size_t offset)
{
    struct sheaf_group *group = operation->group;
    size_t bytes = step_bytes(operation, operation->out[index].bytes), start = step_start(operation);
    char *out = operation->out[index].address + start;
    const char *in = operation->in[operation->kind == SHEAF_ALLTOALL ? index : 0].address;
    if (is_own(operation, index) && out != in + start)
        sheaf_memory_copy(out, in + start, bytes, is_long(operation));
    else if (!is_own(operation, index))
        sheaf_memory_read(group, rank, out, step_area(operation, 0) + offset, bytes,
                          is_long(operation));
}

static void drain_blocks(struct sheaf_operation *operation, size_t offset)
{
    struct sheaf_group *group = operation->group;
    for (int i = 0; i < operation->outs; i++)
        drain_block(operation, (group->rank + i) % group->size, (group->rank + i) % group->size,
                    offset);
}

/* Of an alltoall's step: what rank has for this member. */
static struct sheaf_copy result_copy(struct sheaf_operation *operation, int rank, size_t own)
{
    struct sheaf_group *group = operation->group;
    size_t start = step_start(operation);
    struct sheaf_copy copy = {operation->out[rank].address + start,
                              sheaf_memory_at(group, rank, step_area(operation, 0) + own),
                              step_bytes(operation, operation->out[rank].bytes)};
    if (rank == group->rank)
        copy.from = operation->in[rank].address + start;
    if (copy.to == copy.from)
        copy.bytes = 0;
    return copy;
}

/* The copy of the next step's data for rank to the next step's area. Nobody reads that area any more. */
static struct sheaf_copy next_copy(struct sheaf_operation *operation, int rank)
{
    struct sheaf_group *group = operation->group;
    size_t start = step_start(operation) + part(operation);
    return (struct sheaf_copy){step_area(operation, 1) + (size_t)rank * block_part(group),
                               operation->in[rank].address + start,
                               bytes_from(operation, start, operation->in[rank].bytes)};
}

/* An alltoall's step; of a long one the next step's area is filled at once. */
static void drain_alltoall(struct sheaf_operation *operation, size_t own)
{
    struct sheaf_group *group = operation->group;
    operation->is_filled = group->size > 1 && group->near == group->size && is_long(operation) &&
                           operation->index + 1 < operation->steps;
    if (!operation->is_filled) {
        drain_blocks(operation, own);
        return;
    }
    struct sheaf_copy mine = result_copy(operation, group->rank, own);
    for (int i = 1; i < group->size; i++) {
        int rank = (group->rank + i) % group->size;
        struct sheaf_copy their = result_copy(operation, rank, own),
                          next = next_copy(operation, rank);
        sheaf_memory_copy_three(&their, &mine, &next, operation->is_past);
        mine.bytes = 0;
    }
}

/* Reads what this member has of all others in this step. */
void sheaf_collective_drain(struct sheaf_operation *operation)
{
    struct sheaf_group *group = operation->group;
    size_t own = (size_t)group->rank * block_part(group);
    switch (operation->kind) {
    case SHEAF_ALLREDUCE:
    case SHEAF_REDUCE:
        drain_combined(operation);
        break;
    case SHEAF_BROADCAST:
        if (operation->outs)
            drain_block(operation, operation->root, 0, 0);
        break;
    case SHEAF_SCATTER:
        drain_block(operation, operation->root, 0, own);
        break;
    case SHEAF_REDUCE_SCATTER:
        combine(operation, own, step_bytes(operation, operation->bytes), NULL,
                operation->out[0].address + step_start(operation));
        break;
    case SHEAF_ALLGATHER:
    case SHEAF_GATHER:
        drain_blocks(operation, 0);
        break;
    case SHEAF_ALLTOALL:
        drain_alltoall(operation, own);
        break;
    default:
        break;
    }
    sheaf_memory_complete(group);
}
