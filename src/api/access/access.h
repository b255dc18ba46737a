/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the bodies of put, get and atomic routines share. On a node a put is a route and a copy, so that
 * it is complete on return whatever form the caller chose, but for long nonblocking ones that are left
 * to the copier; what it reads was read then. Other PEs are core/access/checked.h's.
 */
#ifndef SHEAF_API_ACCESS_ACCESS_H
#define SHEAF_API_ACCESS_ACCESS_H

#include "core/access/amo_provider.h"
#include "core/access/copy/copy.h"
#include "core/access/checked.h"
#include "core/pe/poll.h"
#include "core/access/route.h"
#include "core/pe/wait.h"

#include <string.h>

static inline void sheaf_put_near(void *dest, const void *source, size_t bytes, int pe)
{
    sheaf_copy(sheaf_route_near(dest, pe), source, bytes);
    sheaf_fence_copy();
}

static inline void sheaf_get_near(void *dest, const void *source, size_t bytes, int pe)
{
    sheaf_copy(dest, sheaf_route_near(source, pe), bytes);
    sheaf_fence_copy();
}

static inline void sheaf_put_nbi_near(void *dest, const void *source, size_t bytes, int pe)
{
    sheaf_copy_nbi(sheaf_route_near(dest, pe), source, bytes);
    sheaf_fence_copy();
}

static inline void sheaf_get_nbi_near(void *dest, const void *source, size_t bytes, int pe)
{
    sheaf_copy_nbi(dest, sheaf_route_near(source, pe), bytes);
    sheaf_fence_copy();
}

/* The four copies, in a routine's body: near or far. */
#define SHEAF_COPY(is_near, way, dest, source, bytes)                                              \
    if (is_near(pe)) {                                                                             \
        sheaf_##way##_near(dest, source, bytes, pe);                                               \
    } else {                                                                                       \
        SHEAF_CALL(call);                                                                          \
        SHEAF_CHECKED_OF(way, __typeof__(*(dest)))(dest, source, bytes, pe, ctx, call);            \
    }
#define SHEAF_PUT(dest, source, bytes)                                                             \
    SHEAF_COPY(sheaf_route_is_near, put, dest, source, bytes)
#define SHEAF_PUT_NBI(dest, source, bytes)                                                         \
    SHEAF_COPY(sheaf_route_is_near, put_nbi, dest, source, bytes)
#define SHEAF_GET(dest, source, bytes)                                                             \
    SHEAF_COPY(sheaf_route_is_near_for_reads, get, dest, source, bytes)
#define SHEAF_GET_NBI(dest, source, bytes)                                                         \
    SHEAF_COPY(sheaf_route_is_near_for_reads, get_nbi, dest, source, bytes)

/* PE pe's copy of the symmetric object at pointer, in a routine's body behind SHEAF_FAR. */
#define SHEAF_REMOTE(TYPE, pointer) ((TYPE *)sheaf_route_near((pointer), pe))

/* A value's bytes as the low ones of 64 bits; of a longer one the first eight. */
#define SHEAF_FIRST_BYTES(TYPE) (sizeof(TYPE) < 8 ? sizeof(TYPE) : 8)
#define SHEAF_BITS(value)                                                                          \
    ({                                                                                             \
        __typeof__(value) held_ = (value);                                                         \
        uint64_t bits_ = 0;                                                                        \
        memcpy(&bits_, &held_, SHEAF_FIRST_BYTES(held_));                                          \
        bits_;                                                                                     \
    })

/* Returns from the routine with what it has read at object, counted: a jump for what fits a register. */
#define SHEAF_RETURN_COUNTED(TYPE, object, value)                                                  \
    do {                                                                                           \
        TYPE read_ = (value);                                                                      \
        uint64_t counted_ = sheaf_poll_seen(object, SHEAF_BITS(read_));                            \
        memcpy(&read_, &counted_, SHEAF_FIRST_BYTES(read_));                                       \
        return read_;                                                                              \
    } while (0)

/* Returns from the routine with what an atomic operation found, complete for whoever looks. */
#define SHEAF_RETURN_FETCHED(TYPE, value)                                                          \
    TYPE before = (value);                                                                         \
    sheaf_fence_atomic();                                                                          \
    return before

#define SHEAF_AMO_CALL(TYPE, OPERATION, object, operand, compare)                                  \
    &(struct sheaf_amo_call)                                                                       \
    {                                                                                              \
        SHEAF_AMO_##OPERATION, sizeof(TYPE), (void *)(uintptr_t)(object), SHEAF_BITS(operand),     \
            SHEAF_BITS(compare), false                                                             \
    }

/* For SHEAF_FAR_ATOMIC: the operation through core/access/amo_provider.h; ctx, pe and call are the
 * routine's. */
#define SHEAF_FAR_AMO(TYPE, OPERATION, object, operand)                                            \
    SHEAF_CALL(call);                                                                              \
    sheaf_amo_provider_perform(SHEAF_AMO_CALL(TYPE, OPERATION, object, operand, 0), pe, ctx, call); \
    return;

#define SHEAF_FAR_COMPARE(TYPE, OPERATION, object, operand, compare)                               \
    SHEAF_CALL(call);                                                                              \
    uint64_t bits = sheaf_amo_provider_fetch(                                                      \
        SHEAF_AMO_CALL(TYPE, OPERATION, object, operand, compare), pe, ctx, call);                 \
    TYPE before;                                                                                   \
    memcpy(&before, &bits, sizeof before);                                                         \
    return before;

#define SHEAF_FAR_FETCH(TYPE, OPERATION, object, operand)                                          \
    SHEAF_FAR_COMPARE(TYPE, OPERATION, object, operand, 0)

#define SHEAF_FAR_FETCH_NBI(TYPE, OPERATION, fetch, object, operand, compare)                      \
    SHEAF_CALL(call);                                                                              \
    sheaf_amo_provider_fetch_nbi(SHEAF_AMO_CALL(TYPE, OPERATION, object, operand, compare),        \
                                 fetch, pe, ctx, call);                                            \
    return;

#endif
