/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The cache lines that go from one socket to the other of a host while the members of several hosts meet, take a
 * message, or add up: counted, by levels and without. Each host has two sockets, and its PEs are on them in turn.
 * The library's files are compiled for ThreadSanitizer, whose functions stand here: they see each access to memory.
 * A PE has a copy of a line from its access until another PE writes the line. Without a copy it takes the line from
 * the PE that wrote it last, and this is counted where that one is on the other socket: as units/tree counts edges.
 */
#include "simulation.h"
#include "unit.h"

#include "base/settings/names.h"
#include "boot/boot.h"
#include "coll/coll.h"
#include "coll/operators.h"
#include "core/pe/call.h"
#include "core/pe/job.h"
#include "core/team/multinode.h"
#include "core/team/sync.h"

#define HOSTS    4
#define PER_HOST 16
#define BYTES    4096
#define GIVEN    16 /* longs that each member gives to a fcollect: more than a note */

static struct sheaf_domains domains_of(int slot)
{
    return (struct sheaf_domains){{slot % 2, slot % 2, slot % 2}};
}

/* The lines that any PE has touched, by address: a bit for each slot that has a copy; the slot that wrote. */
#define LINES (1 << 16)
static struct line {
    uintptr_t address;
    int copies, writer, gone_over;
} lines[LINES];
static bool is_counted;

static struct line *line_at(uintptr_t address)
{
    size_t at = address * 0x9e3779b97f4a7c15u >> 48;
    while (lines[at].address && lines[at].address != address)
        at = (at + 1) % LINES;
    lines[at].address = address;
    return &lines[at];
}

static void touch(const volatile void *memory, size_t bytes, bool writes)
{
    uintptr_t first = (uintptr_t)memory / SHEAF_CACHE_LINE, last = ((uintptr_t)memory + bytes - 1) / SHEAF_CACHE_LINE;
    if (!sim_me || bytes == 0 || !sim_is_shared((const void *)memory))
        return;
    int slot = sim_me->slot, mine = 1 << slot;
    for (uintptr_t address = first; address <= last; address++) {
        struct line *line = line_at(address);
        line->gone_over += is_counted && line->copies && !(line->copies & mine) && (line->writer ^ slot) % 2 != 0;
        line->copies = writes ? mine : line->copies | mine;
        line->writer = writes ? slot : line->writer;
    }
}

/* The functions that compilers call before an access, and in place of an atomic one. */
#define PLAIN(size)                                                                                          \
    void __tsan_read##size(void *at) { touch(at, size, false); }                                             \
    void __tsan_write##size(void *at) { touch(at, size, true); }                                             \
    void __tsan_unaligned_read##size(void *at) { touch(at, size, false); }                                   \
    void __tsan_unaligned_write##size(void *at) { touch(at, size, true); }                                   \
    void __tsan_volatile_read##size(void *at) { touch(at, size, false); }                                    \
    void __tsan_volatile_write##size(void *at) { touch(at, size, true); }
#define CHANGE(bits, type, name)                                                                             \
    type __tsan_atomic##bits##_##name(volatile type *at, type value, int order)                              \
    {                                                                                                        \
        (void)order;                                                                                         \
        touch(at, sizeof *at, true);                                                                         \
        return __atomic_##name(at, value, __ATOMIC_SEQ_CST);                                                 \
    }
#define __atomic_exchange(at, value, order) __atomic_exchange_n(at, value, order)
#define ATOMIC(bits, type)                                                                                   \
    type __tsan_atomic##bits##_load(const volatile type *at, int order)                                      \
    {                                                                                                        \
        (void)order;                                                                                         \
        touch(at, sizeof *at, false);                                                                        \
        return __atomic_load_n(at, __ATOMIC_SEQ_CST);                                                        \
    }                                                                                                        \
    void __tsan_atomic##bits##_store(volatile type *at, type value, int order)                               \
    {                                                                                                        \
        (void)order;                                                                                         \
        touch(at, sizeof *at, true);                                                                         \
        __atomic_store_n(at, value, __ATOMIC_SEQ_CST);                                                       \
    }                                                                                                        \
    int __tsan_atomic##bits##_compare_exchange_strong(volatile type *at, type *old, type value, int order,   \
                                                      int failed)                                            \
    {                                                                                                        \
        (void)order, (void)failed;                                                                           \
        touch(at, sizeof *at, true);                                                                         \
        return __atomic_compare_exchange_n(at, old, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);       \
    }                                                                                                        \
    CHANGE(bits, type, fetch_add)                                                                            \
    CHANGE(bits, type, fetch_sub)                                                                            \
    CHANGE(bits, type, fetch_or)                                                                             \
    CHANGE(bits, type, fetch_and)                                                                            \
    CHANGE(bits, type, exchange)
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wbuiltin-declaration-mismatch"
PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)
PLAIN(16)
ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)
void __tsan_init(void) {}
void __tsan_func_entry(void *caller) { (void)caller; }
void __tsan_func_exit(void) {}
void __tsan_atomic_thread_fence(int order) { (void)order; }
void __tsan_atomic_signal_fence(int order) { (void)order; }
void __tsan_read_range(void *at, size_t bytes) { touch(at, bytes, false); }
void __tsan_write_range(void *at, size_t bytes) { touch(at, bytes, true); }

/* Copies whose length is not known when the library is compiled. */
static void touch_both(void *to, const void *from, size_t bytes)
{
    touch(from, bytes, false);
    touch(to, bytes, true);
}

static long *half(int which)
{
    return (long *)(sim_me->heap + (size_t)which * sim_heap_bytes / 2);
}

static void meet(int root)
{
    (void)root;
    sheaf_sync(sim_me->world);
}

static void broadcast(int root, size_t bytes)
{
    size_t last = bytes / sizeof(long) - 1;
    half(0)[0] = half(0)[last] = sim_me->pe;
    sheaf_broadcast(sim_me->world, half(1), half(0), bytes, root, false);
    CHECK(sim_me->pe == root || (half(1)[0] == root && half(1)[last] == root));
}

static void broadcast_note(int root)
{
    broadcast(root, 8);
}

static void broadcast_more(int root)
{
    broadcast(root, BYTES);
}

static void fcollect(int root)
{
    (void)root;
    for (int i = 0; i < GIVEN; i++)
        half(0)[i] = sim_me->pe;
    sheaf_fcollect(sim_me->world, half(1), half(0), GIVEN * sizeof(long));
    for (int i = 0; i < GIVEN * sheaf_job.npes; i++)
        CHECK(half(1)[i] == i / GIVEN);
}

static void reduce(size_t count)
{
    for (size_t i = 0; i < count; i++)
        half(0)[i] = sim_me->pe + (long)i;
    sheaf_reduce(sim_me->world, half(1), half(0), count, &SHEAF_OPERATOR(sum, long));
    for (size_t i = 0; i < count; i++)
        CHECK(half(1)[i] == (long)sheaf_job.npes * (sheaf_job.npes - 1) / 2 + (long)i * sheaf_job.npes);
}

static void reduce_note(int root)
{
    (void)root;
    reduce(1);
}

static void reduce_more(int root)
{
    (void)root;
    reduce(BYTES / sizeof(long));
}

/* Lines from socket to socket, of a host on average: by levels no more than most. */
static const struct call {
    const char *name;
    void (*run)(int root);
    int most;
} calls[] = {
    {"barrier", meet, 2},
    {"broadcast of 8 bytes", broadcast_note, 2},
    {"broadcast of 4 KiB", broadcast_more, 2 * (BYTES / SHEAF_CACHE_LINE) + 8},
    {"reduce of 8 bytes", reduce_note, 3},
    {"reduce of 4 KiB", reduce_more, 2 * (BYTES / SHEAF_CACHE_LINE) + 8},
    {"fcollect of 128 bytes", fcollect, 2 * HOSTS * PER_HOST * GIVEN / 8},
};

/* A few calls before, which meet cold lines and lines of others; then those counted. Between them PEs meet by the
 * same way, uncounted. */
#define CALLS 8
static void run(void *argument)
{
    const struct call *call = argument;
    for (int i = 0; i < 2 * CALLS; i++) {
        sheaf_sync(sim_me->world);
        sim_sleep(1e6);
        is_counted = i >= CALLS;
        call->run(i % 2 ? sheaf_job.npes - 1 : PER_HOST + 5);
        sim_sleep(1e6);
        is_counted = false;
    }
}

static int count(const struct call *call, bool by_levels)
{
    static const struct wire wire = {.latency = 1000, .overhead = 200, .gap = 100, .per_byte = 0.1, .near = 100, .block = 1};
    struct sheaf_settings *settings = &sheaf_job.settings;
    int all = 0;
    settings->algorithm[SHEAF_BARRIER] = by_levels ? SHEAF_BARRIER_LEVELS : SHEAF_BARRIER_CENTRAL;
    settings->algorithm[SHEAF_BROADCAST] = by_levels ? SHEAF_BROADCAST_LEVELS : 0;
    settings->algorithm[SHEAF_REDUCE] = by_levels ? SHEAF_REDUCE_LEVELS : 0;
    CHECK(sheaf_coll_prepare(settings) == 0);
    memset(lines, 0, sizeof lines);
    sim_run_with_world(HOSTS, PER_HOST, 4 * BYTES, &wire, run, (void *)(uintptr_t)call);
    for (int i = 0; i < LINES; i++)
        all += lines[i].gone_over;
    return all;
}

int main(void)
{
    int failures = 0;
    sheaf_call.name = "a call";
    sim_domains_of = domains_of;
    sim_on_copy = touch_both;
    printf("lines between the sockets of a host, %d hosts of %d PEs: by levels (most), without\n", HOSTS, PER_HOST);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        int levels = count(&calls[i], true), without = count(&calls[i], false);
        bool is_good = levels <= calls[i].most * HOSTS * CALLS && levels < without;
        printf("%-22s %7.1f (%d) %7.1f%s\n", calls[i].name, (double)levels / HOSTS / CALLS, calls[i].most,
               (double)without / HOSTS / CALLS, is_good ? "" : "  too many");
        failures += !is_good;
    }
    return failures != 0;
}
