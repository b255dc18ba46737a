/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How a public routine is written: once, with signature and body, in the file of its chapter.
 * The compiler makes definitions of these lines; with SHEAF_PRINT the preprocessor turns the same
 * lines into the marks from which scripts/print-headers writes include/. The comment before a
 * line becomes the comment in the header, and a body that is a route and an access, or a copy,
 * becomes an inline form in shmemx_inline.h.
 *
 *   SHEAF_ROUTINE(int, shmem_n_pes, (void), { ... })   pshmem_n_pes, and its weak alias
 *   SHEAF_ROUTINE_1_6(...)                             shmem_..., and shmemx.h has the name with the x
 *   SHEAF_DEFAULT_ROUTINE(...)                         the same, on the default context: ctx in a body
 *   SHEAF_CTX_ROUTINE(void, long_p, (...), { ... })    shmem_long_p, and shmem_ctx_long_p with a
 *   SHEAF_CTX_ROUTINE_1_6(...)                         leading context; in a body ctx is the context
 *                                                      and pe a number in the world
 *   SHEAF_EXTENSION(...)                               shmemx_..., declared in shmemx.h alone
 *   SHEAF_CTX_EXTENSION(...)                           the same, and shmemx_ctx_...
 *   SHEAF_FAMILY(P, RMA)                               P(name, type) for every type of a set, and
 *                                                      the family's C11 and C++ forms
 * Bodies find the routine's public name in call.
 */
#ifndef SHEAF_API_DEFINE_H
#define SHEAF_API_DEFINE_H

#include "api/types.h"

#ifdef SHEAF_PRINT

#define SHEAF_CHAPTER(title) "@chapter" title "@end"
#define SHEAF_ROUTINE(RET, SYMBOL, PARAMS, ...)                                                    \
    "@routine" RET "@" SYMBOL "@" PARAMS "@" __VA_ARGS__ "@end"
#define SHEAF_DEFAULT_ROUTINE SHEAF_ROUTINE
#define SHEAF_ROUTINE_1_6(RET, SYMBOL, PARAMS, ...)                                                \
    "@routine_1_6" RET "@" SYMBOL "@" PARAMS "@" __VA_ARGS__ "@end"
#define SHEAF_CTX_ROUTINE(RET, NAME, PARAMS, ...)                                                  \
    "@ctx_routine" RET "@" NAME "@" PARAMS "@" __VA_ARGS__ "@end"
#define SHEAF_CTX_ROUTINE_1_6(RET, NAME, PARAMS, ...)                                              \
    "@ctx_routine_1_6" RET "@" NAME "@" PARAMS "@" __VA_ARGS__ "@end"
#define SHEAF_EXTENSION(RET, NAME, PARAMS, ...)                                                    \
    "@extension" RET "@" NAME "@" PARAMS "@" __VA_ARGS__ "@end"
#define SHEAF_CTX_EXTENSION(RET, NAME, PARAMS, ...)                                                \
    "@ctx_extension" RET "@" NAME "@" PARAMS "@" __VA_ARGS__ "@end"
#define SHEAF_NORETURN_ROUTINE(RET, SYMBOL, PARAMS, ...)                                           \
    "@routine" sheaf_noreturn RET "@" SYMBOL "@" PARAMS "@" __VA_ARGS__ "@end"

/* Inline forms leave far PEs to the routine. */
#define SHEAF_FAR(...)
#define SHEAF_FAR_ATOMIC(...)
#define SHEAF_FAR_READ(...)
#define SHEAF_FAR_ATOMIC_READ(...)
#define SHEAF_FAR_SET(...)
#define SHEAF_FAR_SWAP(...)

/* The pattern between "family" and "types" is the family with TYPE for the type. */
#define SHEAF_FAMILY(FAMILY, SET)                                                                  \
    "@family" #SET "@end" FAMILY(sheaf_NAME, TYPE) "@types@end" SHEAF_TYPES_##SET(FAMILY)

#else

#include "api/constants.h"
#include "base/log.h"
#include "core/team/contexts.h"
#include "core/access/checked.h"
#include "core/pe/job.h"
#include "core/access/order.h"
#include "core/access/route.h"
#include "core/pe/record.h"
#include "core/pe/wait.h"

#include <string.h>

#define SHEAF_PUBLIC __attribute__((visibility("default")))

/* Profilers replace the name without p; the library itself calls neither. */
#define SHEAF_ALIAS(RET, SYMBOL, PARAMS, TARGET)                                                   \
    SHEAF_PUBLIC RET SYMBOL PARAMS __attribute__((weak, alias(#TARGET)));

#define SHEAF_CHAPTER(title)

#define SHEAF_ROUTINE(RET, SYMBOL, PARAMS, ...)                                                    \
    SHEAF_PUBLIC RET p##SYMBOL PARAMS                                                              \
    {                                                                                              \
        static const char call[] SHEAF_CALL_NAME = #SYMBOL;                                        \
        __VA_ARGS__                                                                                \
    }                                                                                              \
    SHEAF_ALIAS(RET, SYMBOL, PARAMS, p##SYMBOL)

#define SHEAF_NORETURN_ROUTINE(RET, SYMBOL, PARAMS, ...)                                           \
    SHEAF_ROUTINE(_Noreturn RET, SYMBOL, PARAMS, __VA_ARGS__)

/* shmem_NAME was shmemx_NAME before the specification had it: a macro of shmemx.h. */
#define SHEAF_ROUTINE_1_6(RET, SYMBOL, PARAMS, ...)                                                \
    SHEAF_ROUTINE(RET, shmem_##SYMBOL, PARAMS, __VA_ARGS__)

#define SHEAF_STRIP(...) __VA_ARGS__

#define SHEAF_DEFAULT_ROUTINE(RET, SYMBOL, PARAMS, ...)                                            \
    SHEAF_ROUTINE(RET, SYMBOL, PARAMS, {                                                           \
        const shmem_ctx_t ctx __attribute__((unused)) = SHMEM_CTX_DEFAULT;                         \
        __VA_ARGS__                                                                                \
    })

#define SHEAF_CTX_ROUTINE(RET, NAME, PARAMS, ...)                                                  \
    SHEAF_DEFAULT_ROUTINE(RET, shmem_##NAME, PARAMS, __VA_ARGS__)                                  \
    SHEAF_ROUTINE(RET, shmem_ctx_##NAME, (shmem_ctx_t ctx, SHEAF_STRIP PARAMS), {                  \
        pe = sheaf_context_pe(ctx, pe, call);                                                      \
        __VA_ARGS__                                                                                \
    })

#define SHEAF_CTX_ROUTINE_1_6 SHEAF_CTX_ROUTINE

#define SHEAF_EXTENSION(RET, NAME, PARAMS, ...) SHEAF_ROUTINE(RET, shmemx_##NAME, PARAMS, __VA_ARGS__)

#define SHEAF_CTX_EXTENSION(RET, NAME, PARAMS, ...)                                                \
    SHEAF_DEFAULT_ROUTINE(RET, shmemx_##NAME, PARAMS, __VA_ARGS__)                                 \
    SHEAF_ROUTINE(RET, shmemx_ctx_##NAME, (shmem_ctx_t ctx, SHEAF_STRIP PARAMS), {                 \
        pe = sheaf_context_pe(ctx, pe, call);                                                      \
        __VA_ARGS__                                                                                \
    })

/* Before the access of a routine: what is done, in its place, when pe is not near. */
#define SHEAF_FAR(...)                                                                             \
    if (sheaf_unlikely(!sheaf_route_is_near(pe))) {                                                \
        __VA_ARGS__                                                                                \
    }

/* The same where pe is not near for atomic operations. */
#define SHEAF_FAR_ATOMIC(...)                                                                      \
    if (sheaf_unlikely(!sheaf_route_is_near_for_atomics(pe))) {                                    \
        __VA_ARGS__                                                                                \
    }

/* Both, for what programs poll with: where pe is near all the same, the read is to be counted. */
#define SHEAF_FAR_READ(...)                                                                        \
    if (sheaf_unlikely(!sheaf_route_is_near_for_reads(pe))) {                                      \
        __VA_ARGS__                                                                                \
    }
#define SHEAF_FAR_ATOMIC_READ(...)                                                                 \
    if (sheaf_unlikely(!sheaf_route_is_near_for_fetches(pe))) {                                    \
        __VA_ARGS__                                                                                \
    }

/* Of floating-point numbers the fast path serves set and swap once accumulates are told of them. */
#define SHEAF_IS_FLOATING(TYPE)                                                                    \
    (__builtin_types_compatible_p(TYPE, float) || __builtin_types_compatible_p(TYPE, double))
#define SHEAF_FAR_FLOATING(TYPE, IS_NEAR, dest, ...)                                               \
    if (sheaf_unlikely(SHEAF_IS_FLOATING(TYPE) ? !sheaf_route_is_near_for_floats(pe) : !IS_NEAR(pe))) { \
        if (SHEAF_IS_FLOATING(TYPE)) {                                                             \
            SHEAF_CALL(call);                                                                      \
            sheaf_transfer_before_float_atomic(dest, sizeof(TYPE), pe, call);                      \
        }                                                                                          \
        __VA_ARGS__                                                                                \
    }
#define SHEAF_FAR_SET(TYPE, dest, ...)                                                             \
    SHEAF_FAR_FLOATING(TYPE, sheaf_route_is_near_for_atomics, dest, __VA_ARGS__)
#define SHEAF_FAR_SWAP(TYPE, dest, ...)                                                            \
    SHEAF_FAR_FLOATING(TYPE, sheaf_route_is_near_for_fetches, dest, __VA_ARGS__)

#define SHEAF_FAMILY(FAMILY, SET) SHEAF_TYPES_##SET(FAMILY)

#endif
#endif
