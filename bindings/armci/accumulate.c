/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Accumulates of integers where all processes share one host's memory: a plain loop under a lock.
 * OpenSHMEM's accumulate of integers is made of atomic operations, 1 to 2 ns an element, since others
 * may meet it. Here ARMCI_Rmw alone may: once one was made on memory of a lock, integers there are added
 * by atomic operations, too. Floating-point numbers are left to OpenSHMEM, which adds them as fast.
 */
#include "internal.h"

#include <sched.h>
#include <stdlib.h>

#define LOCKS      64              /* of each process; memory of STRIPE bytes has one of them */
#define STRIPE     ((size_t)65536) /* bytes; with 16 KiB accumulates of 256 KiB took 8 % longer */
#define SPINS_MOST 100             /* before the processor is left to the holder, who may need it */

struct lock {
    uint32_t is_taken, has_rmw; /* the second is set under the lock, and stays */
    char unused[56];
};

static struct lock *locks;     /* symmetric */
static struct lock **locks_of; /* of each process, here; NULL: not all are near */
static int width;              /* of the processor's vectors: of the loops of integers, below */

void sheaf_armci_accumulate_init(void)
{
    locks = shmem_calloc(LOCKS, sizeof *locks);
    locks_of = calloc((size_t)sheaf_armci.size, sizeof *locks_of);
    int *are_near = shmem_malloc(2 * sizeof *are_near);
    if (!locks || !locks_of || !are_near)
        sheaf_armci_refuse("ARMCI_Init", "no memory for locks of %d processes", sheaf_armci.size);
    are_near[0] = 1;
    for (int pe = 0; pe < sheaf_armci.size; pe++) {
        locks_of[pe] = shmem_ptr(locks, pe);
        are_near[0] &= locks_of[pe] != NULL;
    }
    shmem_int_min_reduce(SHMEM_TEAM_WORLD, &are_near[1], are_near, 1);
    sheaf_armci.is_spread = !are_near[1];
    if (sheaf_armci.is_spread) {
        free(locks_of);
        locks_of = NULL;
    }
    shmem_free(are_near);
#ifdef __x86_64__
    width = __builtin_cpu_supports("avx512dq") ? 2 : __builtin_cpu_supports("avx2") ? 1 : 0;
#endif
}

void sheaf_armci_accumulate_fini(void)
{
    shmem_free(locks);
    free(locks_of);
    locks = NULL;
    locks_of = NULL;
}

static void take(struct lock *lock)
{
    for (int spins = 0; __atomic_exchange_n(&lock->is_taken, 1, __ATOMIC_ACQUIRE) != 0; spins++)
        if (spins >= SPINS_MOST)
            sched_yield();
}

static void give(struct lock *lock)
{
    __atomic_store_n(&lock->is_taken, 0, __ATOMIC_RELEASE);
}

/* Of the caller's memory, at any address. Integers are added as unsigned ones, which wrap. */
typedef uint32_t any_int __attribute__((aligned(1), may_alias));
typedef uint64_t any_long __attribute__((aligned(1), may_alias));
typedef uint32_t sum_int __attribute__((may_alias));
typedef uint64_t sum_long __attribute__((may_alias));

#define ADD(NAME, TYPE, SOURCE, FEATURES)                                                          \
    FEATURES static void add_##NAME(TYPE *restrict to, const SOURCE *restrict from,                \
                                    const SOURCE *scale, size_t count)                             \
    {                                                                                              \
        const TYPE factor = *scale;                                                                \
        for (size_t i = 0; i < count; i++)                                                         \
            to[i] += factor * from[i];                                                             \
    }
#ifdef __x86_64__
#define WIDE   __attribute__((target("avx2")))
#define WIDEST __attribute__((target("avx512f,avx512dq"))) /* products of longs in one instruction */
#else
#define WIDE
#define WIDEST
#endif
/* NAME: of all widths of the processor's vectors, and by atomic operations, under the lock. */
#define ADD_INTEGERS(NAME, TYPE, SOURCE)                                                           \
    ADD(NAME##_basic, TYPE, SOURCE, )                                                              \
    ADD(NAME##_wide, TYPE, SOURCE, WIDE)                                                           \
    ADD(NAME##_widest, TYPE, SOURCE, WIDEST)                                                       \
    static void add_##NAME(bool has_rmw, TYPE *to, const SOURCE *from, const SOURCE *scale,        \
                           size_t count)                                                           \
    {                                                                                              \
        for (size_t i = 0; i < count && __builtin_expect(has_rmw, 0); i++)                         \
            __atomic_fetch_add(&to[i], *scale * from[i], __ATOMIC_SEQ_CST);                        \
        if (__builtin_expect(!has_rmw, 1))                                                         \
            (width == 2 ? add_##NAME##_widest : width == 1 ? add_##NAME##_wide : add_##NAME##_basic)( \
                to, from, scale, count);                                                           \
    }
ADD_INTEGERS(int, sum_int, any_int)
ADD_INTEGERS(long, sum_long, any_long)

static void add(int type, bool has_rmw, void *to, const void *from, const void *scale, size_t bytes)
{
    if (type == ARMCI_ACC_INT)
        add_int(has_rmw, to, from, scale, bytes / sizeof(int));
    else
        add_long(has_rmw, to, from, scale, bytes / sizeof(long));
}

/* Of bytes behind the locks of pe. */
static struct lock *lock_at(size_t position, int pe)
{
    return &locks_of[pe][position / STRIPE % LOCKS];
}

static __attribute__((noinline)) void mark_lock(struct lock *lock)
{
    take(lock);
    __atomic_store_n(&lock->has_rmw, 1, __ATOMIC_RELEASE);
    give(lock);
}

static inline void mark_rmw(size_t position, int pe)
{
    struct lock *lock = lock_at(position, pe);
    if (__builtin_expect(!__atomic_load_n(&lock->has_rmw, __ATOMIC_ACQUIRE), 0))
        mark_lock(lock);
}

void sheaf_armci_before_rmw(void *remote, int pe)
{
    char *there = locks_of ? shmem_ptr(remote, pe) : NULL;
    if (there)
        mark_rmw((size_t)(there - (char *)locks_of[pe]), pe);
}

/* The distance from the locks is the same in every process. */
void sheaf_armci_before_rmw_quickly(const char *remote, int pe)
{
    mark_rmw((size_t)(remote - (char *)locks), pe);
}

/* held: NULL for none. */
static struct lock *change_lock(struct lock *held, struct lock *wanted)
{
    if (held == wanted)
        return held;
    if (held)
        give(held);
    take(wanted);
    return wanted;
}

bool sheaf_armci_accumulates_here(const struct sheaf_armci_transfer *transfer)
{
    bool is_integer = transfer->type == ARMCI_ACC_INT || transfer->type == ARMCI_ACC_LNG;
    return transfer->kind == ACCUMULATE && locks_of && is_integer;
}

/* to: the target's memory here. Returns the lock that is held now. */
static inline struct lock *add_row(struct lock *held, const struct sheaf_armci_transfer *transfer, char *to,
                            const char *from, size_t bytes)
{
    const size_t part = sheaf_armci_element(transfer->type) - 1; /* a power of 2, less 1 */
    size_t position = (size_t)(to - (char *)locks_of[transfer->pe]);
    for (size_t piece; bytes > 0; bytes -= piece) {
        held = change_lock(held, lock_at(position, transfer->pe));
        piece = (STRIPE - position % STRIPE + part) & ~part; /* whole elements */
        piece = piece < bytes ? piece : bytes;
        add(transfer->type, held->has_rmw, to, from, transfer->scale, piece);
        to += piece, from += piece, position += piece;
    }
    return held;
}

bool sheaf_armci_accumulate(const struct sheaf_armci_transfer *transfer, void *remote,
                            const void *local, const struct sheaf_armci_rows *rows)
{
    char *first = sheaf_armci_accumulates_here(transfer) ? shmem_ptr(remote, transfer->pe) : NULL;
    if (!first)
        return false;
    struct lock *held = NULL;
    for (size_t i = 0; i < rows->count; i++)
        held = add_row(held, transfer, first + (ptrdiff_t)i * rows->remote_stride,
                       (const char *)local + (ptrdiff_t)i * rows->local_stride, rows->bytes);
    if (held)
        give(held);
    return true;
}

void sheaf_armci_accumulate_quickly(int type, const void *scale, const char *remote,
                                    const void *local, size_t bytes, int pe)
{
    const struct sheaf_armci_transfer transfer = {.type = type, .scale = scale, .pe = pe};
    char *to = (char *)locks_of[pe] + (remote - (char *)locks);
    struct lock *held = add_row(NULL, &transfer, to, local, bytes);
    if (held)
        give(held);
}
