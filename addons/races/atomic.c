/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Atomic operations of C11 and C++11 (__tsan_atomic...): carried out here, in the strongest order, and
 * known to order what their own order says.
 */
#include "races/internal.h"

static struct races_cell *cell_at(const volatile void *address)
{
    uintptr_t at = (uintptr_t)address;
    uintptr_t page = races_page_find(at, false);
    return page > RACES_FLAGS ? &((struct races_cell *)(page & ~RACES_FLAGS))[(at & (RACES_PAGE - 1)) / 8]
                              : NULL;
}

static bool acquires(int order)
{
    return order == __ATOMIC_ACQUIRE || order == __ATOMIC_CONSUME || order == __ATOMIC_ACQ_REL ||
           order == __ATOMIC_SEQ_CST;
}

static bool releases(int order)
{
    return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

static void before(const volatile void *address, size_t bytes, bool is_write, int order, bool is_exchange,
                   uintptr_t caller)
{
    struct races_thread *thread = races_self;
    struct races_cell *cell = thread && races.is_up ? cell_at(address) : NULL;
    if (!cell)
        return;
    uintptr_t local;
    struct races_access access = {.word = thread->read_word | RACES_ATOMIC | (is_write ? RACES_WRITE : 0),
                                  .site = races_site_plain(caller),
                                  .joins = is_exchange};
    access.owner = races_owner((uintptr_t)address, &local);
    if (is_write && releases(order))
        access.release = races_release(thread, true);
    uintptr_t at = (uintptr_t)address;
    if (is_write && !is_exchange && !releases(order)) /* what a store before has released ends here */
        races_cell_release(thread, cell, races_mask_from(at, at + bytes), 0, false);
    races_look_words(thread, cell - (at & (RACES_PAGE - 1)) / 8, at, at + bytes, local, &access);
    if (access.release)
        races_tick(thread);
}

static void after(const volatile void *address, size_t bytes, int order)
{
    struct races_thread *thread = races_self;
    struct races_cell *cell = thread && races.is_up && acquires(order) ? cell_at(address) : NULL;
    if (cell)
        races_cell_acquire(thread, cell, races_mask_from((uintptr_t)address, (uintptr_t)address + bytes));
}

#define OPERATION(BITS, TYPE, NAME, BUILTIN)                                                             \
    RACES_PUBLIC TYPE __tsan_atomic##BITS##_##NAME(volatile TYPE *at, TYPE value, int order);            \
    RACES_PUBLIC TYPE __tsan_atomic##BITS##_##NAME(volatile TYPE *at, TYPE value, int order)             \
    {                                                                                                    \
        before(at, sizeof *at, true, order, true, RACES_CALLER);                                         \
        TYPE result = BUILTIN(at, value, __ATOMIC_SEQ_CST);                                              \
        after(at, sizeof *at, order);                                                                    \
        return result;                                                                                   \
    }

#define COMPARE(BITS, TYPE, NAME)                                                                        \
    RACES_PUBLIC int __tsan_atomic##BITS##_compare_exchange_##NAME(                                      \
        volatile TYPE *at, TYPE *old, TYPE value, int order, int failed_order);                          \
    RACES_PUBLIC int __tsan_atomic##BITS##_compare_exchange_##NAME(                                      \
        volatile TYPE *at, TYPE *old, TYPE value, int order, int failed_order)                           \
    {                                                                                                    \
        before(at, sizeof *at, true, order, true, RACES_CALLER);                                         \
        bool is_done =                                                                                   \
            __atomic_compare_exchange_n(at, old, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);      \
        after(at, sizeof *at, is_done ? order : failed_order);                                           \
        return is_done;                                                                                  \
    }

#define ATOMICS(BITS, TYPE)                                                                              \
    RACES_PUBLIC TYPE __tsan_atomic##BITS##_load(const volatile TYPE *at, int order);                    \
    RACES_PUBLIC TYPE __tsan_atomic##BITS##_load(const volatile TYPE *at, int order)                     \
    {                                                                                                    \
        before(at, sizeof *at, false, order, false, RACES_CALLER);                                       \
        TYPE result = __atomic_load_n(at, __ATOMIC_SEQ_CST);                                             \
        after(at, sizeof *at, order);                                                                    \
        return result;                                                                                   \
    }                                                                                                    \
    RACES_PUBLIC void __tsan_atomic##BITS##_store(volatile TYPE *at, TYPE value, int order);             \
    RACES_PUBLIC void __tsan_atomic##BITS##_store(volatile TYPE *at, TYPE value, int order)              \
    {                                                                                                    \
        before(at, sizeof *at, true, order, false, RACES_CALLER);                                        \
        __atomic_store_n(at, value, __ATOMIC_SEQ_CST);                                                   \
    }                                                                                                    \
    OPERATION(BITS, TYPE, exchange, __atomic_exchange_n)                                                 \
    OPERATION(BITS, TYPE, fetch_add, __atomic_fetch_add)                                                 \
    OPERATION(BITS, TYPE, fetch_sub, __atomic_fetch_sub)                                                 \
    OPERATION(BITS, TYPE, fetch_and, __atomic_fetch_and)                                                 \
    OPERATION(BITS, TYPE, fetch_or, __atomic_fetch_or)                                                   \
    OPERATION(BITS, TYPE, fetch_xor, __atomic_fetch_xor)                                                 \
    OPERATION(BITS, TYPE, fetch_nand, __atomic_fetch_nand)                                               \
    COMPARE(BITS, TYPE, strong)                                                                          \
    COMPARE(BITS, TYPE, weak)                                                                            \
    RACES_PUBLIC TYPE __tsan_atomic##BITS##_compare_exchange_val(                                        \
        volatile TYPE *at, TYPE old, TYPE value, int order, int failed_order);                           \
    RACES_PUBLIC TYPE __tsan_atomic##BITS##_compare_exchange_val(                                        \
        volatile TYPE *at, TYPE old, TYPE value, int order, int failed_order)                            \
    {                                                                                                    \
        before(at, sizeof *at, true, order, true, RACES_CALLER);                                         \
        bool is_done =                                                                                   \
            __atomic_compare_exchange_n(at, &old, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);     \
        after(at, sizeof *at, is_done ? order : failed_order);                                           \
        return old;                                                                                      \
    }

ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)

/* A fence of C11 orders the accesses around relaxed operations: the thread's stores are then as after
 * shmem_fence. */
RACES_PUBLIC void __tsan_atomic_thread_fence(int order);
RACES_PUBLIC void __tsan_atomic_thread_fence(int order)
{
    struct races_thread *thread = races_self;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (thread && races.is_up && releases(order)) {
        races_know(thread, thread->stores, thread->clock);
        races_tick(thread);
    }
}

RACES_PUBLIC void __tsan_atomic_signal_fence(int order);
RACES_PUBLIC void __tsan_atomic_signal_fence(int order)
{
    (void)order;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* C++: a static variable of a function is made by the first thread that comes. The compiler's look at the
 * guard is an atomic load of its first byte. */
RACES_PUBLIC int __cxa_guard_acquire(uint64_t *guard);
RACES_PUBLIC int __cxa_guard_acquire(uint64_t *guard)
{
    int is_mine = REAL(__cxa_guard_acquire)(guard);
    if (!is_mine)
        after(guard, 1, __ATOMIC_ACQUIRE);
    return is_mine;
}

RACES_PUBLIC void __cxa_guard_release(uint64_t *guard);
RACES_PUBLIC void __cxa_guard_release(uint64_t *guard)
{
    before(guard, 1, true, __ATOMIC_RELEASE, false, RACES_CALLER);
    REAL(__cxa_guard_release)(guard);
}
