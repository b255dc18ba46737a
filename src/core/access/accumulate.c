/* SPDX-License-Identifier: BSD-3-Clause
 * See accumulate.h.
 */
#include "core/access/accumulate.h"

#include "base/atomic.h"
#include "core/access/vector_add.h"
#include "core/memory/symmetric.h"
#include "survive/interface/survival.h"

#include <sched.h>
#include <string.h>

typedef float _Complex complexf;
typedef double _Complex complexd;

const struct sheaf_number_size sheaf_number_sizes[SHEAF_NUMBERS] = {
    [SHEAF_INT] = {sizeof(int), _Alignof(int)},
    [SHEAF_LONG] = {sizeof(long), _Alignof(long)},
    [SHEAF_FLOAT] = {sizeof(float), _Alignof(float)},
    [SHEAF_DOUBLE] = {sizeof(double), _Alignof(double)},
    [SHEAF_COMPLEXF] = {sizeof(complexf), _Alignof(complexf)},
    [SHEAF_COMPLEXD] = {sizeof(complexd), _Alignof(complexd)},
    [SHEAF_MEETS_ATOMICS] = {sizeof(float), _Alignof(float)},
};

/* The target's words, whatever type the program gave them. */
typedef uint32_t word32 __attribute__((may_alias));
typedef uint64_t word64 __attribute__((may_alias));
typedef double number64 __attribute__((may_alias));

/* Each half of a word by itself. */
static inline uint64_t sum_halves(uint64_t a, uint64_t b)
{
    const uint64_t tops = 0x8000000080000000;
    return ((a & ~tops) + (b & ~tops)) ^ ((a ^ b) & tops);
}

static inline uint64_t sum_whole(uint64_t a, uint64_t b)
{
    return a + b;
}

/* Unsigned arithmetic wraps, as that of the atomic operations does. A compare-and-swap of 16 bytes takes
 * 3 to 4 ns, an atomic addition 2.5: a long takes 1.5 ns so, an int 1. */
#define ADD_INTEGERS(NAME, WORD, SUM)                                                                \
    static inline void add_each_##NAME(WORD *to, const char *source, size_t bytes, WORD factor)    \
    {                                                                                              \
        WORD term;                                                                                 \
        for (size_t at = 0; at < bytes; at += sizeof term) {                                       \
            memcpy(&term, source + at, sizeof term);                                               \
            __atomic_fetch_add(to++, factor * term, __ATOMIC_SEQ_CST);                             \
        }                                                                                          \
    }                                                                                              \
    static inline void add_pair_##NAME(struct sheaf_pair *to, const char *source, WORD factor)     \
    {                                                                                              \
        WORD terms[sizeof *to / sizeof factor];                                                    \
        struct sheaf_pair term, held = {sheaf_load_relaxed(&to->low), sheaf_load_relaxed(&to->high)}; \
        memcpy(terms, source, sizeof terms);                                                       \
        for (size_t i = 0; i < sizeof *to / sizeof factor; i++)                                    \
            terms[i] *= factor;                                                                    \
        memcpy(&term, terms, sizeof term);                                                         \
        while (!sheaf_exchange_pair(                                                               \
            to, &held, (struct sheaf_pair){SUM(held.low, term.low), SUM(held.high, term.high)}))   \
            continue;                                                                              \
    }                                                                                              \
    static void add_##NAME(void *dest, const char *source, size_t bytes, const void *alpha)        \
    {                                                                                              \
        WORD factor;                                                                               \
        char *to = dest;                                                                           \
        memcpy(&factor, alpha, sizeof factor);                                                     \
        size_t before = -(uintptr_t)to % PAIR, pairs;                                              \
        if (bytes >= before + PAIR && sheaf_has_pair_exchange()) {                                 \
            add_each_##NAME((WORD *)(void *)to, source, before, factor);                           \
            pairs = (bytes - before) / PAIR * PAIR;                                                \
            for (size_t at = before; at < before + pairs; at += PAIR)                              \
                add_pair_##NAME((struct sheaf_pair *)(void *)(to + at), source + at, factor);      \
            to += before + pairs, source += before + pairs, bytes -= before + pairs;               \
        }                                                                                          \
        add_each_##NAME((WORD *)(void *)to, source, bytes, factor);                                \
    }
#define PAIR sizeof(struct sheaf_pair)
ADD_INTEGERS(int, word32, sum_halves)
ADD_INTEGERS(long, word64, sum_whole)

/* Under the lock, where atomic set and swap may meet accumulates. TYPE is as long as WORD. */
#define ADD_FLOATING(TYPE, WORD)                                                                   \
    static void add_##TYPE(void *dest, const char *source, size_t bytes, const void *alpha)        \
    {                                                                                              \
        TYPE factor, term, sum;                                                                    \
        WORD held, wanted, *to = dest;                                                             \
        memcpy(&factor, alpha, sizeof factor);                                                     \
        for (size_t at = 0; at < bytes; at += sizeof term, to++) {                                 \
            memcpy(&term, source + at, sizeof term);                                               \
            term *= factor;                                                                        \
            held = sheaf_load_relaxed(to);                                                         \
            do {                                                                                   \
                memcpy(&sum, &held, sizeof sum);                                                   \
                sum += term;                                                                       \
                memcpy(&wanted, &sum, sizeof wanted);                                              \
            } while (!__atomic_compare_exchange_n(to, &held, wanted, true, __ATOMIC_SEQ_CST,       \
                                                  __ATOMIC_RELAXED));                              \
        }                                                                                          \
    }
ADD_FLOATING(float, word32)
ADD_FLOATING(double, word64)

#define STRIPE SHEAF_ACCUMULATE_STRIPE

struct sheaf_line_lock sheaf_sum_own_locks[SHEAF_ACCUMULATE_LOCKS];
uint32_t sheaf_sum_own_meets;

static __attribute__((noinline)) size_t position_outside_heap(const char *dest)
{
    const struct sheaf_segment *segment = sheaf_symmetric_segment(dest);
    return segment ? (size_t)((uintptr_t)dest - (uintptr_t)segment->start) : 0;
}

/* Team memory lies in the heap's range. */
static inline size_t position_of(const char *dest)
{
    size_t in_heap = (size_t)((uintptr_t)dest - (uintptr_t)sheaf_image.heap);
    return sheaf_likely(in_heap < sheaf_image.heap_length) ? in_heap : position_outside_heap(dest);
}

/* A lock is held for 20 ns to some microseconds, or longer when its holder has lost its CPU. */
#define SPINS_BEFORE_YIELD 100

/* Takes the lock where it is free, or where its holder has died in the middle of an addition. */
static bool try_take_lock(uint32_t *lock)
{
    uint32_t now = 0;
    if (__atomic_compare_exchange_n(lock, &now, sheaf_job.lock_name, false, __ATOMIC_ACQUIRE,
                                    __ATOMIC_RELAXED))
        return true;
    return sheaf_survival->is_gone(now) &&
           __atomic_compare_exchange_n(lock, &now, sheaf_job.lock_name, false, __ATOMIC_ACQUIRE,
                                       __ATOMIC_RELAXED);
}

static void take_lock(uint32_t *lock)
{
    for (unsigned spins = 0; !try_take_lock(lock);)
        for (uint32_t now; (now = sheaf_load_relaxed(lock)) != 0 && !sheaf_survival->is_gone(now);)
            if (++spins % SPINS_BEFORE_YIELD == 0)
                sched_yield();
            else
                sheaf_cpu_relax();
}

static void release_lock(uint32_t *lock)
{
    sheaf_store_release(lock, 0);
}

/* The lock that a call has at the moment: NULL before the first. Blocks in one stripe are added under one
 * holding. */
struct hold {
    struct sheaf_sum_board board;
    uint32_t *lock;
    bool meets_atomics; /* read under the lock */
};

static void hold_begin(struct hold *hold)
{
    *hold = (struct hold){.board = sheaf_sum_board()};
}

static void hold_end(struct hold *hold)
{
    if (hold->lock)
        release_lock(hold->lock);
}

static inline void hold_stripe(struct hold *hold, size_t position, int pe)
{
    uint32_t *lock = &hold->board.locks[sheaf_accumulate_lock_number(position, pe)].taken;
    if (hold->lock == lock)
        return;
    hold_end(hold);
    if (sheaf_unlikely(!try_take_lock(lock)))
        take_lock(lock);
    hold->lock = lock;
    hold->meets_atomics = sheaf_load_relaxed(hold->board.meets_atomics) != 0;
}

static __attribute__((noinline)) void add_meeting(enum sheaf_number number, void *to, const void *from,
                                                  const void *alpha, size_t bytes)
{
    switch (number) {
    case SHEAF_FLOAT: add_float(to, from, bytes, alpha); break;
    case SHEAF_DOUBLE: add_double(to, from, bytes, alpha); break;
    default: sheaf_vector_add(number, to, from, alpha, bytes);
    }
}

/* One number is added without a call: 4 ns of 14 are saved. */
static inline void add_held(const struct hold *hold, const struct sheaf_scale *scale, void *to,
                            const void *from, size_t bytes)
{
    if (sheaf_unlikely(hold->meets_atomics)) {
        add_meeting(scale->number, to, from, scale->alpha, bytes);
    } else if (scale->number == SHEAF_DOUBLE && bytes == sizeof(double)) {
        double factor, term;
        memcpy(&factor, scale->alpha, sizeof factor);
        memcpy(&term, from, sizeof term);
        *(number64 *)to += factor * term;
    } else {
        sheaf_vector_add(scale->number, to, from, scale->alpha, bytes);
    }
}

/* A number belongs to the stripe in which it begins. */
static inline void add_floating(struct hold *hold, const struct sheaf_sums *sums, char *dest,
                                const char *source, size_t bytes)
{
    const size_t rest = sheaf_number_sizes[sums->scale->number].bytes - 1; /* of a power of two */
    size_t position = position_of(dest);
    char *to = (char *)((uintptr_t)dest + (uintptr_t)sums->distance);
    for (size_t piece; bytes > 0; bytes -= piece) {
        piece = (STRIPE - position % STRIPE + rest) & ~rest;
        piece = piece < bytes ? piece : bytes;
        hold_stripe(hold, position, sums->pe);
        add_held(hold, sums->scale, to, source, piece);
        to += piece, source += piece, position += piece;
    }
}

/* An accumulate that has not seen the mark holds its lock. */
void sheaf_accumulate_meets_atomics(void)
{
    struct sheaf_sum_board board = sheaf_sum_board();
    __atomic_store_n(board.meets_atomics, 1, __ATOMIC_SEQ_CST);
    for (size_t i = 0; i < SHEAF_ACCUMULATE_LOCKS; i++) {
        take_lock(&board.locks[i].taken);
        release_lock(&board.locks[i].taken);
    }
}

/* Integers need no lock. Returns whether there is nothing more to be done. */
static inline bool add_without_lock(const struct sheaf_sums *sums, char *dest, const char *source,
                                    size_t bytes)
{
    char *near = (char *)((uintptr_t)dest + (uintptr_t)sums->distance);
    switch (sums->scale->number) {
    case SHEAF_INT: add_int(near, source, bytes, sums->scale->alpha); return true;
    case SHEAF_LONG: add_long(near, source, bytes, sums->scale->alpha); return true;
    case SHEAF_MEETS_ATOMICS: sheaf_accumulate_meets_atomics(); return true;
    default: return false;
    }
}

void sheaf_accumulate(const struct sheaf_sums *sums, void *dest, const void *source, size_t bytes)
{
    struct hold hold;
    if (add_without_lock(sums, dest, source, bytes))
        return;
    hold_begin(&hold);
    add_floating(&hold, sums, dest, source, bytes);
    hold_end(&hold);
}

void sheaf_accumulate_blocks(const struct sheaf_sums *sums, void *dest, const void *source,
                             const struct sheaf_blocks *blocks)
{
    struct hold hold;
    hold_begin(&hold);
    for (size_t i = 0; i < blocks->count; i++) {
        char *to = (char *)dest + (ptrdiff_t)i * blocks->dest_stride;
        const char *from = (const char *)source + (ptrdiff_t)i * blocks->source_stride;
        if (!add_without_lock(sums, to, from, blocks->block_bytes))
            add_floating(&hold, sums, to, from, blocks->block_bytes);
    }
    hold_end(&hold);
}

void sheaf_accumulate_own(void *dest, const void *source, size_t bytes,
                          const struct sheaf_scale *scale)
{
    sheaf_accumulate(&(struct sheaf_sums){scale, 0, sheaf_job.pe}, dest, source, bytes);
}
