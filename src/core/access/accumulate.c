/* SPDX-License-Identifier: BSD-3-Clause
 * See accumulate.h.
 */
#include "core/access/accumulate.h"

#include "base/atomic.h"
#include "boot/boot.h"
#include "survive/door/survival.h"
#include "core/pe/job.h"

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
};

/* The target's words, whatever type the program gave them. */
typedef uint32_t word32 __attribute__((may_alias));
typedef uint64_t word64 __attribute__((may_alias));

/* Unsigned arithmetic wraps, as that of the atomic operations does. */
#define ADD_INTEGERS(NAME, WORD)                                                                   \
    static void add_##NAME(void *dest, const char *source, size_t bytes, const void *alpha)        \
    {                                                                                              \
        WORD factor, term, *to = dest;                                                             \
        memcpy(&factor, alpha, sizeof factor);                                                     \
        for (size_t at = 0; at < bytes; at += sizeof term) {                                       \
            memcpy(&term, source + at, sizeof term);                                               \
            __atomic_fetch_add(to++, factor * term, __ATOMIC_SEQ_CST);                             \
        }                                                                                          \
    }
ADD_INTEGERS(int, word32)
ADD_INTEGERS(long, word64)

/* TYPE is as long as WORD. */
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
ADD_FLOATING(complexf, word64)

/* The cache line in which a number begins chooses its lock. The page of the number has another address
 * in each process, but the line's position in the page is the same. */
#define LINES_PER_PAGE (4096 / SHEAF_CACHE_LINE)
_Static_assert(SHEAF_ACCUMULATE_LOCKS == LINES_PER_PAGE, "a lock for each line of a page");

static size_t line_of(const void *dest)
{
    return (uintptr_t)dest / SHEAF_CACHE_LINE % LINES_PER_PAGE;
}

/* A process without a control area is the job's only PE, and uses locks of its own. */
static uint32_t *lock_of(const void *dest, int pe)
{
    static struct sheaf_line_lock own[SHEAF_ACCUMULATE_LOCKS];
    struct sheaf_line_lock *locks = sheaf_job.control ? sheaf_job.control->accumulate_locks : own;
    return &locks[(line_of(dest) + 7 * (size_t)sheaf_boot_slot_of(pe)) % LINES_PER_PAGE].taken;
}

/* A lock is held for about 20 ns, or longer when its holder has lost its CPU. */
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

/* One lock covers all numbers that begin in one line. A reader without the lock may see half of a
 * number. */
#define ADD_LOCKED(TYPE, WORD)                                                                     \
    static size_t add_line_##TYPE(char *dest, const char *source, size_t bytes, TYPE factor)       \
    {                                                                                              \
        size_t at = 0, line = line_of(dest);                                                       \
        do {                                                                                       \
            TYPE term, sum;                                                                        \
            WORD wanted[2];                                                                        \
            memcpy(&term, source + at, sizeof term);                                               \
            memcpy(&sum, dest + at, sizeof sum);                                                   \
            sum += factor * term;                                                                  \
            memcpy(wanted, &sum, sizeof wanted);                                                   \
            sheaf_store_relaxed((WORD *)(dest + at), wanted[0]);                                   \
            sheaf_store_relaxed((WORD *)(dest + at) + 1, wanted[1]);                               \
            at += sizeof term;                                                                     \
        } while (at < bytes && line_of(dest + at) == line);                                        \
        return at;                                                                                 \
    }                                                                                              \
    static void add_locked_##TYPE(char *dest, const char *source, size_t bytes, const void *alpha, \
                                  int pe)                                                        \
    {                                                                                              \
        TYPE factor;                                                                               \
        memcpy(&factor, alpha, sizeof factor);                                                     \
        for (size_t at = 0; at < bytes;) {                                                         \
            uint32_t *lock = lock_of(dest + at, pe);                                             \
            take_lock(lock);                                                                       \
            size_t done = add_line_##TYPE(dest + at, source + at, bytes - at, factor);             \
            release_lock(lock);                                                                    \
            at += done;                                                                            \
        }                                                                                          \
    }
ADD_LOCKED(complexf, word32)
ADD_LOCKED(complexd, word64)

void sheaf_accumulate(void *dest, const void *source, size_t bytes, const struct sheaf_scale *scale,
                      int pe)
{
    switch (scale->number) {
    case SHEAF_INT: add_int(dest, source, bytes, scale->alpha); break;
    case SHEAF_LONG: add_long(dest, source, bytes, scale->alpha); break;
    case SHEAF_FLOAT: add_float(dest, source, bytes, scale->alpha); break;
    case SHEAF_DOUBLE: add_double(dest, source, bytes, scale->alpha); break;
    case SHEAF_COMPLEXF:
        if ((uintptr_t)dest % sizeof(word64) == 0)
            add_complexf(dest, source, bytes, scale->alpha);
        else
            add_locked_complexf(dest, source, bytes, scale->alpha, pe);
        break;
    default: add_locked_complexd(dest, source, bytes, scale->alpha, pe);
    }
}

void sheaf_accumulate_own(void *dest, const void *source, size_t bytes,
                          const struct sheaf_scale *scale)
{
    sheaf_accumulate(dest, source, bytes, scale, sheaf_job.pe);
}
