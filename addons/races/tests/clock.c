/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A snapshot of a clock can be read until the ring has come round to one of its units, and not after that,
 * although its first unit, which has its name, may be as it was. The ring's next number is set by hand.
 */
#include "races/internal.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define LENGTH 600 /* clocks: more units than one, and fewer than a thread takes at once */
#define CLOCK  7

struct races_pe races;
uintptr_t *races_table;

void *races_map(size_t bytes)
{
    return calloc(1, bytes);
}

void races_full(enum races_table_of table)
{
    printf("failed: table %d is full\n", (int)table);
    exit(1);
}

static struct races_thread *make_thread(int number, uint32_t clock)
{
    struct races_thread *thread = races_thread_new(number);
    if (!thread)
        exit(1);
    for (unsigned strand = 100; strand < LENGTH; strand++)
        races_know(thread, strand, clock);
    return thread;
}

/* A thread of its own takes units of its own. */
static void *release(void *thread)
{
    return (void *)(uintptr_t)races_release(thread, false);
}

static uint32_t release_apart(struct races_thread *thread)
{
    pthread_t writer;
    void *id;
    if (pthread_create(&writer, NULL, release, thread) != 0 || pthread_join(writer, &id) != 0)
        exit(1);
    return (uint32_t)(uintptr_t)id;
}

static void set_next(uint32_t next)
{
    atomic_store(&races.shared->ring_next, next);
}

/* Whether it can be read; its clocks are right then. */
static bool read_snapshot(uint32_t id)
{
    static uint32_t clock[RACES_STRANDS];
    uint32_t length = 0;
    if (!races_snapshot_read(id, clock, &length))
        return false;
    for (unsigned strand = 100; strand < LENGTH; strand++)
        if (length != LENGTH || clock[strand] != CLOCK) {
            printf("failed: a snapshot has another's clock: %u at %u of %u\n", clock[strand], strand,
                   length);
            exit(1);
        }
    return true;
}

static void check(bool holds, const char *what)
{
    if (holds)
        return;
    printf("failed: %s\n", what);
    exit(1);
}

static void run(uint32_t first)
{
    struct races_thread *thread = make_thread(0, CLOCK), *later = make_thread(1, CLOCK + 1);
    set_next(first);
    uint32_t id = release_apart(thread);
    check(read_snapshot(id), "a snapshot can be read");
    set_next(id + RACES_RING_UNITS - 256); /* its last neighbours before it */
    release_apart(later);
    check(read_snapshot(id), "a snapshot can be read while none of its units is another's");
    set_next(id + RACES_RING_UNITS + 1); /* the unit behind its first */
    release_apart(later);
    check(!read_snapshot(id), "a snapshot whose later units are another's is gone");
    check(!read_snapshot(atomic_load(&races.shared->ring_next) + 1), "a number that nobody has taken");
    free(thread);
    free(later);
}

int main(void)
{
    races.shared = calloc(1, sizeof *races.shared);
    if (!races.shared)
        return 1;
    atomic_store(&races.shared->strands, 1);
    run(1000);
    run(UINT32_MAX - RACES_RING_UNITS / 2); /* the numbers themselves come round */
    return 0;
}
