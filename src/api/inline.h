/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The hand-written part of shmemx_inline.h, which scripts/print-headers puts before the families
 * that it makes from the routines' own bodies. The library does not include this file.
 */

/* begin public */
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
/* end public */
