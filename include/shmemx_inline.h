/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Inline forms of OpenSHMEM's small routines, for programs that need no profiling interface: by
 * oshcc --inline, or by including this file. On a node a put is then the store itself. Whatever is
 * not near, not up, or not small is the library's function, as are all addresses of routines.
 *
 * Printed by scripts/print-headers from src/api: change it there.
 */
#ifndef SHEAF_INLINE
#define SHEAF_INLINE
#endif
#include "shmem.h" /* which includes this file behind its prototypes, unless it was there before */

#if !defined(SHEAF_SHMEMX_INLINE_H) && defined(__GNUC__)
#define SHEAF_SHMEMX_INLINE_H

#ifdef __cplusplus
extern "C" {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wlong-long"
#endif

/* How near PEs are reached from here: remote = local + base + (pe - first) * stride. The library
 * writes it; count is 0 while calls must not take this way: before initialization, after
 * finalization, in a forked child, and where arguments are checked (SHEAF_CHECK, SHMEM_DEBUG). It
 * lies among the program's variables, which other PEs may write: hence cache lines of its own. */
struct sheaf_inline_route {
    uintptr_t base;
    uintptr_t stride;
    unsigned first; /* lowest near PE */
    unsigned count; /* near PEs from first on; 0 sends every call to the library */
    int pe;         /* the caller's number */
    int npes;
    uintptr_t heap; /* the two largest symmetric ranges, in local addresses: for shmem_ptr */
    uintptr_t heap_length;
    uintptr_t data;
    uintptr_t data_length;
} __attribute__((__aligned__(64)));

/* Changes with the structure and with what the inline forms do. */
#define SHEAF_INLINE_VERSION 1

/* Called by the constructor and the destructor that shmemx_inline.h puts into each object. A
 * version that the library does not know ends the program with a line that says so. */
void sheaf_inline_attach(struct sheaf_inline_route *route, unsigned version);
void sheaf_inline_detach(struct sheaf_inline_route *route);

/* This object's route. It is not the library's: the linker would copy exported data of the
 * library into a program that is not position independent. */
extern struct sheaf_inline_route sheaf_inline_route_v1 __attribute__((__visibility__("hidden")));
struct sheaf_inline_route sheaf_inline_route_v1 __attribute__((__weak__));

/* One of each per object, whatever the number of its files. */
void sheaf_inline_begin_v1(void) __attribute__((__weak__, __visibility__("hidden"), __constructor__));
void sheaf_inline_end_v1(void) __attribute__((__weak__, __visibility__("hidden"), __destructor__));

void sheaf_inline_begin_v1(void)
{
    sheaf_inline_attach(&sheaf_inline_route_v1, SHEAF_INLINE_VERSION);
}

void sheaf_inline_end_v1(void)
{
    sheaf_inline_detach(&sheaf_inline_route_v1);
}

/* The inline form of a function, used where it is called by name: its address is that of the function of
 * the same name, if there is one. */
#define sheaf_inline_helper                                                                        \
    extern __inline__ __attribute__((__gnu_inline__, __always_inline__, __artificial__))

/* The inline form of a routine, and the library's function, which it calls where it must. */
#define sheaf_inline_routine(RESULT, SYMBOL, PARAMETERS)                                           \
    RESULT p##SYMBOL PARAMETERS;                                                                   \
    sheaf_inline_helper RESULT SYMBOL PARAMETERS

/* Longer copies are calls, and so are those of a length that the compiler does not know. */
#define SHEAF_INLINE_BYTES 64
#define sheaf_inline_is_small(count, bytes)                                                        \
    (__builtin_constant_p(count) && (count) != 0 && (count) <= SHEAF_INLINE_BYTES / (bytes))
#define sheaf_inline_is_default(ctx)                                                               \
    (__builtin_constant_p((ctx) == SHMEM_CTX_DEFAULT) && (ctx) == SHMEM_CTX_DEFAULT)

/* To the compiler an inline form is what a call would be: no load or store moves past it. */
sheaf_inline_helper void sheaf_inline_order(void)
{
    __asm__ volatile("" ::: "memory");
}

/* As base/atomic.h has it: what a copy reads it has read before the caller's later stores. */
sheaf_inline_helper void sheaf_inline_fence_copy(void)
{
#if !defined(__x86_64__)
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
#endif
}

/* Likewise: no later access comes before what an atomic operation wrote. */
sheaf_inline_helper void sheaf_inline_fence_atomic(void)
{
#if defined(__aarch64__) && !defined(__ARM_FEATURE_ATOMICS)
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

/* Fields of the route. To the compiler these are arithmetic on the route's address, which no call or
 * order disturbs: in a loop they stay in registers, and neither a store nor a LOCK waits for them. A
 * count from before initialization sends calls to the library, as ever. The others are read
 * after count was: it is what the compiler sees them computed from. clang leaves such arithmetic in the
 * loop, where it costs more than loads. */
#if defined(__x86_64__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
#define sheaf_inline_field(TYPE, NAME, LOAD)                                                       \
    sheaf_inline_helper TYPE sheaf_inline_##NAME(unsigned count)                                   \
    {                                                                                              \
        TYPE value;                                                                                \
        __asm__(LOAD " %c2(%1), %0" : "=r"(value) : "r"(&sheaf_inline_route_v1),                   \
                "i"(__builtin_offsetof(struct sheaf_inline_route, NAME)), "r"(count));             \
        return value;                                                                              \
    }
#else
#define sheaf_inline_field(TYPE, NAME, LOAD)                                                       \
    sheaf_inline_helper TYPE sheaf_inline_##NAME(unsigned count)                                   \
    {                                                                                              \
        (void)count;                                                                               \
        return sheaf_inline_route_v1.NAME;                                                         \
    }
#endif
sheaf_inline_field(unsigned, count, "movl")
sheaf_inline_field(unsigned, first, "movl")
sheaf_inline_field(uintptr_t, base, "movq")
sheaf_inline_field(uintptr_t, stride, "movq")
#undef sheaf_inline_field

/* Around an access. The first is 0 when it must be a call. */
sheaf_inline_helper int sheaf_inline_enter(unsigned count, int pe)
{
    sheaf_inline_order();
    return __builtin_expect((unsigned)pe - sheaf_inline_first(count) < count, 1) != 0;
}

sheaf_inline_helper void sheaf_inline_leave(void)
{
    sheaf_inline_order();
}

/* Where pe's copy of the object at local lies; count is what was entered with. */
sheaf_inline_helper void *sheaf_inline_to(unsigned count, const volatile void *local, int pe)
{
    uintptr_t position = (unsigned)pe - sheaf_inline_first(count);
    return (void *)((uintptr_t)local + sheaf_inline_base(count) + position * sheaf_inline_stride(count));
}

sheaf_inline_routine(int, shmem_my_pe, (void))
{
    if (__builtin_expect(sheaf_inline_route_v1.count == 0, 0))
        return pshmem_my_pe();
    return sheaf_inline_route_v1.pe;
}

sheaf_inline_routine(int, shmem_n_pes, (void))
{
    if (__builtin_expect(sheaf_inline_route_v1.count == 0, 0))
        return pshmem_n_pes();
    return sheaf_inline_route_v1.npes;
}

sheaf_inline_routine(void *, shmem_ptr, (const void *dest, int pe))
{
    uintptr_t at = (uintptr_t)dest;
    unsigned count = sheaf_inline_count(0);
    if (!sheaf_inline_enter(count, pe))
        return pshmem_ptr(dest, pe);
    if (at - sheaf_inline_route_v1.heap >= sheaf_inline_route_v1.heap_length &&
        at - sheaf_inline_route_v1.data >= sheaf_inline_route_v1.data_length)
        return pshmem_ptr(dest, pe);
    return pe == sheaf_inline_route_v1.pe ? (void *)at : sheaf_inline_to(count, dest, pe);
}

/* Where every PE is near, order is the processor's alone. */
sheaf_inline_helper int sheaf_inline_is_all_near(void)
{
    unsigned count = sheaf_inline_route_v1.count;
    return __builtin_expect(count != 0 && count == (unsigned)sheaf_inline_route_v1.npes, 1) != 0;
}

/* As core/access/order.h and base/atomic.h have it. */
sheaf_inline_helper void sheaf_inline_fence(void)
{
    __atomic_thread_fence(__ATOMIC_RELEASE);
    sheaf_inline_order();
}

sheaf_inline_helper void sheaf_inline_quiet(void)
{
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
    __asm__ volatile("lock; addl $0, -4(%%rsp)" ::: "memory", "cc");
#else
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

sheaf_inline_routine(void, shmem_fence, (void))
{
    if (sheaf_inline_is_all_near())
        sheaf_inline_fence();
    else
        pshmem_fence();
}

sheaf_inline_routine(void, shmem_ctx_fence, (shmem_ctx_t ctx))
{
    if (sheaf_inline_is_default(ctx) && sheaf_inline_is_all_near())
        sheaf_inline_fence();
    else
        pshmem_ctx_fence(ctx);
}

sheaf_inline_routine(void, shmem_quiet, (void))
{
    if (sheaf_inline_is_all_near())
        sheaf_inline_quiet();
    else
        pshmem_quiet();
}

sheaf_inline_routine(void, shmem_ctx_quiet, (shmem_ctx_t ctx))
{
    if (sheaf_inline_is_default(ctx) && sheaf_inline_is_all_near())
        sheaf_inline_quiet();
    else
        pshmem_ctx_quiet(ctx);
}

/* The types of each family: X(routine's name for it, type); or sizes and bytes. */
#define sheaf_inline_sizes_and_mem(X)                                                              \
    X(8, 1)                                                                                        \
    X(16, 2)                                                                                       \
    X(32, 4)                                                                                       \
    X(64, 8)                                                                                       \
    X(128, 16)                                                                                     \
    X(mem, 1)
#define sheaf_inline_types_amo(X)                                                                  \
    X(int, int)                                                                                    \
    X(long, long)                                                                                  \
    X(longlong, long long)                                                                         \
    X(uint, unsigned int)                                                                          \
    X(ulong, unsigned long)                                                                        \
    X(ulonglong, unsigned long long)                                                               \
    X(int32, int32_t)                                                                              \
    X(int64, int64_t)                                                                              \
    X(uint32, uint32_t)                                                                            \
    X(uint64, uint64_t)                                                                            \
    X(size, size_t)                                                                                \
    X(ptrdiff, ptrdiff_t)
#define sheaf_inline_types_bitwise_amo(X)                                                          \
    X(uint, unsigned int)                                                                          \
    X(ulong, unsigned long)                                                                        \
    X(ulonglong, unsigned long long)                                                               \
    X(int32, int32_t)                                                                              \
    X(int64, int64_t)                                                                              \
    X(uint32, uint32_t)                                                                            \
    X(uint64, uint64_t)                                                                            \
    X(int, int)                                                                                    \
    X(long, long)                                                                                  \
    X(longlong, long long)
#define sheaf_inline_types_extended_amo(X)                                                         \
    X(float, float)                                                                                \
    X(double, double)                                                                              \
    X(int, int)                                                                                    \
    X(long, long)                                                                                  \
    X(longlong, long long)                                                                         \
    X(uint, unsigned int)                                                                          \
    X(ulong, unsigned long)                                                                        \
    X(ulonglong, unsigned long long)                                                               \
    X(int32, int32_t)                                                                              \
    X(int64, int64_t)                                                                              \
    X(uint32, uint32_t)                                                                            \
    X(uint64, uint64_t)                                                                            \
    X(size, size_t)                                                                                \
    X(ptrdiff, ptrdiff_t)
#define sheaf_inline_types_rma(X)                                                                  \
    X(float, float)                                                                                \
    X(double, double)                                                                              \
    X(longdouble, long double)                                                                     \
    X(char, char)                                                                                  \
    X(schar, signed char)                                                                          \
    X(short, short)                                                                                \
    X(int, int)                                                                                    \
    X(long, long)                                                                                  \
    X(longlong, long long)                                                                         \
    X(uchar, unsigned char)                                                                        \
    X(ushort, unsigned short)                                                                      \
    X(uint, unsigned int)                                                                          \
    X(ulong, unsigned long)                                                                        \
    X(ulonglong, unsigned long long)                                                               \
    X(int8, int8_t)                                                                                \
    X(int16, int16_t)                                                                              \
    X(int32, int32_t)                                                                              \
    X(int64, int64_t)                                                                              \
    X(uint8, uint8_t)                                                                              \
    X(uint16, uint16_t)                                                                            \
    X(uint32, uint32_t)                                                                            \
    X(uint64, uint64_t)                                                                            \
    X(size, size_t)                                                                                \
    X(ptrdiff, ptrdiff_t)

#define sheaf_inline_family(NAME, TYPE)                                                            \
    sheaf_inline_routine(void, shmem_##NAME##_put,                                                 \
        (TYPE *dest, const TYPE *source, size_t nelems, int pe))                                   \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_is_small(nelems, sizeof(TYPE)) ||                                        \
            !sheaf_inline_enter(inline_count, pe)) {                                               \
            pshmem_##NAME##_put(dest, source, nelems, pe);                                         \
            return;                                                                                \
        }                                                                                          \
        __builtin_memcpy(sheaf_inline_to(inline_count, dest, pe), source, nelems * sizeof(TYPE));  \
        sheaf_inline_fence_copy();                                                                 \
        sheaf_inline_leave();                                                                      \
    }                                                                                              \
    sheaf_inline_routine(void, shmem_ctx_##NAME##_put,                                             \
        (shmem_ctx_t ctx, TYPE *dest, const TYPE *source, size_t nelems, int pe))                  \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_is_default(ctx) ||                                                       \
            !sheaf_inline_is_small(nelems, sizeof(TYPE)) ||                                        \
            !sheaf_inline_enter(inline_count, pe)) {                                               \
            pshmem_ctx_##NAME##_put(ctx, dest, source, nelems, pe);                                \
            return;                                                                                \
        }                                                                                          \
        __builtin_memcpy(sheaf_inline_to(inline_count, dest, pe), source, nelems * sizeof(TYPE));  \
        sheaf_inline_fence_copy();                                                                 \
        sheaf_inline_leave();                                                                      \
    }
sheaf_inline_types_rma(sheaf_inline_family)
#undef sheaf_inline_family

#define sheaf_inline_family(SIZE, BYTES)                                                           \
    sheaf_inline_routine(void, shmem_put##SIZE,                                                    \
        (void *dest, const void *source, size_t nelems, int pe))                                   \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_is_small(nelems, BYTES) ||                                               \
            !sheaf_inline_enter(inline_count, pe)) {                                               \
            pshmem_put##SIZE(dest, source, nelems, pe);                                            \
            return;                                                                                \
        }                                                                                          \
        __builtin_memcpy(sheaf_inline_to(inline_count, dest, pe), source, nelems * BYTES);         \
        sheaf_inline_fence_copy();                                                                 \
        sheaf_inline_leave();                                                                      \
    }                                                                                              \
    sheaf_inline_routine(void, shmem_ctx_put##SIZE,                                                \
        (shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe))                  \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_is_default(ctx) ||                                                       \
            !sheaf_inline_is_small(nelems, BYTES) ||                                               \
            !sheaf_inline_enter(inline_count, pe)) {                                               \
            pshmem_ctx_put##SIZE(ctx, dest, source, nelems, pe);                                   \
            return;                                                                                \
        }                                                                                          \
        __builtin_memcpy(sheaf_inline_to(inline_count, dest, pe), source, nelems * BYTES);         \
        sheaf_inline_fence_copy();                                                                 \
        sheaf_inline_leave();                                                                      \
    }
sheaf_inline_sizes_and_mem(sheaf_inline_family)
#undef sheaf_inline_family

#define sheaf_inline_family(NAME, TYPE)                                                            \
    sheaf_inline_routine(void, shmem_##NAME##_p,                                                   \
        (TYPE *dest, TYPE value, int pe))                                                          \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_enter(inline_count, pe)) {                                               \
            pshmem_##NAME##_p(dest, value, pe);                                                    \
            return;                                                                                \
        }                                                                                          \
        *(volatile TYPE *)((TYPE *)sheaf_inline_to(inline_count, dest, pe)) = value;               \
        sheaf_inline_leave();                                                                      \
    }                                                                                              \
    sheaf_inline_routine(void, shmem_ctx_##NAME##_p,                                               \
        (shmem_ctx_t ctx, TYPE *dest, TYPE value, int pe))                                         \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_is_default(ctx) ||                                                       \
            !sheaf_inline_enter(inline_count, pe)) {                                               \
            pshmem_ctx_##NAME##_p(ctx, dest, value, pe);                                           \
            return;                                                                                \
        }                                                                                          \
        *(volatile TYPE *)((TYPE *)sheaf_inline_to(inline_count, dest, pe)) = value;               \
        sheaf_inline_leave();                                                                      \
    }
sheaf_inline_types_rma(sheaf_inline_family)
#undef sheaf_inline_family

#define sheaf_inline_family(NAME, TYPE)                                                            \
    sheaf_inline_routine(void, shmem_##NAME##_get,                                                 \
        (TYPE *dest, const TYPE *source, size_t nelems, int pe))                                   \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_is_small(nelems, sizeof(TYPE)) ||                                        \
            !sheaf_inline_enter(inline_count, pe)) {                                               \
            pshmem_##NAME##_get(dest, source, nelems, pe);                                         \
            return;                                                                                \
        }                                                                                          \
        __builtin_memcpy(dest, sheaf_inline_to(inline_count, source, pe), nelems * sizeof(TYPE));  \
        sheaf_inline_fence_copy();                                                                 \
        sheaf_inline_leave();                                                                      \
    }                                                                                              \
    sheaf_inline_routine(void, shmem_ctx_##NAME##_get,                                             \
        (shmem_ctx_t ctx, TYPE *dest, const TYPE *source, size_t nelems, int pe))                  \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_is_default(ctx) ||                                                       \
            !sheaf_inline_is_small(nelems, sizeof(TYPE)) ||                                        \
            !sheaf_inline_enter(inline_count, pe)) {                                               \
            pshmem_ctx_##NAME##_get(ctx, dest, source, nelems, pe);                                \
            return;                                                                                \
        }                                                                                          \
        __builtin_memcpy(dest, sheaf_inline_to(inline_count, source, pe), nelems * sizeof(TYPE));  \
        sheaf_inline_fence_copy();                                                                 \
        sheaf_inline_leave();                                                                      \
    }
sheaf_inline_types_rma(sheaf_inline_family)
#undef sheaf_inline_family

#define sheaf_inline_family(SIZE, BYTES)                                                           \
    sheaf_inline_routine(void, shmem_get##SIZE,                                                    \
        (void *dest, const void *source, size_t nelems, int pe))                                   \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_is_small(nelems, BYTES) ||                                               \
            !sheaf_inline_enter(inline_count, pe)) {                                               \
            pshmem_get##SIZE(dest, source, nelems, pe);                                            \
            return;                                                                                \
        }                                                                                          \
        __builtin_memcpy(dest, sheaf_inline_to(inline_count, source, pe), nelems * BYTES);         \
        sheaf_inline_fence_copy();                                                                 \
        sheaf_inline_leave();                                                                      \
    }                                                                                              \
    sheaf_inline_routine(void, shmem_ctx_get##SIZE,                                                \
        (shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe))                  \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_is_default(ctx) ||                                                       \
            !sheaf_inline_is_small(nelems, BYTES) ||                                               \
            !sheaf_inline_enter(inline_count, pe)) {                                               \
            pshmem_ctx_get##SIZE(ctx, dest, source, nelems, pe);                                   \
            return;                                                                                \
        }                                                                                          \
        __builtin_memcpy(dest, sheaf_inline_to(inline_count, source, pe), nelems * BYTES);         \
        sheaf_inline_fence_copy();                                                                 \
        sheaf_inline_leave();                                                                      \
    }
sheaf_inline_sizes_and_mem(sheaf_inline_family)
#undef sheaf_inline_family

#define sheaf_inline_family(NAME, TYPE)                                                            \
    sheaf_inline_routine(TYPE, shmem_##NAME##_g,                                                   \
        (const TYPE *source, int pe))                                                              \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_enter(inline_count, pe)) {                                               \
            return pshmem_##NAME##_g(source, pe);                                                  \
        }                                                                                          \
        TYPE value = *(const volatile TYPE *)((const TYPE *)sheaf_inline_to(inline_count, source, pe));\
        sheaf_inline_fence_copy();                                                                 \
        TYPE inline_result = value;                                                                \
        sheaf_inline_leave();                                                                      \
        return inline_result;                                                                      \
    }                                                                                              \
    sheaf_inline_routine(TYPE, shmem_ctx_##NAME##_g,                                               \
        (shmem_ctx_t ctx, const TYPE *source, int pe))                                             \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_is_default(ctx) ||                                                       \
            !sheaf_inline_enter(inline_count, pe)) {                                               \
            return pshmem_ctx_##NAME##_g(ctx, source, pe);                                         \
        }                                                                                          \
        TYPE value = *(const volatile TYPE *)((const TYPE *)sheaf_inline_to(inline_count, source, pe));\
        sheaf_inline_fence_copy();                                                                 \
        TYPE inline_result = value;                                                                \
        sheaf_inline_leave();                                                                      \
        return inline_result;                                                                      \
    }
sheaf_inline_types_rma(sheaf_inline_family)
#undef sheaf_inline_family

#define sheaf_inline_family(NAME, TYPE)                                                            \
    sheaf_inline_routine(void, shmem_##NAME##_put_nbi,                                             \
        (TYPE *dest, const TYPE *source, size_t nelems, int pe))                                   \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_is_small(nelems, sizeof(TYPE)) ||                                        \
            !sheaf_inline_enter(inline_count, pe)) {                                               \
            pshmem_##NAME##_put_nbi(dest, source, nelems, pe);                                     \
            return;                                                                                \
        }                                                                                          \
        __builtin_memcpy(sheaf_inline_to(inline_count, dest, pe), source, nelems * sizeof(TYPE));  \
        sheaf_inline_fence_copy();                                                                 \
        sheaf_inline_leave();                                                                      \
    }                                                                                              \
    sheaf_inline_routine(void, shmem_ctx_##NAME##_put_nbi,                                         \
        (shmem_ctx_t ctx, TYPE *dest, const TYPE *source, size_t nelems, int pe))                  \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_is_default(ctx) ||                                                       \
            !sheaf_inline_is_small(nelems, sizeof(TYPE)) ||                                        \
            !sheaf_inline_enter(inline_count, pe)) {                                               \
            pshmem_ctx_##NAME##_put_nbi(ctx, dest, source, nelems, pe);                            \
            return;                                                                                \
        }                                                                                          \
        __builtin_memcpy(sheaf_inline_to(inline_count, dest, pe), source, nelems * sizeof(TYPE));  \
        sheaf_inline_fence_copy();                                                                 \
        sheaf_inline_leave();                                                                      \
    }
sheaf_inline_types_rma(sheaf_inline_family)
#undef sheaf_inline_family

#define sheaf_inline_family(SIZE, BYTES)                                                           \
    sheaf_inline_routine(void, shmem_put##SIZE##_nbi,                                              \
        (void *dest, const void *source, size_t nelems, int pe))                                   \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_is_small(nelems, BYTES) ||                                               \
            !sheaf_inline_enter(inline_count, pe)) {                                               \
            pshmem_put##SIZE##_nbi(dest, source, nelems, pe);                                      \
            return;                                                                                \
        }                                                                                          \
        __builtin_memcpy(sheaf_inline_to(inline_count, dest, pe), source, nelems * BYTES);         \
        sheaf_inline_fence_copy();                                                                 \
        sheaf_inline_leave();                                                                      \
    }                                                                                              \
    sheaf_inline_routine(void, shmem_ctx_put##SIZE##_nbi,                                          \
        (shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe))                  \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_is_default(ctx) ||                                                       \
            !sheaf_inline_is_small(nelems, BYTES) ||                                               \
            !sheaf_inline_enter(inline_count, pe)) {                                               \
            pshmem_ctx_put##SIZE##_nbi(ctx, dest, source, nelems, pe);                             \
            return;                                                                                \
        }                                                                                          \
        __builtin_memcpy(sheaf_inline_to(inline_count, dest, pe), source, nelems * BYTES);         \
        sheaf_inline_fence_copy();                                                                 \
        sheaf_inline_leave();                                                                      \
    }
sheaf_inline_sizes_and_mem(sheaf_inline_family)
#undef sheaf_inline_family

#define sheaf_inline_family(NAME, TYPE)                                                            \
    sheaf_inline_routine(void, shmem_##NAME##_get_nbi,                                             \
        (TYPE *dest, const TYPE *source, size_t nelems, int pe))                                   \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_is_small(nelems, sizeof(TYPE)) ||                                        \
            !sheaf_inline_enter(inline_count, pe)) {                                               \
            pshmem_##NAME##_get_nbi(dest, source, nelems, pe);                                     \
            return;                                                                                \
        }                                                                                          \
        __builtin_memcpy(dest, sheaf_inline_to(inline_count, source, pe), nelems * sizeof(TYPE));  \
        sheaf_inline_fence_copy();                                                                 \
        sheaf_inline_leave();                                                                      \
    }                                                                                              \
    sheaf_inline_routine(void, shmem_ctx_##NAME##_get_nbi,                                         \
        (shmem_ctx_t ctx, TYPE *dest, const TYPE *source, size_t nelems, int pe))                  \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_is_default(ctx) ||                                                       \
            !sheaf_inline_is_small(nelems, sizeof(TYPE)) ||                                        \
            !sheaf_inline_enter(inline_count, pe)) {                                               \
            pshmem_ctx_##NAME##_get_nbi(ctx, dest, source, nelems, pe);                            \
            return;                                                                                \
        }                                                                                          \
        __builtin_memcpy(dest, sheaf_inline_to(inline_count, source, pe), nelems * sizeof(TYPE));  \
        sheaf_inline_fence_copy();                                                                 \
        sheaf_inline_leave();                                                                      \
    }
sheaf_inline_types_rma(sheaf_inline_family)
#undef sheaf_inline_family

#define sheaf_inline_family(SIZE, BYTES)                                                           \
    sheaf_inline_routine(void, shmem_get##SIZE##_nbi,                                              \
        (void *dest, const void *source, size_t nelems, int pe))                                   \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_is_small(nelems, BYTES) ||                                               \
            !sheaf_inline_enter(inline_count, pe)) {                                               \
            pshmem_get##SIZE##_nbi(dest, source, nelems, pe);                                      \
            return;                                                                                \
        }                                                                                          \
        __builtin_memcpy(dest, sheaf_inline_to(inline_count, source, pe), nelems * BYTES);         \
        sheaf_inline_fence_copy();                                                                 \
        sheaf_inline_leave();                                                                      \
    }                                                                                              \
    sheaf_inline_routine(void, shmem_ctx_get##SIZE##_nbi,                                          \
        (shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe))                  \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_is_default(ctx) ||                                                       \
            !sheaf_inline_is_small(nelems, BYTES) ||                                               \
            !sheaf_inline_enter(inline_count, pe)) {                                               \
            pshmem_ctx_get##SIZE##_nbi(ctx, dest, source, nelems, pe);                             \
            return;                                                                                \
        }                                                                                          \
        __builtin_memcpy(dest, sheaf_inline_to(inline_count, source, pe), nelems * BYTES);         \
        sheaf_inline_fence_copy();                                                                 \
        sheaf_inline_leave();                                                                      \
    }
sheaf_inline_sizes_and_mem(sheaf_inline_family)
#undef sheaf_inline_family

#define sheaf_inline_family(NAME, TYPE)                                                            \
    sheaf_inline_routine(TYPE, shmem_##NAME##_atomic_fetch,                                        \
        (const TYPE *source, int pe))                                                              \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_enter(inline_count, pe)) {                                               \
            return pshmem_##NAME##_atomic_fetch(source, pe);                                       \
        }                                                                                          \
        TYPE result;                                                                               \
        __atomic_load(((TYPE *)sheaf_inline_to(inline_count, source, pe)), &result, __ATOMIC_ACQUIRE);\
        TYPE inline_result = result;                                                               \
        sheaf_inline_leave();                                                                      \
        return inline_result;                                                                      \
    }                                                                                              \
    sheaf_inline_routine(TYPE, shmem_ctx_##NAME##_atomic_fetch,                                    \
        (shmem_ctx_t ctx, const TYPE *source, int pe))                                             \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_is_default(ctx) ||                                                       \
            !sheaf_inline_enter(inline_count, pe)) {                                               \
            return pshmem_ctx_##NAME##_atomic_fetch(ctx, source, pe);                              \
        }                                                                                          \
        TYPE result;                                                                               \
        __atomic_load(((TYPE *)sheaf_inline_to(inline_count, source, pe)), &result, __ATOMIC_ACQUIRE);\
        TYPE inline_result = result;                                                               \
        sheaf_inline_leave();                                                                      \
        return inline_result;                                                                      \
    }
sheaf_inline_types_extended_amo(sheaf_inline_family)
#undef sheaf_inline_family

#define sheaf_inline_family(NAME, TYPE)                                                            \
    sheaf_inline_routine(TYPE, shmem_##NAME##_fetch,                                               \
        (const TYPE *source, int pe))                                                              \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_enter(inline_count, pe)) {                                               \
            return pshmem_##NAME##_fetch(source, pe);                                              \
        }                                                                                          \
        TYPE result;                                                                               \
        __atomic_load(((TYPE *)sheaf_inline_to(inline_count, source, pe)), &result, __ATOMIC_ACQUIRE);\
        TYPE inline_result = result;                                                               \
        sheaf_inline_leave();                                                                      \
        return inline_result;                                                                      \
    }
sheaf_inline_types_extended_amo(sheaf_inline_family)
#undef sheaf_inline_family

#define sheaf_inline_family(NAME, TYPE)                                                            \
    sheaf_inline_routine(void, shmem_##NAME##_atomic_set,                                          \
        (TYPE *dest, TYPE value, int pe))                                                          \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_enter(inline_count, pe)) {                                               \
            pshmem_##NAME##_atomic_set(dest, value, pe);                                           \
            return;                                                                                \
        }                                                                                          \
        __atomic_store(((TYPE *)sheaf_inline_to(inline_count, dest, pe)), &value, __ATOMIC_RELEASE);\
        sheaf_inline_leave();                                                                      \
    }                                                                                              \
    sheaf_inline_routine(void, shmem_ctx_##NAME##_atomic_set,                                      \
        (shmem_ctx_t ctx, TYPE *dest, TYPE value, int pe))                                         \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_is_default(ctx) ||                                                       \
            !sheaf_inline_enter(inline_count, pe)) {                                               \
            pshmem_ctx_##NAME##_atomic_set(ctx, dest, value, pe);                                  \
            return;                                                                                \
        }                                                                                          \
        __atomic_store(((TYPE *)sheaf_inline_to(inline_count, dest, pe)), &value, __ATOMIC_RELEASE);\
        sheaf_inline_leave();                                                                      \
    }
sheaf_inline_types_extended_amo(sheaf_inline_family)
#undef sheaf_inline_family

#define sheaf_inline_family(NAME, TYPE)                                                            \
    sheaf_inline_routine(void, shmem_##NAME##_set,                                                 \
        (TYPE *dest, TYPE value, int pe))                                                          \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_enter(inline_count, pe)) {                                               \
            pshmem_##NAME##_set(dest, value, pe);                                                  \
            return;                                                                                \
        }                                                                                          \
        __atomic_store(((TYPE *)sheaf_inline_to(inline_count, dest, pe)), &value, __ATOMIC_RELEASE);\
        sheaf_inline_leave();                                                                      \
    }
sheaf_inline_types_extended_amo(sheaf_inline_family)
#undef sheaf_inline_family

#define sheaf_inline_family(NAME, TYPE)                                                            \
    sheaf_inline_routine(TYPE, shmem_##NAME##_atomic_compare_swap,                                 \
        (TYPE *dest, TYPE cond, TYPE value, int pe))                                               \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_enter(inline_count, pe)) {                                               \
            return pshmem_##NAME##_atomic_compare_swap(dest, cond, value, pe);                     \
        }                                                                                          \
        (void)__atomic_compare_exchange_n((((TYPE *)sheaf_inline_to(inline_count, dest, pe))), (&cond), (value), 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);\
        sheaf_inline_fence_atomic();                                                               \
        TYPE inline_result = cond;                                                                 \
        sheaf_inline_leave();                                                                      \
        return inline_result;                                                                      \
    }                                                                                              \
    sheaf_inline_routine(TYPE, shmem_ctx_##NAME##_atomic_compare_swap,                             \
        (shmem_ctx_t ctx, TYPE *dest, TYPE cond, TYPE value, int pe))                              \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_is_default(ctx) ||                                                       \
            !sheaf_inline_enter(inline_count, pe)) {                                               \
            return pshmem_ctx_##NAME##_atomic_compare_swap(ctx, dest, cond, value, pe);            \
        }                                                                                          \
        (void)__atomic_compare_exchange_n((((TYPE *)sheaf_inline_to(inline_count, dest, pe))), (&cond), (value), 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);\
        sheaf_inline_fence_atomic();                                                               \
        TYPE inline_result = cond;                                                                 \
        sheaf_inline_leave();                                                                      \
        return inline_result;                                                                      \
    }
sheaf_inline_types_amo(sheaf_inline_family)
#undef sheaf_inline_family

#define sheaf_inline_family(NAME, TYPE)                                                            \
    sheaf_inline_routine(TYPE, shmem_##NAME##_cswap,                                               \
        (TYPE *dest, TYPE cond, TYPE value, int pe))                                               \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_enter(inline_count, pe)) {                                               \
            return pshmem_##NAME##_cswap(dest, cond, value, pe);                                   \
        }                                                                                          \
        (void)__atomic_compare_exchange_n((((TYPE *)sheaf_inline_to(inline_count, dest, pe))), (&cond), (value), 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);\
        sheaf_inline_fence_atomic();                                                               \
        TYPE inline_result = cond;                                                                 \
        sheaf_inline_leave();                                                                      \
        return inline_result;                                                                      \
    }
sheaf_inline_types_amo(sheaf_inline_family)
#undef sheaf_inline_family

#define sheaf_inline_family(NAME, TYPE)                                                            \
    sheaf_inline_routine(TYPE, shmem_##NAME##_atomic_swap,                                         \
        (TYPE *dest, TYPE value, int pe))                                                          \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_enter(inline_count, pe)) {                                               \
            return pshmem_##NAME##_atomic_swap(dest, value, pe);                                   \
        }                                                                                          \
        TYPE result;                                                                               \
        __atomic_exchange(((TYPE *)sheaf_inline_to(inline_count, dest, pe)), &value, &result, __ATOMIC_SEQ_CST);\
        sheaf_inline_fence_atomic();                                                               \
        TYPE inline_result = result;                                                               \
        sheaf_inline_leave();                                                                      \
        return inline_result;                                                                      \
    }                                                                                              \
    sheaf_inline_routine(TYPE, shmem_ctx_##NAME##_atomic_swap,                                     \
        (shmem_ctx_t ctx, TYPE *dest, TYPE value, int pe))                                         \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_is_default(ctx) ||                                                       \
            !sheaf_inline_enter(inline_count, pe)) {                                               \
            return pshmem_ctx_##NAME##_atomic_swap(ctx, dest, value, pe);                          \
        }                                                                                          \
        TYPE result;                                                                               \
        __atomic_exchange(((TYPE *)sheaf_inline_to(inline_count, dest, pe)), &value, &result, __ATOMIC_SEQ_CST);\
        sheaf_inline_fence_atomic();                                                               \
        TYPE inline_result = result;                                                               \
        sheaf_inline_leave();                                                                      \
        return inline_result;                                                                      \
    }
sheaf_inline_types_extended_amo(sheaf_inline_family)
#undef sheaf_inline_family

#define sheaf_inline_family(NAME, TYPE)                                                            \
    sheaf_inline_routine(TYPE, shmem_##NAME##_swap,                                                \
        (TYPE *dest, TYPE value, int pe))                                                          \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_enter(inline_count, pe)) {                                               \
            return pshmem_##NAME##_swap(dest, value, pe);                                          \
        }                                                                                          \
        TYPE result;                                                                               \
        __atomic_exchange(((TYPE *)sheaf_inline_to(inline_count, dest, pe)), &value, &result, __ATOMIC_SEQ_CST);\
        sheaf_inline_fence_atomic();                                                               \
        TYPE inline_result = result;                                                               \
        sheaf_inline_leave();                                                                      \
        return inline_result;                                                                      \
    }
sheaf_inline_types_extended_amo(sheaf_inline_family)
#undef sheaf_inline_family

#define sheaf_inline_family(NAME, TYPE)                                                            \
    sheaf_inline_routine(TYPE, shmem_##NAME##_atomic_fetch_inc,                                    \
        (TYPE *dest, int pe))                                                                      \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_enter(inline_count, pe)) {                                               \
            return pshmem_##NAME##_atomic_fetch_inc(dest, pe);                                     \
        }                                                                                          \
        TYPE before = (__atomic_fetch_add(((TYPE *)sheaf_inline_to(inline_count, dest, pe)), 1, __ATOMIC_SEQ_CST));\
        sheaf_inline_fence_atomic();                                                               \
        TYPE inline_result = before;                                                               \
        sheaf_inline_leave();                                                                      \
        return inline_result;                                                                      \
    }                                                                                              \
    sheaf_inline_routine(TYPE, shmem_ctx_##NAME##_atomic_fetch_inc,                                \
        (shmem_ctx_t ctx, TYPE *dest, int pe))                                                     \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_is_default(ctx) ||                                                       \
            !sheaf_inline_enter(inline_count, pe)) {                                               \
            return pshmem_ctx_##NAME##_atomic_fetch_inc(ctx, dest, pe);                            \
        }                                                                                          \
        TYPE before = (__atomic_fetch_add(((TYPE *)sheaf_inline_to(inline_count, dest, pe)), 1, __ATOMIC_SEQ_CST));\
        sheaf_inline_fence_atomic();                                                               \
        TYPE inline_result = before;                                                               \
        sheaf_inline_leave();                                                                      \
        return inline_result;                                                                      \
    }
sheaf_inline_types_amo(sheaf_inline_family)
#undef sheaf_inline_family

#define sheaf_inline_family(NAME, TYPE)                                                            \
    sheaf_inline_routine(TYPE, shmem_##NAME##_finc,                                                \
        (TYPE *dest, int pe))                                                                      \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_enter(inline_count, pe)) {                                               \
            return pshmem_##NAME##_finc(dest, pe);                                                 \
        }                                                                                          \
        TYPE before = (__atomic_fetch_add(((TYPE *)sheaf_inline_to(inline_count, dest, pe)), 1, __ATOMIC_SEQ_CST));\
        sheaf_inline_fence_atomic();                                                               \
        TYPE inline_result = before;                                                               \
        sheaf_inline_leave();                                                                      \
        return inline_result;                                                                      \
    }
sheaf_inline_types_amo(sheaf_inline_family)
#undef sheaf_inline_family

#define sheaf_inline_family(NAME, TYPE)                                                            \
    sheaf_inline_routine(void, shmem_##NAME##_atomic_inc,                                          \
        (TYPE *dest, int pe))                                                                      \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_enter(inline_count, pe)) {                                               \
            pshmem_##NAME##_atomic_inc(dest, pe);                                                  \
            return;                                                                                \
        }                                                                                          \
        __atomic_fetch_add(((TYPE *)sheaf_inline_to(inline_count, dest, pe)), 1, __ATOMIC_SEQ_CST);\
        sheaf_inline_leave();                                                                      \
    }                                                                                              \
    sheaf_inline_routine(void, shmem_ctx_##NAME##_atomic_inc,                                      \
        (shmem_ctx_t ctx, TYPE *dest, int pe))                                                     \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_is_default(ctx) ||                                                       \
            !sheaf_inline_enter(inline_count, pe)) {                                               \
            pshmem_ctx_##NAME##_atomic_inc(ctx, dest, pe);                                         \
            return;                                                                                \
        }                                                                                          \
        __atomic_fetch_add(((TYPE *)sheaf_inline_to(inline_count, dest, pe)), 1, __ATOMIC_SEQ_CST);\
        sheaf_inline_leave();                                                                      \
    }
sheaf_inline_types_amo(sheaf_inline_family)
#undef sheaf_inline_family

#define sheaf_inline_family(NAME, TYPE)                                                            \
    sheaf_inline_routine(void, shmem_##NAME##_inc,                                                 \
        (TYPE *dest, int pe))                                                                      \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_enter(inline_count, pe)) {                                               \
            pshmem_##NAME##_inc(dest, pe);                                                         \
            return;                                                                                \
        }                                                                                          \
        __atomic_fetch_add(((TYPE *)sheaf_inline_to(inline_count, dest, pe)), 1, __ATOMIC_SEQ_CST);\
        sheaf_inline_leave();                                                                      \
    }
sheaf_inline_types_amo(sheaf_inline_family)
#undef sheaf_inline_family

#define sheaf_inline_family(NAME, TYPE)                                                            \
    sheaf_inline_routine(TYPE, shmem_##NAME##_atomic_fetch_add,                                    \
        (TYPE *dest, TYPE value, int pe))                                                          \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_enter(inline_count, pe)) {                                               \
            return pshmem_##NAME##_atomic_fetch_add(dest, value, pe);                              \
        }                                                                                          \
        TYPE before = (__atomic_fetch_add(((TYPE *)sheaf_inline_to(inline_count, dest, pe)), value, __ATOMIC_SEQ_CST));\
        sheaf_inline_fence_atomic();                                                               \
        TYPE inline_result = before;                                                               \
        sheaf_inline_leave();                                                                      \
        return inline_result;                                                                      \
    }                                                                                              \
    sheaf_inline_routine(TYPE, shmem_ctx_##NAME##_atomic_fetch_add,                                \
        (shmem_ctx_t ctx, TYPE *dest, TYPE value, int pe))                                         \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_is_default(ctx) ||                                                       \
            !sheaf_inline_enter(inline_count, pe)) {                                               \
            return pshmem_ctx_##NAME##_atomic_fetch_add(ctx, dest, value, pe);                     \
        }                                                                                          \
        TYPE before = (__atomic_fetch_add(((TYPE *)sheaf_inline_to(inline_count, dest, pe)), value, __ATOMIC_SEQ_CST));\
        sheaf_inline_fence_atomic();                                                               \
        TYPE inline_result = before;                                                               \
        sheaf_inline_leave();                                                                      \
        return inline_result;                                                                      \
    }
sheaf_inline_types_amo(sheaf_inline_family)
#undef sheaf_inline_family

#define sheaf_inline_family(NAME, TYPE)                                                            \
    sheaf_inline_routine(TYPE, shmem_##NAME##_fadd,                                                \
        (TYPE *dest, TYPE value, int pe))                                                          \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_enter(inline_count, pe)) {                                               \
            return pshmem_##NAME##_fadd(dest, value, pe);                                          \
        }                                                                                          \
        TYPE before = (__atomic_fetch_add(((TYPE *)sheaf_inline_to(inline_count, dest, pe)), value, __ATOMIC_SEQ_CST));\
        sheaf_inline_fence_atomic();                                                               \
        TYPE inline_result = before;                                                               \
        sheaf_inline_leave();                                                                      \
        return inline_result;                                                                      \
    }
sheaf_inline_types_amo(sheaf_inline_family)
#undef sheaf_inline_family

#define sheaf_inline_family(NAME, TYPE)                                                            \
    sheaf_inline_routine(void, shmem_##NAME##_atomic_add,                                          \
        (TYPE *dest, TYPE value, int pe))                                                          \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_enter(inline_count, pe)) {                                               \
            pshmem_##NAME##_atomic_add(dest, value, pe);                                           \
            return;                                                                                \
        }                                                                                          \
        __atomic_fetch_add(((TYPE *)sheaf_inline_to(inline_count, dest, pe)), value, __ATOMIC_SEQ_CST);\
        sheaf_inline_leave();                                                                      \
    }                                                                                              \
    sheaf_inline_routine(void, shmem_ctx_##NAME##_atomic_add,                                      \
        (shmem_ctx_t ctx, TYPE *dest, TYPE value, int pe))                                         \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_is_default(ctx) ||                                                       \
            !sheaf_inline_enter(inline_count, pe)) {                                               \
            pshmem_ctx_##NAME##_atomic_add(ctx, dest, value, pe);                                  \
            return;                                                                                \
        }                                                                                          \
        __atomic_fetch_add(((TYPE *)sheaf_inline_to(inline_count, dest, pe)), value, __ATOMIC_SEQ_CST);\
        sheaf_inline_leave();                                                                      \
    }
sheaf_inline_types_amo(sheaf_inline_family)
#undef sheaf_inline_family

#define sheaf_inline_family(NAME, TYPE)                                                            \
    sheaf_inline_routine(void, shmem_##NAME##_add,                                                 \
        (TYPE *dest, TYPE value, int pe))                                                          \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_enter(inline_count, pe)) {                                               \
            pshmem_##NAME##_add(dest, value, pe);                                                  \
            return;                                                                                \
        }                                                                                          \
        __atomic_fetch_add(((TYPE *)sheaf_inline_to(inline_count, dest, pe)), value, __ATOMIC_SEQ_CST);\
        sheaf_inline_leave();                                                                      \
    }
sheaf_inline_types_amo(sheaf_inline_family)
#undef sheaf_inline_family

#define sheaf_inline_family(NAME, TYPE)                                                            \
    sheaf_inline_routine(TYPE, shmem_##NAME##_atomic_fetch_and,                                    \
        (TYPE *dest, TYPE value, int pe))                                                          \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_enter(inline_count, pe)) {                                               \
            return pshmem_##NAME##_atomic_fetch_and(dest, value, pe);                              \
        }                                                                                          \
        TYPE before = (__atomic_fetch_and(((TYPE *)sheaf_inline_to(inline_count, dest, pe)), value, __ATOMIC_SEQ_CST));\
        sheaf_inline_fence_atomic();                                                               \
        TYPE inline_result = before;                                                               \
        sheaf_inline_leave();                                                                      \
        return inline_result;                                                                      \
    }                                                                                              \
    sheaf_inline_routine(TYPE, shmem_ctx_##NAME##_atomic_fetch_and,                                \
        (shmem_ctx_t ctx, TYPE *dest, TYPE value, int pe))                                         \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_is_default(ctx) ||                                                       \
            !sheaf_inline_enter(inline_count, pe)) {                                               \
            return pshmem_ctx_##NAME##_atomic_fetch_and(ctx, dest, value, pe);                     \
        }                                                                                          \
        TYPE before = (__atomic_fetch_and(((TYPE *)sheaf_inline_to(inline_count, dest, pe)), value, __ATOMIC_SEQ_CST));\
        sheaf_inline_fence_atomic();                                                               \
        TYPE inline_result = before;                                                               \
        sheaf_inline_leave();                                                                      \
        return inline_result;                                                                      \
    }
sheaf_inline_types_bitwise_amo(sheaf_inline_family)
#undef sheaf_inline_family

#define sheaf_inline_family(NAME, TYPE)                                                            \
    sheaf_inline_routine(void, shmem_##NAME##_atomic_and,                                          \
        (TYPE *dest, TYPE value, int pe))                                                          \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_enter(inline_count, pe)) {                                               \
            pshmem_##NAME##_atomic_and(dest, value, pe);                                           \
            return;                                                                                \
        }                                                                                          \
        __atomic_fetch_and(((TYPE *)sheaf_inline_to(inline_count, dest, pe)), value, __ATOMIC_SEQ_CST);\
        sheaf_inline_leave();                                                                      \
    }                                                                                              \
    sheaf_inline_routine(void, shmem_ctx_##NAME##_atomic_and,                                      \
        (shmem_ctx_t ctx, TYPE *dest, TYPE value, int pe))                                         \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_is_default(ctx) ||                                                       \
            !sheaf_inline_enter(inline_count, pe)) {                                               \
            pshmem_ctx_##NAME##_atomic_and(ctx, dest, value, pe);                                  \
            return;                                                                                \
        }                                                                                          \
        __atomic_fetch_and(((TYPE *)sheaf_inline_to(inline_count, dest, pe)), value, __ATOMIC_SEQ_CST);\
        sheaf_inline_leave();                                                                      \
    }
sheaf_inline_types_bitwise_amo(sheaf_inline_family)
#undef sheaf_inline_family

#define sheaf_inline_family(NAME, TYPE)                                                            \
    sheaf_inline_routine(TYPE, shmem_##NAME##_atomic_fetch_or,                                     \
        (TYPE *dest, TYPE value, int pe))                                                          \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_enter(inline_count, pe)) {                                               \
            return pshmem_##NAME##_atomic_fetch_or(dest, value, pe);                               \
        }                                                                                          \
        TYPE before = (__atomic_fetch_or(((TYPE *)sheaf_inline_to(inline_count, dest, pe)), value, __ATOMIC_SEQ_CST));\
        sheaf_inline_fence_atomic();                                                               \
        TYPE inline_result = before;                                                               \
        sheaf_inline_leave();                                                                      \
        return inline_result;                                                                      \
    }                                                                                              \
    sheaf_inline_routine(TYPE, shmem_ctx_##NAME##_atomic_fetch_or,                                 \
        (shmem_ctx_t ctx, TYPE *dest, TYPE value, int pe))                                         \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_is_default(ctx) ||                                                       \
            !sheaf_inline_enter(inline_count, pe)) {                                               \
            return pshmem_ctx_##NAME##_atomic_fetch_or(ctx, dest, value, pe);                      \
        }                                                                                          \
        TYPE before = (__atomic_fetch_or(((TYPE *)sheaf_inline_to(inline_count, dest, pe)), value, __ATOMIC_SEQ_CST));\
        sheaf_inline_fence_atomic();                                                               \
        TYPE inline_result = before;                                                               \
        sheaf_inline_leave();                                                                      \
        return inline_result;                                                                      \
    }
sheaf_inline_types_bitwise_amo(sheaf_inline_family)
#undef sheaf_inline_family

#define sheaf_inline_family(NAME, TYPE)                                                            \
    sheaf_inline_routine(void, shmem_##NAME##_atomic_or,                                           \
        (TYPE *dest, TYPE value, int pe))                                                          \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_enter(inline_count, pe)) {                                               \
            pshmem_##NAME##_atomic_or(dest, value, pe);                                            \
            return;                                                                                \
        }                                                                                          \
        __atomic_fetch_or(((TYPE *)sheaf_inline_to(inline_count, dest, pe)), value, __ATOMIC_SEQ_CST);\
        sheaf_inline_leave();                                                                      \
    }                                                                                              \
    sheaf_inline_routine(void, shmem_ctx_##NAME##_atomic_or,                                       \
        (shmem_ctx_t ctx, TYPE *dest, TYPE value, int pe))                                         \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_is_default(ctx) ||                                                       \
            !sheaf_inline_enter(inline_count, pe)) {                                               \
            pshmem_ctx_##NAME##_atomic_or(ctx, dest, value, pe);                                   \
            return;                                                                                \
        }                                                                                          \
        __atomic_fetch_or(((TYPE *)sheaf_inline_to(inline_count, dest, pe)), value, __ATOMIC_SEQ_CST);\
        sheaf_inline_leave();                                                                      \
    }
sheaf_inline_types_bitwise_amo(sheaf_inline_family)
#undef sheaf_inline_family

#define sheaf_inline_family(NAME, TYPE)                                                            \
    sheaf_inline_routine(TYPE, shmem_##NAME##_atomic_fetch_xor,                                    \
        (TYPE *dest, TYPE value, int pe))                                                          \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_enter(inline_count, pe)) {                                               \
            return pshmem_##NAME##_atomic_fetch_xor(dest, value, pe);                              \
        }                                                                                          \
        TYPE before = (__atomic_fetch_xor(((TYPE *)sheaf_inline_to(inline_count, dest, pe)), value, __ATOMIC_SEQ_CST));\
        sheaf_inline_fence_atomic();                                                               \
        TYPE inline_result = before;                                                               \
        sheaf_inline_leave();                                                                      \
        return inline_result;                                                                      \
    }                                                                                              \
    sheaf_inline_routine(TYPE, shmem_ctx_##NAME##_atomic_fetch_xor,                                \
        (shmem_ctx_t ctx, TYPE *dest, TYPE value, int pe))                                         \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_is_default(ctx) ||                                                       \
            !sheaf_inline_enter(inline_count, pe)) {                                               \
            return pshmem_ctx_##NAME##_atomic_fetch_xor(ctx, dest, value, pe);                     \
        }                                                                                          \
        TYPE before = (__atomic_fetch_xor(((TYPE *)sheaf_inline_to(inline_count, dest, pe)), value, __ATOMIC_SEQ_CST));\
        sheaf_inline_fence_atomic();                                                               \
        TYPE inline_result = before;                                                               \
        sheaf_inline_leave();                                                                      \
        return inline_result;                                                                      \
    }
sheaf_inline_types_bitwise_amo(sheaf_inline_family)
#undef sheaf_inline_family

#define sheaf_inline_family(NAME, TYPE)                                                            \
    sheaf_inline_routine(void, shmem_##NAME##_atomic_xor,                                          \
        (TYPE *dest, TYPE value, int pe))                                                          \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_enter(inline_count, pe)) {                                               \
            pshmem_##NAME##_atomic_xor(dest, value, pe);                                           \
            return;                                                                                \
        }                                                                                          \
        __atomic_fetch_xor(((TYPE *)sheaf_inline_to(inline_count, dest, pe)), value, __ATOMIC_SEQ_CST);\
        sheaf_inline_leave();                                                                      \
    }                                                                                              \
    sheaf_inline_routine(void, shmem_ctx_##NAME##_atomic_xor,                                      \
        (shmem_ctx_t ctx, TYPE *dest, TYPE value, int pe))                                         \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_is_default(ctx) ||                                                       \
            !sheaf_inline_enter(inline_count, pe)) {                                               \
            pshmem_ctx_##NAME##_atomic_xor(ctx, dest, value, pe);                                  \
            return;                                                                                \
        }                                                                                          \
        __atomic_fetch_xor(((TYPE *)sheaf_inline_to(inline_count, dest, pe)), value, __ATOMIC_SEQ_CST);\
        sheaf_inline_leave();                                                                      \
    }
sheaf_inline_types_bitwise_amo(sheaf_inline_family)
#undef sheaf_inline_family

#define sheaf_inline_family(NAME, TYPE)                                                            \
    sheaf_inline_routine(void, shmem_##NAME##_atomic_fetch_nbi,                                    \
        (TYPE *fetch, const TYPE *source, int pe))                                                 \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_enter(inline_count, pe)) {                                               \
            pshmem_##NAME##_atomic_fetch_nbi(fetch, source, pe);                                   \
            return;                                                                                \
        }                                                                                          \
        __atomic_load(((TYPE *)sheaf_inline_to(inline_count, source, pe)), fetch, __ATOMIC_ACQUIRE);\
        sheaf_inline_leave();                                                                      \
    }                                                                                              \
    sheaf_inline_routine(void, shmem_ctx_##NAME##_atomic_fetch_nbi,                                \
        (shmem_ctx_t ctx, TYPE *fetch, const TYPE *source, int pe))                                \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_is_default(ctx) ||                                                       \
            !sheaf_inline_enter(inline_count, pe)) {                                               \
            pshmem_ctx_##NAME##_atomic_fetch_nbi(ctx, fetch, source, pe);                          \
            return;                                                                                \
        }                                                                                          \
        __atomic_load(((TYPE *)sheaf_inline_to(inline_count, source, pe)), fetch, __ATOMIC_ACQUIRE);\
        sheaf_inline_leave();                                                                      \
    }
sheaf_inline_types_extended_amo(sheaf_inline_family)
#undef sheaf_inline_family

#define sheaf_inline_family(NAME, TYPE)                                                            \
    sheaf_inline_routine(void, shmem_##NAME##_atomic_compare_swap_nbi,                             \
        (TYPE *fetch, TYPE *dest, TYPE cond, TYPE value, int pe))                                  \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_enter(inline_count, pe)) {                                               \
            pshmem_##NAME##_atomic_compare_swap_nbi(fetch, dest, cond, value, pe);                 \
            return;                                                                                \
        }                                                                                          \
        (void)__atomic_compare_exchange_n((((TYPE *)sheaf_inline_to(inline_count, dest, pe))), (&cond), (value), 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);\
        *fetch = cond;                                                                             \
        sheaf_inline_leave();                                                                      \
    }                                                                                              \
    sheaf_inline_routine(void, shmem_ctx_##NAME##_atomic_compare_swap_nbi,                         \
        (shmem_ctx_t ctx, TYPE *fetch, TYPE *dest, TYPE cond, TYPE value, int pe))                 \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_is_default(ctx) ||                                                       \
            !sheaf_inline_enter(inline_count, pe)) {                                               \
            pshmem_ctx_##NAME##_atomic_compare_swap_nbi(ctx, fetch, dest, cond, value, pe);        \
            return;                                                                                \
        }                                                                                          \
        (void)__atomic_compare_exchange_n((((TYPE *)sheaf_inline_to(inline_count, dest, pe))), (&cond), (value), 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);\
        *fetch = cond;                                                                             \
        sheaf_inline_leave();                                                                      \
    }
sheaf_inline_types_amo(sheaf_inline_family)
#undef sheaf_inline_family

#define sheaf_inline_family(NAME, TYPE)                                                            \
    sheaf_inline_routine(void, shmem_##NAME##_atomic_swap_nbi,                                     \
        (TYPE *fetch, TYPE *dest, TYPE value, int pe))                                             \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_enter(inline_count, pe)) {                                               \
            pshmem_##NAME##_atomic_swap_nbi(fetch, dest, value, pe);                               \
            return;                                                                                \
        }                                                                                          \
        __atomic_exchange(((TYPE *)sheaf_inline_to(inline_count, dest, pe)), &value, fetch, __ATOMIC_SEQ_CST);\
        sheaf_inline_leave();                                                                      \
    }                                                                                              \
    sheaf_inline_routine(void, shmem_ctx_##NAME##_atomic_swap_nbi,                                 \
        (shmem_ctx_t ctx, TYPE *fetch, TYPE *dest, TYPE value, int pe))                            \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_is_default(ctx) ||                                                       \
            !sheaf_inline_enter(inline_count, pe)) {                                               \
            pshmem_ctx_##NAME##_atomic_swap_nbi(ctx, fetch, dest, value, pe);                      \
            return;                                                                                \
        }                                                                                          \
        __atomic_exchange(((TYPE *)sheaf_inline_to(inline_count, dest, pe)), &value, fetch, __ATOMIC_SEQ_CST);\
        sheaf_inline_leave();                                                                      \
    }
sheaf_inline_types_extended_amo(sheaf_inline_family)
#undef sheaf_inline_family

#define sheaf_inline_family(NAME, TYPE)                                                            \
    sheaf_inline_routine(void, shmem_##NAME##_atomic_fetch_inc_nbi,                                \
        (TYPE *fetch, TYPE *dest, int pe))                                                         \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_enter(inline_count, pe)) {                                               \
            pshmem_##NAME##_atomic_fetch_inc_nbi(fetch, dest, pe);                                 \
            return;                                                                                \
        }                                                                                          \
        *fetch = __atomic_fetch_add(((TYPE *)sheaf_inline_to(inline_count, dest, pe)), 1, __ATOMIC_SEQ_CST);\
        sheaf_inline_leave();                                                                      \
    }                                                                                              \
    sheaf_inline_routine(void, shmem_ctx_##NAME##_atomic_fetch_inc_nbi,                            \
        (shmem_ctx_t ctx, TYPE *fetch, TYPE *dest, int pe))                                        \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_is_default(ctx) ||                                                       \
            !sheaf_inline_enter(inline_count, pe)) {                                               \
            pshmem_ctx_##NAME##_atomic_fetch_inc_nbi(ctx, fetch, dest, pe);                        \
            return;                                                                                \
        }                                                                                          \
        *fetch = __atomic_fetch_add(((TYPE *)sheaf_inline_to(inline_count, dest, pe)), 1, __ATOMIC_SEQ_CST);\
        sheaf_inline_leave();                                                                      \
    }
sheaf_inline_types_amo(sheaf_inline_family)
#undef sheaf_inline_family

#define sheaf_inline_family(NAME, TYPE)                                                            \
    sheaf_inline_routine(void, shmem_##NAME##_atomic_fetch_add_nbi,                                \
        (TYPE *fetch, TYPE *dest, TYPE value, int pe))                                             \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_enter(inline_count, pe)) {                                               \
            pshmem_##NAME##_atomic_fetch_add_nbi(fetch, dest, value, pe);                          \
            return;                                                                                \
        }                                                                                          \
        *fetch = __atomic_fetch_add(((TYPE *)sheaf_inline_to(inline_count, dest, pe)), value, __ATOMIC_SEQ_CST);\
        sheaf_inline_leave();                                                                      \
    }                                                                                              \
    sheaf_inline_routine(void, shmem_ctx_##NAME##_atomic_fetch_add_nbi,                            \
        (shmem_ctx_t ctx, TYPE *fetch, TYPE *dest, TYPE value, int pe))                            \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_is_default(ctx) ||                                                       \
            !sheaf_inline_enter(inline_count, pe)) {                                               \
            pshmem_ctx_##NAME##_atomic_fetch_add_nbi(ctx, fetch, dest, value, pe);                 \
            return;                                                                                \
        }                                                                                          \
        *fetch = __atomic_fetch_add(((TYPE *)sheaf_inline_to(inline_count, dest, pe)), value, __ATOMIC_SEQ_CST);\
        sheaf_inline_leave();                                                                      \
    }
sheaf_inline_types_amo(sheaf_inline_family)
#undef sheaf_inline_family

#define sheaf_inline_family(NAME, TYPE)                                                            \
    sheaf_inline_routine(void, shmem_##NAME##_atomic_fetch_and_nbi,                                \
        (TYPE *fetch, TYPE *dest, TYPE value, int pe))                                             \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_enter(inline_count, pe)) {                                               \
            pshmem_##NAME##_atomic_fetch_and_nbi(fetch, dest, value, pe);                          \
            return;                                                                                \
        }                                                                                          \
        *fetch = __atomic_fetch_and(((TYPE *)sheaf_inline_to(inline_count, dest, pe)), value, __ATOMIC_SEQ_CST);\
        sheaf_inline_leave();                                                                      \
    }                                                                                              \
    sheaf_inline_routine(void, shmem_ctx_##NAME##_atomic_fetch_and_nbi,                            \
        (shmem_ctx_t ctx, TYPE *fetch, TYPE *dest, TYPE value, int pe))                            \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_is_default(ctx) ||                                                       \
            !sheaf_inline_enter(inline_count, pe)) {                                               \
            pshmem_ctx_##NAME##_atomic_fetch_and_nbi(ctx, fetch, dest, value, pe);                 \
            return;                                                                                \
        }                                                                                          \
        *fetch = __atomic_fetch_and(((TYPE *)sheaf_inline_to(inline_count, dest, pe)), value, __ATOMIC_SEQ_CST);\
        sheaf_inline_leave();                                                                      \
    }
sheaf_inline_types_bitwise_amo(sheaf_inline_family)
#undef sheaf_inline_family

#define sheaf_inline_family(NAME, TYPE)                                                            \
    sheaf_inline_routine(void, shmem_##NAME##_atomic_fetch_or_nbi,                                 \
        (TYPE *fetch, TYPE *dest, TYPE value, int pe))                                             \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_enter(inline_count, pe)) {                                               \
            pshmem_##NAME##_atomic_fetch_or_nbi(fetch, dest, value, pe);                           \
            return;                                                                                \
        }                                                                                          \
        *fetch = __atomic_fetch_or(((TYPE *)sheaf_inline_to(inline_count, dest, pe)), value, __ATOMIC_SEQ_CST);\
        sheaf_inline_leave();                                                                      \
    }                                                                                              \
    sheaf_inline_routine(void, shmem_ctx_##NAME##_atomic_fetch_or_nbi,                             \
        (shmem_ctx_t ctx, TYPE *fetch, TYPE *dest, TYPE value, int pe))                            \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_is_default(ctx) ||                                                       \
            !sheaf_inline_enter(inline_count, pe)) {                                               \
            pshmem_ctx_##NAME##_atomic_fetch_or_nbi(ctx, fetch, dest, value, pe);                  \
            return;                                                                                \
        }                                                                                          \
        *fetch = __atomic_fetch_or(((TYPE *)sheaf_inline_to(inline_count, dest, pe)), value, __ATOMIC_SEQ_CST);\
        sheaf_inline_leave();                                                                      \
    }
sheaf_inline_types_bitwise_amo(sheaf_inline_family)
#undef sheaf_inline_family

#define sheaf_inline_family(NAME, TYPE)                                                            \
    sheaf_inline_routine(void, shmem_##NAME##_atomic_fetch_xor_nbi,                                \
        (TYPE *fetch, TYPE *dest, TYPE value, int pe))                                             \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_enter(inline_count, pe)) {                                               \
            pshmem_##NAME##_atomic_fetch_xor_nbi(fetch, dest, value, pe);                          \
            return;                                                                                \
        }                                                                                          \
        *fetch = __atomic_fetch_xor(((TYPE *)sheaf_inline_to(inline_count, dest, pe)), value, __ATOMIC_SEQ_CST);\
        sheaf_inline_leave();                                                                      \
    }                                                                                              \
    sheaf_inline_routine(void, shmem_ctx_##NAME##_atomic_fetch_xor_nbi,                            \
        (shmem_ctx_t ctx, TYPE *fetch, TYPE *dest, TYPE value, int pe))                            \
    {                                                                                              \
        unsigned inline_count = sheaf_inline_count(0);                                             \
        if (!sheaf_inline_is_default(ctx) ||                                                       \
            !sheaf_inline_enter(inline_count, pe)) {                                               \
            pshmem_ctx_##NAME##_atomic_fetch_xor_nbi(ctx, fetch, dest, value, pe);                 \
            return;                                                                                \
        }                                                                                          \
        *fetch = __atomic_fetch_xor(((TYPE *)sheaf_inline_to(inline_count, dest, pe)), value, __ATOMIC_SEQ_CST);\
        sheaf_inline_leave();                                                                      \
    }
sheaf_inline_types_bitwise_amo(sheaf_inline_family)
#undef sheaf_inline_family

#undef sheaf_inline_sizes_and_mem
#undef sheaf_inline_types_amo
#undef sheaf_inline_types_bitwise_amo
#undef sheaf_inline_types_extended_amo
#undef sheaf_inline_types_rma
#undef sheaf_inline_is_default
#undef sheaf_inline_is_small
#undef sheaf_inline_routine
#undef sheaf_inline_helper

#ifdef __cplusplus
#pragma GCC diagnostic pop
}
#endif

#endif
