/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory order by name. Everything in Sheaf that two PEs or two threads touch goes through
 * these helpers (or a C11 atomic), so that the order wanted stands in the name.
 * Knows processors; knows nothing of PEs.
 */
#ifndef SHEAF_BASE_ATOMIC_H
#define SHEAF_BASE_ATOMIC_H

#include <stdbool.h>
#include <stdint.h>

#define SHEAF_CACHE_LINE 64

#define sheaf_likely(x)   __builtin_expect(!!(x), 1)
#define sheaf_unlikely(x) __builtin_expect(!!(x), 0)

/* Of a variable of another file that a fast path reads: the compiler addresses it directly, where it would
 * keep a register for its place else (-fvisibility=hidden means definitions alone). */
#define SHEAF_HIDDEN __attribute__((visibility("hidden")))

#define sheaf_load_relaxed(p)     __atomic_load_n((p), __ATOMIC_RELAXED)
#define sheaf_load_acquire(p)     __atomic_load_n((p), __ATOMIC_ACQUIRE)
#define sheaf_store_relaxed(p, v) __atomic_store_n((p), (v), __ATOMIC_RELAXED)
#define sheaf_store_release(p, v) __atomic_store_n((p), (v), __ATOMIC_RELEASE)

/* Tells the processor that this is a spin loop: about 40 to 140 cycles on x86-64. */
static inline void sheaf_cpu_relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb" ::: "memory");
#endif
}

/* I am about to store there: the processor gets the cache line for writing meanwhile. A processor that
 * cannot takes it for nothing. */
static inline void sheaf_own_soon(const void *address)
{
#if defined(__x86_64__)
    __asm__ volatile("prefetchw %0" : : "m"(*(const char *)address));
#else
    __builtin_prefetch(address, 1);
#endif
}

/* Order of my earlier stores before my later stores, as the target sees them. Total store
 * order gives it for free on x86-64; what is left is to hold the compiler back. */
static inline void sheaf_fence_stores(void)
{
    __atomic_thread_fence(__ATOMIC_RELEASE);
}

/* Order of my earlier loads before my later loads and stores: the partner of a release store
 * or of sheaf_fence_stores() on the other side. */
static inline void sheaf_fence_loads(void)
{
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
}

/* What a copy has read, it has read before the caller's later stores: who is told by such a store
 * may overwrite it. x86-64 keeps that order of itself, and callers are across a call, where no
 * compiler moves it; there not even a copy's tail call is lost. */
static inline void sheaf_fence_copy(void)
{
#if !defined(__x86_64__)
    sheaf_fence_loads();
#endif
}

/* After an atomic read-modify-write: no later load or store comes before what it wrote. One that is made of
 * two instructions, as on AArch64 without LSE, lets a later load in between them. Compilers decide at run
 * time which it is, so that only code compiled for LSE alone does without. */
static inline void sheaf_fence_atomic(void)
{
#if defined(__aarch64__) && !defined(__ARM_FEATURE_ATOMICS)
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

/* Every earlier store is visible to every processor before any later load or store. A locked
 * add to the stack takes about 5 ns where mfence takes about 10. */
static inline void sheaf_fence_full(void)
{
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
    __asm__ volatile("lock; addl $0, -4(%%rsp)" ::: "memory", "cc");
#else
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

/* 16 bytes, aligned to as many. The sanitizer for threads does not see an exchange of them. */
struct sheaf_pair {
    uint64_t low, high;
} __attribute__((may_alias));

static inline bool sheaf_has_pair_exchange(void)
{
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
    return __builtin_cpu_supports("sse4.2"); /* every such processor has cmpxchg16b */
#else
    return false;
#endif
}

/* Where *to is not *held, *held becomes *to, and the result is false. */
static inline bool sheaf_exchange_pair(struct sheaf_pair *to, struct sheaf_pair *held,
                                       struct sheaf_pair wanted)
{
#if defined(__x86_64__)
    bool is_done;
    __asm__ volatile("lock; cmpxchg16b %1"
                     : "=@ccz"(is_done), "+m"(*to), "+a"(held->low), "+d"(held->high)
                     : "b"(wanted.low), "c"(wanted.high)
                     : "memory");
    return is_done;
#else
    (void)to, (void)held, (void)wanted;
    __builtin_unreachable();
#endif
}

#endif
