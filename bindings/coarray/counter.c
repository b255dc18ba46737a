/* SPDX-License-Identifier: BSD-3-Clause
 * See counter.h.
 */
#include "counter.h"

#include "sync.h"

#include <string.h>

/* Locks that an image may have at once. */
#define LOCKS_MOST 1024

/* An image's place in the queue of a lock, whose word is the last place: 0, or the PE and the index
 * of its place. */
struct place {
    int64_t next;    /* the place behind this one; 0: none so far */
    int64_t granted; /* 1: this image has the lock */
};

static struct place *places; /* symmetric */
static struct {
    int64_t *lock; /* NULL: the place is free */
    int pe;
} queued[LOCKS_MOST];

void sheaf_counter_begin(void)
{
    places = shmem_calloc(LOCKS_MOST, sizeof *places);
    if (!places)
        sheaf_outcome_refuse("start", "no symmetric memory for the places of %d locks", LOCKS_MOST);
}

int64_t *sheaf_counter_at(const struct sheaf_outcome *outcome, const struct sheaf_coarray *counters,
                          enum sheaf_coarray_kind kind, size_t index)
{
    static const char *const names[] = {"data", "events", "locks"};
    if (!sheaf_coarray_is_record(counters) || !counters->memory)
        sheaf_outcome_refuse(outcome->statement, "the coarray of %s is not allocated", names[kind]);
    if (counters->kind != kind)
        sheaf_outcome_refuse(outcome->statement, "the coarray is one of %s: expected %s",
                             names[counters->kind], names[kind]);
    if (index >= counters->bytes / sizeof(int64_t))
        sheaf_outcome_refuse(outcome->statement, "number %zu of %zu %s", index + 1,
                             counters->bytes / sizeof(int64_t), names[kind]);
    return (int64_t *)(void *)counters->memory + index;
}

void sheaf_event_post(const struct sheaf_outcome *outcome, int64_t *event, int pe)
{
    sheaf_sync_quiet();
    shmem_int64_atomic_inc(event, pe);
    sheaf_sync_posted(pe);
    sheaf_outcome_good(outcome);
}

void sheaf_event_wait(const struct sheaf_outcome *outcome, int64_t *event, int64_t until)
{
    int64_t least = until > 1 ? until : 1;
    shmem_int64_wait_until(event, SHMEM_CMP_GE, least);
    sheaf_sync_quiet(); /* behind the wait: what it waits for came with the post, or before */
    (void)shmem_int64_atomic_fetch_add(event, -least, shmem_my_pe()); /* done at its return */
    sheaf_outcome_good(outcome);
}

int64_t sheaf_event_query(const struct sheaf_outcome *outcome, int64_t *event, int pe)
{
    sheaf_outcome_good(outcome);
    return shmem_int64_atomic_fetch(event, pe);
}

static int64_t word_of(int place)
{
    return ((int64_t)shmem_my_pe() * LOCKS_MOST + place) + 1;
}

/* This image's place in the queue of a lock, or a free one where lock is NULL; -1: none. */
static int find_place(const int64_t *lock, int pe)
{
    for (int i = 0; i < LOCKS_MOST; i++)
        if (queued[i].lock == lock && (!lock || queued[i].pe == pe))
            return i;
    return -1;
}

void sheaf_lock(const struct sheaf_outcome *outcome, int64_t *lock, int pe, int *acquired)
{
    sheaf_sync_quiet();
    if (find_place(lock, pe) >= 0) {
        sheaf_outcome_bad(outcome, SHEAF_STAT_LOCKED, "this image has this lock already");
        return;
    }
    int mine = find_place(NULL, 0);
    if (mine < 0)
        sheaf_outcome_refuse(outcome->statement, "this image has %d locks, and no more", LOCKS_MOST);
    places[mine] = (struct place){0, 0};
    int64_t last = acquired ? shmem_int64_atomic_compare_swap(lock, 0, word_of(mine), pe)
                            : shmem_int64_atomic_swap(lock, word_of(mine), pe);
    if (acquired)
        *acquired = last == 0;
    if (last != 0 && !acquired) {
        shmem_int64_atomic_set(&places[(last - 1) % LOCKS_MOST].next, word_of(mine),
                               (int)((last - 1) / LOCKS_MOST));
        shmem_int64_wait_until(&places[mine].granted, SHMEM_CMP_EQ, 1);
    }
    if (last == 0 || !acquired) {
        queued[mine].lock = lock;
        queued[mine].pe = pe;
    }
    sheaf_outcome_good(outcome);
}

void sheaf_unlock(const struct sheaf_outcome *outcome, int64_t *lock, int pe)
{
    int mine = find_place(lock, pe);
    sheaf_sync_quiet();
    if (mine < 0) {
        int64_t last = shmem_int64_atomic_fetch(lock, pe);
        sheaf_outcome_bad(outcome, last ? SHEAF_STAT_LOCKED_OTHER : SHEAF_STAT_UNLOCKED,
                          last ? "image %ld has this lock or waits for it, not this one"
                               : "nobody has this lock",
                          (long)(last - 1) / LOCKS_MOST + 1);
        return;
    }
    queued[mine].lock = NULL;
    if (!shmem_int64_test(&places[mine].next, SHMEM_CMP_NE, 0) &&
        shmem_int64_atomic_compare_swap(lock, word_of(mine), 0, pe) == word_of(mine)) {
        sheaf_outcome_good(outcome);
        return;
    }
    shmem_int64_wait_until(&places[mine].next, SHMEM_CMP_NE, 0);
    int64_t next = places[mine].next - 1;
    shmem_int64_atomic_set(&places[next % LOCKS_MOST].granted, 1, (int)(next / LOCKS_MOST));
    sheaf_outcome_good(outcome);
}

#define ATOMIC(BITS)                                                                               \
    static int##BITS##_t atomic##BITS(enum sheaf_atomic operation, int##BITS##_t *word, int pe,    \
                                      int##BITS##_t value)                                         \
    {                                                                                              \
        switch (operation) {                                                                       \
        case SHEAF_FETCH:                                                                          \
            return shmem_int##BITS##_atomic_fetch(word, pe);                                       \
        case SHEAF_ADD:                                                                            \
            return shmem_int##BITS##_atomic_fetch_add(word, value, pe);                            \
        case SHEAF_AND:                                                                            \
            return shmem_int##BITS##_atomic_fetch_and(word, value, pe);                            \
        case SHEAF_OR:                                                                             \
            return shmem_int##BITS##_atomic_fetch_or(word, value, pe);                             \
        case SHEAF_XOR:                                                                            \
            return shmem_int##BITS##_atomic_fetch_xor(word, value, pe);                            \
        case SHEAF_DEFINE:                                                                         \
            return shmem_int##BITS##_atomic_swap(word, value, pe);                                 \
        }                                                                                          \
        return 0;                                                                                  \
    }
ATOMIC(32)
ATOMIC(64)
#undef ATOMIC

static void check_kind(const struct sheaf_outcome *outcome, int kind)
{
    if (kind != 4 && kind != 8)
        sheaf_outcome_refuse(outcome->statement, "kind %d: atomic variables have kind 4 or 8",
                             kind);
}

void sheaf_atomic(const struct sheaf_outcome *outcome, enum sheaf_atomic operation, void *word,
                  int kind, int pe, const void *value, void *old)
{
    int64_t value64 = 0, was64;
    int32_t value32 = 0, was32;
    check_kind(outcome, kind);
    if (value)
        memcpy(kind == 4 ? (void *)&value32 : &value64, value, (size_t)kind);
    if (kind == 4)
        was32 = atomic32(operation, word, pe, value32);
    else
        was64 = atomic64(operation, word, pe, value64);
    if (old)
        memcpy(old, kind == 4 ? (void *)&was32 : &was64, (size_t)kind);
    sheaf_outcome_good(outcome);
}

void sheaf_atomic_cas(const struct sheaf_outcome *outcome, void *word, int kind, int pe,
                      void *old, const void *compare, const void *value)
{
    check_kind(outcome, kind);
    if (kind == 4)
        *(int32_t *)old = shmem_int32_atomic_compare_swap(word, *(const int32_t *)compare,
                                                          *(const int32_t *)value, pe);
    else
        *(int64_t *)old = shmem_int64_atomic_compare_swap(word, *(const int64_t *)compare,
                                                          *(const int64_t *)value, pe);
    sheaf_outcome_good(outcome);
}
