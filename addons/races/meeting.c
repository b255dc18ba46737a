/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collectives: what each member knows when it comes, and what it learns when it goes. Members find a call
 * by its number in the team.
 */
#include "races/team.h"

#include <string.h>

static void look_shape(const void *start, ptrdiff_t stride, struct races_shape shape,
                       const struct races_access *access)
{
    for (size_t i = 0; start && shape.block && i < shape.count; i++)
        races_look_range(races_self, races.pe, (const char *)start + (ptrdiff_t)i * stride, shape.block,
                         access);
}

void races_source(const struct races_call *call, const void *source, struct races_shape shape)
{
    if (!call->team || !races_self)
        return;
    struct races_access access = {.word = races_self->read_word, .owner = races.pe, .settles = true};
    access.site = races_site_call(call->name, call->caller);
    look_shape(source, shape.source, shape, &access);
}

void races_dest(const struct races_call *call, const void *dest, struct races_shape shape)
{
    if (!call->team || !races_self)
        return;
    struct races_access access = {.word = races_self->read_word | RACES_WRITE, .owner = races.pe};
    access.site = races_site_call(call->name, call->caller);
    look_shape(dest, shape.dest, shape, &access);
    races_tick(races_self); /* loads of it are told apart */
}

static struct races_arrival *arrival_of(const struct races_call *call, int member)
{
    return &call->team->arrivals[(size_t)member * RACES_AHEAD + call->number % RACES_AHEAD];
}

void races_arrive(struct races_call *call, enum races_collective kind)
{
    struct races_thread *thread = races_self;
    if (!call->team || !thread)
        return;
    if (kind == RACES_BARRIER)
        races_channels_quiet(thread, SHMEM_CTX_DEFAULT);
    call->number = ++call->team->number;
    struct races_arrival *mine = arrival_of(call, call->team->rank);
    atomic_store_explicit(&mine->snapshot,
                          races_release(thread, kind == RACES_BARRIER || kind == RACES_SYNC),
                          memory_order_relaxed);
    mine->count = call->count;
    atomic_store_explicit(&mine->number, call->number, memory_order_release);
    if (kind == RACES_BARRIER || kind == RACES_SYNC)
        races_know(thread, thread->stores, thread->clock);
    races_tick(thread);
}

/* A member that is far ahead may have left a later one in its place, which says more. */
static uint32_t snapshot_of(const struct races_call *call, int member)
{
    struct races_arrival *arrival = arrival_of(call, member);
    uint64_t number = atomic_load_explicit(&arrival->number, memory_order_acquire);
    return number >= call->number ? atomic_load_explicit(&arrival->snapshot, memory_order_relaxed) : 0;
}

void races_leave(const struct races_call *call, enum races_collective kind, int root)
{
    struct races_thread *thread = races_self;
    if (!call->team || !thread)
        return;
    int first = kind == RACES_BROADCAST ? root : 0;
    int end = kind == RACES_BROADCAST ? root + 1
              : kind == RACES_SCAN    ? call->team->rank
                                      : call->team->size;
    for (int member = first; member < end; member++)
        if (member >= 0 && member < call->team->size && member != call->team->rank)
            races_acquire(thread, snapshot_of(call, member));
}

size_t races_collected(const struct races_call *call)
{
    size_t all = 0;
    for (int member = 0; call->team && member < call->team->size; member++) {
        const struct races_arrival *arrival = arrival_of(call, member);
        all += atomic_load_explicit(&arrival->number, memory_order_acquire) == call->number
                   ? arrival->count
                   : call->count;
    }
    return all;
}

static unsigned program_of(int pe)
{
    for (unsigned i = 1; i < races_strand_count(); i++)
        if (races.shared->strand[i].pe == pe && races.shared->strand[i].kind == RACES_PROGRAM)
            return i;
    return 0;
}

/* The knowledge that these members share when they come: the least of each clock. */
static void know_in_common(const struct races_call *call, int first, int end, uint32_t *least)
{
    uint32_t *clock = races_self->scratch[0], length, count = races_strand_count();
    memset(least, 0xff, count * sizeof *least);
    for (int member = first; member < end; member++) {
        if (member == call->team->rank || !races_snapshot_read(snapshot_of(call, member), clock, &length))
            continue;
        if (length < count)
            memset(clock + length, 0, (count - length) * sizeof *clock);
        for (uint32_t i = 0; i < count; i++)
            least[i] = least[i] < clock[i] ? least[i] : clock[i];
    }
}

/* One member's, with what it knew; conflict: only to find out whether there is one. */
static void look_early(const struct races_call *call, int member, const void *dest,
                       struct races_shape shape, const uint32_t *clock, bool *conflict)
{
    unsigned writer = program_of(call->team->members[member]);
    struct races_access access = {.word = races_word(writer, 1, RACES_WRITE),
                                  .owner = races.pe,
                                  .site = races_site_call(call->name, call->caller),
                                  .vc = clock,
                                  .is_check = true,
                                  .is_early = true,
                                  .conflict = conflict};
    look_shape(dest, shape.dest, shape, &access);
}

void races_dest_early(const struct races_call *call, const void *dest, struct races_shape shape, int root)
{
    if (!call->team || !races_self || root >= call->team->size)
        return;
    int first = root < 0 ? 0 : root, end = root < 0 ? call->team->size : root + 1;
    bool conflict = false;
    uint32_t *clock = races_self->scratch[2];
    know_in_common(call, first, end, clock);
    if (end - first > 1 || first != call->team->rank)
        look_early(call, first, dest, shape, clock, &conflict);
    for (int member = first; member < end && conflict; member++)
        if (member != call->team->rank) {
            know_in_common(call, member, member + 1, clock);
            look_early(call, member, dest, shape, clock, NULL);
        }
}
