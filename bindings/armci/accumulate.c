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

#define SPINS_MOST 100             /* before the processor is left to the holder, who may need it */

struct sheaf_armci_lock *sheaf_armci_locks, **sheaf_armci_locks_of;
static int width;              /* of the processor's vectors: of the loops of integers, below */

void sheaf_armci_accumulate_init(void)
{
    sheaf_armci_locks = shmem_calloc(SHEAF_ARMCI_LOCKS, sizeof *sheaf_armci_locks);
    sheaf_armci_locks_of = calloc((size_t)sheaf_armci.size, sizeof *sheaf_armci_locks_of);
    int *are_near = shmem_malloc(2 * sizeof *are_near);
    if (!sheaf_armci_locks || !sheaf_armci_locks_of || !are_near)
        sheaf_armci_refuse("ARMCI_Init", "no memory for locks of %d processes", sheaf_armci.size);
    are_near[0] = 1;
    for (int pe = 0; pe < sheaf_armci.size; pe++) {
        sheaf_armci_locks_of[pe] = shmem_ptr(sheaf_armci_locks, pe);
        are_near[0] &= sheaf_armci_locks_of[pe] != NULL;
    }
    shmem_int_min_reduce(SHMEM_TEAM_WORLD, &are_near[1], are_near, 1);
    sheaf_armci.is_spread = !are_near[1];
    if (sheaf_armci.is_spread) {
        free(sheaf_armci_locks_of);
        sheaf_armci_locks_of = NULL;
    }
    shmem_free(are_near);
#ifdef __x86_64__
    width = __builtin_cpu_supports("avx512dq") ? 2 : __builtin_cpu_supports("avx2") ? 1 : 0;
#endif
}

void sheaf_armci_accumulate_fini(void)
{
    shmem_free(sheaf_armci_locks);
    free(sheaf_armci_locks_of);
    sheaf_armci_locks = NULL;
    sheaf_armci_locks_of = NULL;
}

static void take(struct sheaf_armci_lock *lock)
{
    for (int spins = 0; __atomic_exchange_n(&lock->is_taken, 1, __ATOMIC_ACQUIRE) != 0; spins++)
        if (spins >= SPINS_MOST)
            sched_yield();
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

static __attribute__((noinline)) void mark_lock(struct sheaf_armci_lock *lock)
{
    take(lock);
    __atomic_store_n(&lock->has_rmw, 1, __ATOMIC_RELEASE);
    sheaf_armci_unlock(lock);
}

static inline void mark_rmw(size_t position, int pe)
{
    struct sheaf_armci_lock *lock = sheaf_armci_lock_at(position, pe);
    if (__builtin_expect(!__atomic_load_n(&lock->has_rmw, __ATOMIC_ACQUIRE), 0))
        mark_lock(lock);
}

void sheaf_armci_before_rmw(void *remote, int pe)
{
    char *there = sheaf_armci_locks_of ? shmem_ptr(remote, pe) : NULL;
    if (there)
        mark_rmw((size_t)(there - (char *)sheaf_armci_locks_of[pe]), pe);
}

/* The distance from the locks is the same in every process. */
void sheaf_armci_before_rmw_quickly(const char *remote, int pe)
{
    mark_rmw((size_t)(remote - (char *)sheaf_armci_locks), pe);
}

/* held: NULL for none. */
static struct sheaf_armci_lock *change_lock(struct sheaf_armci_lock *held,
                                            struct sheaf_armci_lock *wanted)
{
    if (held == wanted)
        return held;
    if (held)
        sheaf_armci_unlock(held);
    take(wanted);
    return wanted;
}

bool sheaf_armci_accumulates_here(const struct sheaf_armci_transfer *transfer)
{
    bool is_integer = transfer->type == ARMCI_ACC_INT || transfer->type == ARMCI_ACC_LNG;
    return transfer->kind == ACCUMULATE && sheaf_armci_locks_of && is_integer;
}

/* to: the target's memory here. Returns the lock that is held now. */
static inline struct sheaf_armci_lock *add_row(struct sheaf_armci_lock *held,
                                               const struct sheaf_armci_transfer *transfer, char *to,
                                               const char *from, size_t bytes)
{
    const size_t part = sheaf_armci_element(transfer->type) - 1; /* a power of 2, less 1 */
    size_t position = (size_t)(to - (char *)sheaf_armci_locks_of[transfer->pe]);
    for (size_t piece; bytes > 0; bytes -= piece) {
        held = change_lock(held, sheaf_armci_lock_at(position, transfer->pe));
        piece = (SHEAF_ARMCI_STRIPE - position % SHEAF_ARMCI_STRIPE + part) & ~part; /* whole elements */
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
    struct sheaf_armci_lock *held = NULL;
    for (size_t i = 0; i < rows->count; i++)
        held = add_row(held, transfer, first + (ptrdiff_t)i * rows->remote_stride,
                       (const char *)local + (ptrdiff_t)i * rows->local_stride, rows->bytes);
    if (held)
        sheaf_armci_unlock(held);
    return true;
}

void sheaf_armci_accumulate_quickly(int type, const void *scale, const char *remote,
                                    const void *local, size_t bytes, int pe)
{
    const struct sheaf_armci_transfer transfer = {.type = type, .scale = scale, .pe = pe};
    char *to = (char *)sheaf_armci_locks_of[pe] + (remote - (char *)sheaf_armci_locks);
    struct sheaf_armci_lock *held = add_row(NULL, &transfer, to, local, bytes);
    if (held)
        sheaf_armci_unlock(held);
    __atomic_thread_fence(__ATOMIC_RELEASE);
}
