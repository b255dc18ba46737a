/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Strands, vector clocks, and snapshots of them: what a thread lets others know, and what it learns.
 */
#include "races/internal.h"

#include <string.h>

/* Strand 0, which never races, where there are no more. */
unsigned races_strand_new(enum races_kind kind, int thread, int context, int target)
{
    unsigned number = atomic_fetch_add_explicit(&races.shared->strands, 1, memory_order_relaxed);
    if (number >= RACES_STRANDS) {
        atomic_store_explicit(&races.shared->strands, RACES_STRANDS, memory_order_relaxed);
        races_full(RACES_NO_STRANDS);
        return 0;
    }
    struct races_strand *strand = &races.shared->strand[number];
    strand->pe = races.pe;
    strand->thread = thread;
    strand->context = context;
    strand->target = target;
    strand->kind = (int32_t)kind;
    return number;
}

static void set_words(struct races_thread *thread)
{
    thread->stamp = races_stamp(thread->program, thread->stores, thread->clock);
    thread->read_word = races_word(thread->program, thread->clock, 0);
    thread->write_word = races_word(thread->stores, thread->clock, RACES_WRITE);
}

void races_know(struct races_thread *thread, unsigned strand, uint32_t clock)
{
    if (thread->vc[strand] < clock) {
        thread->vc[strand] = clock;
        thread->base = strand == thread->program ? thread->base : 0;
    }
    if (thread->length <= strand)
        thread->length = strand + 1;
    thread->foreign_release = 0;
}

/* What comes after is not part of what was released before. */
void races_tick(struct races_thread *thread)
{
    thread->clock++;
    thread->foreign_release = 0;
    races_know(thread, thread->program, thread->clock);
    struct races_strand *strands = races.shared->strand;
    atomic_store_explicit(&strands[thread->program].clock, thread->clock, memory_order_relaxed);
    atomic_store_explicit(&strands[thread->stores].clock, thread->clock, memory_order_relaxed);
    set_words(thread);
}

struct races_thread *races_thread_new(int number)
{
    struct races_thread *thread = races_map(sizeof *thread);
    if (!thread)
        return NULL;
    thread->number = number;
    thread->table = races_table;
    thread->bias = races.bias;
    thread->watches_private = races.watches_private;
    thread->program = races_strand_new(RACES_PROGRAM, number, 0, -1);
    thread->stores = races_strand_new(RACES_STORES, number, 0, -1);
    races_know(thread, thread->stores, 0);
    races_tick(thread);
    return thread;
}

void races_join(struct races_thread *thread, const uint32_t *clock, uint32_t length)
{
    uint32_t *mine = thread->vc;
    uint32_t fenced = mine[thread->stores];
    bool is_more = false;
    for (uint32_t i = 0; i < length; i++) {
        is_more |= mine[i] < clock[i];
        mine[i] = mine[i] < clock[i] ? clock[i] : mine[i];
    }
    thread->base = is_more ? 0 : thread->base;
    /* Nobody knows more of a thread than itself; where it is told, a snapshot was gone. */
    mine[thread->program] = thread->clock;
    mine[thread->stores] = fenced;
    if (thread->length < length)
        thread->length = length;
    thread->foreign_release = 0;
}

static struct races_snapshot *snapshot_at(uint32_t id)
{
    return (struct races_snapshot *)(void *)(races.shared->ring +
                                             (size_t)(id % RACES_RING_UNITS) * RACES_UNIT);
}

/* Units that the thread has for itself, so that not every one of them is asked of all PEs. */
#define UNITS_AT_ONCE 256
static _Thread_local struct {
    uint32_t next, end;
} room __attribute__((tls_model("initial-exec")));

static uint32_t take_units(uint32_t units)
{
    for (;;) {
        uint32_t id = atomic_fetch_add_explicit(&races.shared->ring_next, units, memory_order_relaxed);
        if (id != 0 && id < RACES_EVERYTHING - units && id % RACES_RING_UNITS + units <= RACES_RING_UNITS)
            return id;
    }
}

/* Room for so many clocks, not across the ring's end. */
static uint32_t take_room(uint32_t length)
{
    uint32_t units =
        (uint32_t)((sizeof(struct races_snapshot) + length * sizeof(uint32_t) + RACES_UNIT - 1) /
                   RACES_UNIT);
    if (units > UNITS_AT_ONCE)
        return take_units(units);
    uint32_t now = atomic_load_explicit(&races.shared->ring_next, memory_order_relaxed);
    if (room.end - room.next < units || now - room.next > RACES_RING_UNITS / 2) {
        room.next = take_units(UNITS_AT_ONCE);
        room.end = room.next + UNITS_AT_ONCE;
    }
    room.next += units;
    return room.next - units;
}

static struct races_snapshot *begin_snapshot(uint32_t length, uint32_t *id)
{
    *id = take_room(length);
    struct races_snapshot *snapshot = snapshot_at(*id);
    atomic_store_explicit(&snapshot->id, 0, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    return snapshot;
}

static uint32_t write_snapshot(const uint32_t *clock, uint32_t length)
{
    uint32_t id;
    struct races_snapshot *snapshot = begin_snapshot(length, &id);
    snapshot->length = length;
    memcpy(snapshot->clock, clock, length * sizeof *clock);
    atomic_store_explicit(&snapshot->id, id, memory_order_release);
    return id;
}

static uint32_t write_changes(uint32_t base, const struct races_change *changes, uint32_t count)
{
    uint32_t id;
    struct races_changes *snapshot = (struct races_changes *)(void *)begin_snapshot(0, &id);
    snapshot->length = RACES_CHANGES | count;
    snapshot->base = base;
    memcpy(snapshot->change, changes, count * sizeof *changes);
    atomic_store_explicit(&snapshot->id, id, memory_order_release);
    return id;
}

/* Whether the snapshot at that header is the one named id, and no later one has been given a unit of it.
 * The header alone does not tell: the ring may have come round to the units behind it. And it may lie
 * within a longer snapshot, one of whose clocks happens to be the number. */
static bool is_snapshot_there(const _Atomic uint32_t *header, uint32_t id)
{
    bool is_named = atomic_load_explicit(header, memory_order_acquire) == id;
    uint32_t next = atomic_load_explicit(&races.shared->ring_next, memory_order_relaxed);
    return is_named && next - id <= RACES_RING_UNITS;
}

/* After the snapshot was copied. A writer takes its units before it writes to them. */
static bool was_snapshot_there(const _Atomic uint32_t *header, uint32_t id)
{
    atomic_thread_fence(memory_order_acquire);
    return is_snapshot_there(header, id);
}

/* False: it is gone, or is no list of changes. */
static bool read_changes(uint32_t id, struct races_changes *changes)
{
    const struct races_changes *there = (const void *)snapshot_at(id);
    if (id == RACES_EVERYTHING || !is_snapshot_there(&there->id, id))
        return false;
    memcpy(changes, there, sizeof *changes);
    return was_snapshot_there(&there->id, id) && (changes->length & RACES_CHANGES) &&
           (changes->length ^ RACES_CHANGES) <= RACES_MOST_CHANGES;
}

static bool read_whole(uint32_t id, uint32_t *clock, uint32_t *length)
{
    struct races_snapshot *snapshot = snapshot_at(id);
    if (id == RACES_EVERYTHING || !is_snapshot_there(&snapshot->id, id))
        return false;
    uint32_t count = snapshot->length;
    if (count > RACES_STRANDS)
        return false;
    memcpy(clock, snapshot->clock, count * sizeof *clock);
    *length = count;
    return was_snapshot_there(&snapshot->id, id);
}

bool races_snapshot_read(uint32_t id, uint32_t *clock, uint32_t *length)
{
    struct races_changes changes;
    if (!read_changes(id, &changes))
        return read_whole(id, clock, length);
    if (!read_whole(changes.base, clock, length))
        return false;
    for (uint32_t i = 0; i < (changes.length ^ RACES_CHANGES); i++) {
        const struct races_change *change = &changes.change[i];
        if (change->strand >= RACES_STRANDS)
            return false;
        for (; *length <= change->strand; ++*length)
            clock[*length] = 0;
        if (clock[change->strand] < change->clock)
            clock[change->strand] = change->clock;
    }
    return true;
}

uint32_t races_strand_count(void)
{
    uint32_t count = atomic_load_explicit(&races.shared->strands, memory_order_relaxed);
    return count < RACES_STRANDS ? count : RACES_STRANDS;
}

static void read_everything(uint32_t *clock, uint32_t *length)
{
    *length = races_strand_count();
    for (uint32_t i = 0; i < *length; i++)
        clock[i] = atomic_load_explicit(&races.shared->strand[i].clock, memory_order_relaxed);
}

void races_acquire(struct races_thread *thread, uint32_t snapshot)
{
    uint32_t *clock = thread->scratch[0], length;
    if (snapshot == 0)
        return;
    if (!races_snapshot_read(snapshot, clock, &length))
        read_everything(clock, &length);
    races_join(thread, clock, length);
}

uint32_t races_release(struct races_thread *thread, bool is_full)
{
    uint32_t fenced = thread->vc[thread->stores];
    if (is_full)
        thread->vc[thread->stores] = thread->clock;
    uint32_t id = write_snapshot(thread->vc, thread->length);
    thread->vc[thread->stores] = fenced;
    return id;
}

/* A base is made anew before the ring comes round to it. */
static bool is_old(uint32_t base)
{
    return atomic_load_explicit(&races.shared->ring_next, memory_order_relaxed) - base >
           RACES_RING_UNITS / 4;
}

static uint32_t release_whole(struct races_thread *thread, const struct races_change *changes,
                              uint32_t count)
{
    uint32_t *clock = thread->scratch[0];
    memcpy(clock, thread->vc, thread->length * sizeof *clock);
    for (uint32_t i = 0; i < count; i++)
        clock[changes[i].strand] = changes[i].clock;
    return write_snapshot(clock, thread->length);
}

uint32_t races_release_with(struct races_thread *thread, const struct races_change *changes,
                            uint32_t count)
{
    struct races_change all[RACES_MOST_CHANGES];
    if (count >= RACES_MOST_CHANGES)
        return release_whole(thread, changes, count);
    if (!thread->base || is_old(thread->base))
        thread->base = write_snapshot(thread->vc, thread->length);
    memcpy(all, changes, count * sizeof *changes);
    all[count] = (struct races_change){thread->program, thread->clock};
    return write_changes(thread->base, all, count + 1);
}

/* Adds the clocks of another list; false: there is no room. */
static bool add_changes(struct races_changes *to, const struct races_changes *from, bool *is_more)
{
    uint32_t count = to->length ^ RACES_CHANGES;
    for (uint32_t i = 0; i < (from->length ^ RACES_CHANGES); i++) {
        uint32_t at = 0;
        while (at < count && to->change[at].strand != from->change[i].strand)
            at++;
        if (at == RACES_MOST_CHANGES)
            return false;
        *is_more |= at == count || to->change[at].clock < from->change[i].clock;
        if (at == count)
            to->change[count++] = from->change[i];
        else if (to->change[at].clock < from->change[i].clock)
            to->change[at].clock = from->change[i].clock;
    }
    to->length = RACES_CHANGES | count;
    return true;
}

/* Of two with the same base; 0: they have not. */
static uint32_t join_changes(uint32_t old, uint32_t id)
{
    struct races_changes mine, others;
    bool is_more = false;
    if (!read_changes(old, &others) || !read_changes(id, &mine) || mine.base != others.base ||
        !add_changes(&mine, &others, &is_more))
        return 0;
    return is_more ? write_changes(mine.base, mine.change, mine.length ^ RACES_CHANGES) : id;
}

/* What both say. The thread's own clocks are those of id. */
uint32_t races_snapshot_join(struct races_thread *thread, uint32_t old, uint32_t id)
{
    uint32_t *clock = thread->scratch[0], *other = thread->scratch[1], length, other_length;
    if (old == id || old == 0)
        return id;
    uint32_t joined = join_changes(old, id);
    if (joined)
        return joined;
    if (!races_snapshot_read(old, other, &other_length) || !races_snapshot_read(id, clock, &length))
        return RACES_EVERYTHING;
    bool is_more = false;
    for (; length < other_length; length++)
        clock[length] = 0;
    for (uint32_t i = 0; i < other_length; i++)
        if (clock[i] < other[i]) {
            clock[i] = other[i];
            is_more = true;
        }
    return is_more ? write_snapshot(clock, length) : id;
}
