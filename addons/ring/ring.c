/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The routines of shmemx_ring.h. A number that another process may have written is compared with
 * what this process knows before it is used: a broken reader stops nobody but itself.
 */
#include "ring/shmemx_ring.h"

#include "base/clock.h"
#include "base/os/os.h"
#include "base/pace/processor.h"
#include "base/times.h"
#include "ring/memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct shmemx_ring {
    struct ring_memory memory;
    bool is_writer;
    uint64_t next;  /* the message that is written or read next */
    uint64_t limit; /* the writer's: messages below it have room; SHMEMX_RING_WAIT alone */
    uint32_t place; /* the reader's */
    uint64_t lost;
    int processors;
    uint32_t looks; /* before a wait yields */
    struct sheaf_pace pace;
    char name[RING_NAME_SIZE];
    struct shmemx_ring *after; /* in the list of this process */
};

/* All of this process, so that a child of fork() keeps no lock alive. */
static struct {
    pthread_mutex_t mutex;
    pthread_once_t once;
    struct shmemx_ring *first;
} rings = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_ONCE_INIT, NULL};

static void lock_rings(void)
{
    pthread_mutex_lock(&rings.mutex);
}

static void unlock_rings(void)
{
    pthread_mutex_unlock(&rings.mutex);
}

static void leave_rings(void)
{
    for (struct shmemx_ring *ring = rings.first; ring; ring = ring->after)
        ring_memory_leave(&ring->memory);
    rings.first = NULL;
    unlock_rings();
}

static void watch_forks(void)
{
    pthread_atfork(lock_rings, unlock_rings, leave_rings);
}

static struct shmemx_ring *new_ring(void)
{
    pthread_once(&rings.once, watch_forks);
    return calloc(1, sizeof(struct shmemx_ring));
}

static void list(struct shmemx_ring *ring)
{
    lock_rings();
    ring->after = rings.first;
    rings.first = ring;
    unlock_rings();
}

static void unlist(const struct shmemx_ring *ring)
{
    lock_rings();
    struct shmemx_ring **at = &rings.first;
    while (*at && *at != ring)
        at = &(*at)->after;
    if (*at)
        *at = ring->after;
    unlock_rings();
}

/* Whether the handle is one of this process, and the caller its writer or a reader as the routine
 * wants. */
static bool is_of(const struct shmemx_ring *ring, bool is_writer)
{
    return ring && ring->memory.head && ring->is_writer == is_writer;
}

/* Waits: looks at memory, yields and sleeps as base/pace says. */
struct ring_wait {
    struct sheaf_pace_wait pace;
    uint64_t end_ns;
};

static struct ring_wait wait_for(double seconds)
{
    bool is_limited = seconds >= 0 && seconds < 1e9;
    return (struct ring_wait){.end_ns = is_limited ? sheaf_clock_ns() + (uint64_t)(seconds * 1e9)
                                                   : UINT64_MAX};
}

/* Processes of this ring against the processors. Others are not known: yields cost them nothing. */
static void choose_pace(struct shmemx_ring *ring, int readers)
{
    if (ring->processors == 0)
        ring->processors = sheaf_os_usable_cpus();
    sheaf_pace_init(&ring->pace, readers + 1 > ring->processors);
    ring->looks = sheaf_pace_spins(&ring->pace);
}

static bool has_message(const struct shmemx_ring *ring)
{
    return sheaf_load_acquire(&ring->memory.head->published) != ring->next;
}

/* Looks for the next message. Whether it is there. */
static bool spin(const struct shmemx_ring *ring)
{
    uint64_t begin_ns = 0;
    for (uint32_t i = 0; i < ring->looks; ++i) {
        if (has_message(ring))
            return true;
        sheaf_cpu_relax();
        if (i % 32 == 31) {
            uint64_t now_ns = sheaf_clock_ns();
            begin_ns = begin_ns ? begin_ns : now_ns;
            if (now_ns - begin_ns > sheaf_times.ring_spin)
                return false;
        }
    }
    return false;
}

/* One more step of a wait for another value of word than old. flag: what tells the other side that
 * somebody sleeps, or NULL where it knows. */
enum ring_step {
    RING_WAITS,
    RING_LOOKS, /* it has slept, and word is the same: time to look who lives */
    RING_LATE,  /* the wait's time is over */
};
static enum ring_step wait_step(struct shmemx_ring *ring, struct ring_wait *wait, uint32_t *word,
                                uint32_t old, uint32_t *flag)
{
    uint64_t now_ns = sheaf_clock_ns();
    if (now_ns >= wait->end_ns)
        return RING_LATE;
    sheaf_pace_looks_on(&ring->pace, &wait->pace);
    if (sheaf_pace_wait_next(&ring->pace, &wait->pace, SHEAF_PACE_WAKER, now_ns).step ==
        SHEAF_PACE_YIELD) {
        sheaf_processor_yield();
        return RING_WAITS;
    }
    if (flag) {
        sheaf_store_relaxed(flag, 1);
        sheaf_fence_full(); /* the partner is wake_sleepers() */
        if (sheaf_load_acquire(word) != old)
            return RING_WAITS;
    }
    uint64_t ns = wait->end_ns - now_ns;
    sheaf_os_futex_wait(word, old, ns < sheaf_times.ring_look ? ns : sheaf_times.ring_look);
    return sheaf_load_acquire(word) == old ? RING_LOOKS : RING_WAITS;
}

/* The writer's side. */

static void wake_sleepers(struct ring_head *head)
{
    sheaf_fence_full(); /* published before has_sleepers: the partner is wait_step() */
    if (sheaf_load_relaxed(&head->has_sleepers) &&
        __atomic_exchange_n(&head->has_sleepers, 0, __ATOMIC_SEQ_CST))
        sheaf_os_futex_wake((uint32_t *)&head->published);
}

static void tell_writer(struct ring_head *head)
{
    __atomic_fetch_add(&head->news, 1, __ATOMIC_SEQ_CST);
    sheaf_os_futex_wake(&head->news);
}

/* Readers that have ended without closing give their places back. */
static void free_places_of_dead(struct shmemx_ring *ring)
{
    for (uint32_t i = 0; i < ring->memory.shape.reader_count; ++i) {
        struct ring_place *place = &ring->memory.places[i];
        if (!sheaf_load_acquire(&place->is_used) || ring_memory_is_locked(&ring->memory, 1 + i) ||
            !ring_memory_lock(&ring->memory, 1 + i))
            continue;
        if (sheaf_load_acquire(&place->is_used)) {
            ++place->deaths;
            sheaf_store_release(&place->is_used, 0);
        }
        ring_memory_unlock(&ring->memory, 1 + i);
    }
}

static int count_readers(const struct shmemx_ring *ring)
{
    int readers = 0;
    for (uint32_t i = 0; i < ring->memory.shape.reader_count; ++i)
        readers += sheaf_load_acquire(&ring->memory.places[i].is_used) != 0;
    return readers;
}

/* The message that the slowest reader reads next. A reader that is just joining may be further back
 * than the ring reaches, for a moment; one that is ahead of the writer is broken, and nobody waits
 * for it. */
static uint64_t least_cursor(const struct shmemx_ring *ring)
{
    uint64_t behind = 0;
    for (uint32_t i = 0; i < ring->memory.shape.reader_count; ++i) {
        const struct ring_place *place = &ring->memory.places[i];
        if (!sheaf_load_acquire(&place->is_used))
            continue;
        uint64_t cursor = sheaf_load_acquire(&place->cursor);
        if (cursor <= ring->next && ring->next - cursor > behind)
            behind = ring->next - cursor;
    }
    uint64_t most = ring->memory.shape.block_count;
    return ring->next - (behind < most ? behind : most);
}

/* The fence's partner is in join(): a reader that is missed here begins at or behind the writer's
 * next message. */
static bool has_room(struct shmemx_ring *ring)
{
    sheaf_fence_full();
    ring->limit = least_cursor(ring) + ring->memory.shape.block_count;
    return ring->next < ring->limit;
}

/* It sleeps until a quarter of the blocks is free, or it would wake for each message. */
static int wait_for_room(struct shmemx_ring *ring, double seconds)
{
    struct ring_head *head = ring->memory.head;
    uint64_t blocks = ring->memory.shape.block_count;
    struct ring_wait wait = wait_for(seconds);
    enum ring_step step = RING_WAITS;
    for (uint32_t looks = 0; looks < ring->looks / 8; ++looks) {
        if (has_room(ring))
            return 0;
        sheaf_cpu_relax();
    }
    while (step != RING_LATE) {
        uint32_t news = sheaf_load_acquire(&head->news);
        sheaf_store_relaxed(&head->wanted, ring->next + 1 + blocks / 4 - blocks);
        if (has_room(ring))
            break;
        step = wait_step(ring, &wait, &head->news, news, NULL);
        if (step != RING_WAITS)
            free_places_of_dead(ring);
    }
    sheaf_store_relaxed(&head->wanted, RING_WANTS_NONE);
    return step != RING_LATE || has_room(ring) ? 0 : SHMEMX_RING_TIMEOUT;
}

static struct ring_block *block_of(const struct shmemx_ring *ring, uint64_t message)
{
    const struct ring_memory *memory = &ring->memory;
    return (struct ring_block *)(memory->blocks + message % memory->shape.block_count *
                                                      ring_block_bytes(&memory->shape));
}

int shmemx_ring_write(shmemx_ring_t ring, const void *source, size_t bytes, double seconds)
{
    if (!is_of(ring, true) || (!source && bytes))
        return SHMEMX_RING_ARGUMENT;
    if (bytes > ring->memory.shape.message_most)
        return SHMEMX_RING_TOO_LONG;
    if (ring->memory.shape.overflow == SHMEMX_RING_WAIT && ring->next >= ring->limit) {
        int result = wait_for_room(ring, seconds);
        if (result != 0)
            return result;
    }
    struct ring_block *block = block_of(ring, ring->next);
    sheaf_store_relaxed(&block->sequence, 0);
    sheaf_fence_stores();
    sheaf_store_relaxed(&block->bytes, bytes);
    if (bytes)
        memcpy(block->data, source, bytes);
    ++ring->next;
    sheaf_store_release(&block->sequence, ring->next);
    sheaf_store_release(&ring->memory.head->published, ring->next);
    wake_sleepers(ring->memory.head);
    return 0;
}

int shmemx_ring_wait_readers(shmemx_ring_t ring, int readers, double seconds)
{
    if (!is_of(ring, true) || readers < 0)
        return SHMEMX_RING_ARGUMENT;
    struct ring_head *head = ring->memory.head;
    struct ring_wait wait = wait_for(seconds);
    for (;;) {
        uint32_t news = sheaf_load_acquire(&head->news);
        int there = shmemx_ring_readers(ring);
        if (there >= readers)
            return 0;
        if (wait_step(ring, &wait, &head->news, news, NULL) == RING_LATE)
            return SHMEMX_RING_TIMEOUT;
    }
}

int shmemx_ring_readers(shmemx_ring_t ring)
{
    if (!is_of(ring, true))
        return SHMEMX_RING_ARGUMENT;
    free_places_of_dead(ring);
    int readers = count_readers(ring);
    choose_pace(ring, readers);
    return readers;
}

uint64_t shmemx_ring_died(shmemx_ring_t ring)
{
    uint64_t deaths = 0;
    if (!is_of(ring, true))
        return 0;
    free_places_of_dead(ring);
    for (uint32_t i = 0; i < ring->memory.shape.reader_count; ++i)
        deaths += sheaf_load_relaxed(&ring->memory.places[i].deaths);
    return deaths;
}

uint64_t shmemx_ring_written(shmemx_ring_t ring)
{
    return is_of(ring, true) ? ring->next : 0;
}

int shmemx_ring_create(size_t blocks, size_t message_most, int readers_most, int overflow,
                       shmemx_ring_t *ring)
{
    if (!ring || blocks == 0 || blocks > RING_BLOCKS_MOST || message_most > RING_MESSAGE_MOST ||
        readers_most < 1 || readers_most > RING_READERS_MOST || overflow < SHMEMX_RING_WAIT ||
        overflow > SHMEMX_RING_OVERWRITE)
        return SHMEMX_RING_ARGUMENT;
    struct shmemx_ring *made = new_ring();
    if (!made)
        return SHMEMX_RING_SYSTEM;
    struct ring_shape shape = {.magic = RING_MAGIC,
                               .version = RING_VERSION,
                               .overflow = (uint32_t)overflow,
                               .block_count = blocks,
                               .message_most = message_most,
                               .reader_count = (uint32_t)readers_most};
    int result = ring_memory_make(&made->memory, &shape);
    if (result != 0) {
        free(made);
        return result;
    }
    made->is_writer = true;
    ring_memory_name(&made->memory, made->name, sizeof made->name);
    choose_pace(made, 1);
    list(made);
    *ring = made;
    return 0;
}

const char *shmemx_ring_name(shmemx_ring_t ring)
{
    return is_of(ring, true) ? ring->name : NULL;
}

int shmemx_ring_descriptor(shmemx_ring_t ring)
{
    return is_of(ring, true) ? ring->memory.handed : SHMEMX_RING_ARGUMENT;
}

/* The reader's side. */

/* Takes place i, whose lock this process has by now. Only the second look at published counts: a
 * writer that has not seen the reader by then does not write over what the reader reads from there
 * on. */
static void join(struct shmemx_ring *ring, uint32_t i)
{
    struct ring_head *head = ring->memory.head;
    struct ring_place *place = &ring->memory.places[i];
    if (sheaf_load_relaxed(&place->is_used))
        ++place->deaths;
    sheaf_store_relaxed(&place->cursor, sheaf_load_acquire(&head->published));
    sheaf_store_release(&place->is_used, 1);
    sheaf_fence_full();
    ring->next = sheaf_load_acquire(&head->published);
    sheaf_store_release(&place->cursor, ring->next);
    ring->place = i;
    tell_writer(head);
}

/* Whether a place was free. The writer holds a place's lock for microseconds when its reader has
 * died. */
static bool find_place(struct shmemx_ring *ring)
{
    for (int again = 0; again < 3; ++again) {
        for (uint32_t i = 0; i < ring->memory.shape.reader_count; ++i) {
            if (ring_memory_lock(&ring->memory, 1 + i)) {
                join(ring, i);
                return true;
            }
        }
        sheaf_processor_sleep(SHEAF_MILLISECOND);
    }
    return false;
}

static int open_as_reader(struct shmemx_ring *made, int result, shmemx_ring_t *ring)
{
    if (result == 0 && !find_place(made)) {
        ring_memory_close(&made->memory);
        result = SHMEMX_RING_FULL;
    }
    if (result != 0) {
        free(made);
        return result;
    }
    choose_pace(made, count_readers(made));
    list(made);
    *ring = made;
    return 0;
}

int shmemx_ring_open(const char *name, shmemx_ring_t *ring)
{
    if (!name || !ring)
        return SHMEMX_RING_ARGUMENT;
    struct shmemx_ring *made = new_ring();
    return made ? open_as_reader(made, ring_memory_find(&made->memory, name), ring)
                : SHMEMX_RING_SYSTEM;
}

int shmemx_ring_open_descriptor(int descriptor, shmemx_ring_t *ring)
{
    if (descriptor < 0 || !ring)
        return SHMEMX_RING_ARGUMENT;
    struct shmemx_ring *made = new_ring();
    return made ? open_as_reader(made, ring_memory_take(&made->memory, descriptor), ring)
                : SHMEMX_RING_SYSTEM;
}

/* Nothing more to read: 0, or why nothing will come. A writer stores is_closed before it gives the
 * lock back. */
static int end_of(const struct shmemx_ring *ring)
{
    const struct ring_head *head = ring->memory.head;
    bool lives = ring_memory_is_locked(&ring->memory, 0),
         is_closed = sheaf_load_acquire(&head->is_closed);
    if ((lives && !is_closed) || has_message(ring))
        return 0;
    return is_closed ? SHMEMX_RING_ENDED : SHMEMX_RING_WRITER_DIED;
}

static int wait_for_message(struct shmemx_ring *ring, double seconds)
{
    struct ring_head *head = ring->memory.head;
    if (has_message(ring) || (seconds != 0 && spin(ring)))
        return 0;
    struct ring_wait wait = wait_for(seconds);
    for (;;) {
        enum ring_step step = sheaf_load_acquire(&head->is_closed)
                                  ? RING_LOOKS
                                  : wait_step(ring, &wait, (uint32_t *)&head->published,
                                              (uint32_t)ring->next, &head->has_sleepers);
        if (has_message(ring))
            return 0;
        int end = step == RING_WAITS ? 0 : end_of(ring);
        if (end != 0)
            return end;
        if (step == RING_LATE)
            return SHMEMX_RING_TIMEOUT;
        if (step == RING_LOOKS)
            choose_pace(ring, count_readers(ring));
    }
}

static void go_on_at(struct shmemx_ring *ring, uint64_t message)
{
    struct ring_head *head = ring->memory.head;
    ring->next = message;
    sheaf_store_release(&ring->memory.places[ring->place].cursor, message);
    if (ring->memory.shape.overflow != SHMEMX_RING_WAIT)
        return;
    sheaf_fence_full(); /* the partner is has_room() in wait_for_room() */
    if (sheaf_load_relaxed(&head->wanted) == message)
        tell_writer(head);
}

/* Message next has been written over: goes on half a ring behind the writer, or it would soon lose
 * again. */
static int lose(struct shmemx_ring *ring)
{
    if (ring->memory.shape.overflow == SHMEMX_RING_WAIT)
        return SHMEMX_RING_BROKEN;
    uint64_t half = (ring->memory.shape.block_count + 1) / 2;
    uint64_t ahead = sheaf_load_acquire(&ring->memory.head->published) - ring->next;
    uint64_t lost = ahead > half ? ahead - half : 1;
    ring->lost += lost;
    go_on_at(ring, ring->next + lost);
    return SHMEMX_RING_LOST;
}

/* Whether the block still holds the message that is read: what was read of it before is then true.
 */
static bool holds(const struct shmemx_ring *ring, const struct ring_block *block)
{
    sheaf_fence_loads();
    return sheaf_load_relaxed(&block->sequence) == ring->next + 1;
}

int shmemx_ring_read(shmemx_ring_t ring, void *dest, size_t size, size_t *bytes, double seconds)
{
    if (!is_of(ring, false) || !bytes || (!dest && size))
        return SHMEMX_RING_ARGUMENT;
    int result = wait_for_message(ring, seconds);
    if (result != 0)
        return result;
    uint64_t ahead = sheaf_load_acquire(&ring->memory.head->published) - ring->next;
    if (ahead > INT64_MAX)
        return SHMEMX_RING_BROKEN;
    const struct ring_block *block = block_of(ring, ring->next);
    if (ahead > ring->memory.shape.block_count ||
        sheaf_load_acquire(&block->sequence) != ring->next + 1)
        return lose(ring);
    uint64_t length = sheaf_load_relaxed(&block->bytes);
    if (!holds(ring, block))
        return lose(ring);
    if (length > ring->memory.shape.message_most)
        return SHMEMX_RING_BROKEN;
    *bytes = length;
    if (length > size)
        return SHMEMX_RING_TOO_LONG;
    if (length)
        memcpy(dest, block->data, length);
    if (!holds(ring, block))
        return lose(ring);
    go_on_at(ring, ring->next + 1);
    return 0;
}

uint64_t shmemx_ring_lost(shmemx_ring_t ring)
{
    return is_of(ring, false) ? ring->lost : 0;
}

size_t shmemx_ring_message_most(shmemx_ring_t ring)
{
    return ring && ring->memory.head ? ring->memory.shape.message_most : 0;
}

void shmemx_ring_close(shmemx_ring_t ring)
{
    if (!ring)
        return;
    unlist(ring);
    struct ring_head *head = ring->memory.head;
    if (head && ring->is_writer) {
        sheaf_store_release(&head->is_closed, 1);
        sheaf_os_futex_wake((uint32_t *)&head->published);
    } else if (head) {
        sheaf_store_release(&ring->memory.places[ring->place].is_used, 0);
        tell_writer(head);
    }
    ring_memory_close(&ring->memory);
    free(ring);
}

const char *shmemx_ring_text(int result)
{
    static const char *const texts[] = {
        "nothing is wrong",
        "nothing came, or there was no room, within the time",
        "the writer has closed the ring, and all is read",
        "the writer has ended without closing the ring, and all is read",
        "the reader was too slow: messages have been written over",
        "the message is longer than the ring's blocks, or than the buffer",
        "the ring has no place for another reader",
        "there is no ring of this name, or none of this user",
        "this is no ring, or it has been damaged",
        "an argument is out of its range, or the handle is not one for this call",
        "the system refuses it",
    };
    size_t count = sizeof texts / sizeof *texts;
    return result <= 0 && (size_t)-result < count ? texts[-result] : "no result of a ring";
}
