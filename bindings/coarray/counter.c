/* SPDX-License-Identifier: BSD-3-Clause
 * See counter.h.
 */
#include "counter.h"

#include "sync.h"

#include <string.h>

static void check_kind_of(const struct sheaf_outcome *outcome, const struct sheaf_coarray *coarray,
                          enum sheaf_coarray_kind kind)
{
    static const char *const names[] = {"data", "events", "locks"};
    if (!coarray || !coarray->memory)
        sheaf_outcome_refuse(outcome->statement, "the coarray of %s is not allocated", names[kind]);
    if (coarray->kind != kind)
        sheaf_outcome_refuse(outcome->statement, "the coarray is one of %s: expected %s",
                             names[coarray->kind], names[kind]);
}

static int64_t *event_at(const struct sheaf_outcome *outcome, struct sheaf_coarray *events,
                         size_t index)
{
    check_kind_of(outcome, events, SHEAF_OF_EVENTS);
    if (index >= events->bytes / sizeof(int64_t))
        sheaf_outcome_refuse(outcome->statement, "event %zu of %zu", index + 1,
                             events->bytes / sizeof(int64_t));
    return (int64_t *)(void *)events->memory + index;
}

void sheaf_event_post(const struct sheaf_outcome *outcome, struct sheaf_coarray *events,
                      size_t index, int image)
{
    int pe = sheaf_images_pe(outcome->statement, image);
    sheaf_sync_quiet();
    shmem_int64_atomic_inc(event_at(outcome, events, index), pe);
    sheaf_outcome_good(outcome);
}

void sheaf_event_wait(const struct sheaf_outcome *outcome, struct sheaf_coarray *events,
                      size_t index, int64_t until)
{
    int64_t *event = event_at(outcome, events, index), least = until > 1 ? until : 1;
    sheaf_sync_quiet();
    shmem_int64_wait_until(event, SHMEM_CMP_GE, least);
    shmem_int64_atomic_add(event, -least, shmem_my_pe());
    sheaf_outcome_good(outcome);
}

int64_t sheaf_event_query(const struct sheaf_outcome *outcome, struct sheaf_coarray *events,
                          size_t index, int image)
{
    int pe = sheaf_images_pe(outcome->statement, image);
    sheaf_outcome_good(outcome);
    return shmem_int64_atomic_fetch(event_at(outcome, events, index), pe);
}

/* The words of a lock: OpenSHMEM's, and the PE that holds it, plus 1. */
struct lock {
    long word;
    int64_t holder;
};

size_t sheaf_lock_bytes(const struct sheaf_outcome *outcome, size_t count)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, (size_t)shmem_n_pes() * sizeof(struct lock), &bytes))
        sheaf_outcome_refuse(outcome->statement, "%zu locks are more than memory can have", count);
    return bytes;
}

static struct lock *lock_at(const struct sheaf_outcome *outcome, struct sheaf_coarray *locks,
                            size_t index, int pe)
{
    check_kind_of(outcome, locks, SHEAF_OF_LOCKS);
    size_t images = (size_t)shmem_n_pes(), count = locks->bytes / sizeof(struct lock) / images;
    if (index >= count)
        sheaf_outcome_refuse(outcome->statement, "lock %zu of %zu", index + 1, count);
    return (struct lock *)(void *)locks->memory + index * images + (size_t)pe;
}

void sheaf_lock(const struct sheaf_outcome *outcome, struct sheaf_coarray *locks, size_t index,
                int image, int *acquired)
{
    int pe = sheaf_images_pe(outcome->statement, image), me = shmem_my_pe();
    struct lock *lock = lock_at(outcome, locks, index, pe);
    sheaf_sync_quiet();
    if (shmem_int64_atomic_fetch(&lock->holder, pe) == me + 1) {
        sheaf_outcome_bad(outcome, SHEAF_STAT_LOCKED, "this image has the lock of image %d already",
                          image);
        return;
    }
    if (acquired)
        *acquired = shmem_test_lock(&lock->word) == 0;
    else
        shmem_set_lock(&lock->word);
    if (!acquired || *acquired)
        shmem_int64_atomic_set(&lock->holder, me + 1, pe);
    sheaf_outcome_good(outcome);
}

void sheaf_unlock(const struct sheaf_outcome *outcome, struct sheaf_coarray *locks, size_t index,
                  int image)
{
    int pe = sheaf_images_pe(outcome->statement, image), me = shmem_my_pe();
    struct lock *lock = lock_at(outcome, locks, index, pe);
    sheaf_sync_quiet();
    int64_t holder = shmem_int64_atomic_fetch(&lock->holder, pe);
    if (holder != me + 1) {
        sheaf_outcome_bad(outcome, holder ? SHEAF_STAT_LOCKED_OTHER : SHEAF_STAT_UNLOCKED,
                          holder ? "PE %ld has this lock, not this image" : "nobody has this lock",
                          (long)holder - 1);
        return;
    }
    shmem_int64_atomic_set(&lock->holder, 0, pe);
    shmem_quiet();
    shmem_clear_lock(&lock->word);
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
                  int kind, int image, const void *value, void *old)
{
    int pe = sheaf_images_pe(outcome->statement, image);
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

void sheaf_atomic_cas(const struct sheaf_outcome *outcome, void *word, int kind, int image,
                      void *old, const void *compare, const void *value)
{
    int pe = sheaf_images_pe(outcome->statement, image);
    check_kind(outcome, kind);
    if (kind == 4)
        *(int32_t *)old = shmem_int32_atomic_compare_swap(word, *(const int32_t *)compare,
                                                          *(const int32_t *)value, pe);
    else
        *(int64_t *)old = shmem_int64_atomic_compare_swap(word, *(const int64_t *)compare,
                                                          *(const int64_t *)value, pe);
    sheaf_outcome_good(outcome);
}
