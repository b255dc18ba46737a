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
#include "core/memory/check.h"
#include "core/pe/poll.h"
#include "core/access/route.h"
#include "core/access/transfer.h"
#include "core/pe/wait.h"

#include <string.h>

/* So many elements of so many bytes, a power of two, of which most[log2] and more are not memcpy's: they
 * are looked at out of line, in the routine's name. To compare elements takes no step more than to compare
 * bytes, which may have wrapped. */
#define SHEAF_COPY_ELEMENTS(dest, source, count, element_bytes, nbi)                               \
    do {                                                                                           \
        void *to_ = (dest);                                                                        \
        const void *from_ = (source);                                                              \
        const size_t *most_ = nbi ? sheaf_copy_nbi_most : sheaf_copy_most;                         \
        if (count > 8 / (element_bytes)) {                                                         \
            if (sheaf_likely(count < most_[__builtin_ctzl(element_bytes)])) {                      \
                memcpy(to_, from_, count * (element_bytes));                                       \
            } else {                                                                               \
                SHEAF_CALL(call);                                                                  \
                sheaf_copy_long(to_, from_, sheaf_bytes_of(count, element_bytes), nbi);            \
            }                                                                                      \
        } else if ((element_bytes) <= 8 && count == 8 / (element_bytes)) {                         \
            memcpy(to_, from_, 8);                                                                 \
        } else {                                                                                   \
            sheaf_copy(to_, from_, count * (element_bytes));                                       \
        }                                                                                          \
        sheaf_fence_copy();                                                                        \
    } while (0)

/* The four copies, in a routine's body: near or far. */
#define SHEAF_COPY(is_near, near_copy, way, dest, source, count, element_bytes)                    \
    if (is_near(pe)) {                                                                             \
        near_copy;                                                                                 \
    } else {                                                                                       \
        SHEAF_CALL(call);                                                                          \
        SHEAF_CHECKED_OF(way, __typeof__(*(dest)))                                                 \
        (dest, source, sheaf_bytes_of(count, element_bytes), pe, ctx, call);                       \
    }
#define SHEAF_TO(dest, source, count, element_bytes, nbi)                                          \
    SHEAF_COPY_ELEMENTS(sheaf_route_near(dest, pe), source, count, element_bytes, nbi)
#define SHEAF_FROM(dest, source, count, element_bytes, nbi)                                        \
    SHEAF_COPY_ELEMENTS(dest, sheaf_route_near(source, pe), count, element_bytes, nbi)
#define SHEAF_PUT(dest, source, count, element_bytes)                                              \
    SHEAF_COPY(sheaf_route_is_near, SHEAF_TO(dest, source, count, element_bytes, false), put, dest, \
               source, count, element_bytes)
#define SHEAF_PUT_NBI(dest, source, count, element_bytes)                                          \
    SHEAF_COPY(sheaf_route_is_near, SHEAF_TO(dest, source, count, element_bytes, true), put_nbi,   \
               dest, source, count, element_bytes)
#define SHEAF_GET(dest, source, count, element_bytes)                                              \
    SHEAF_COPY(sheaf_route_is_near_for_reads, SHEAF_FROM(dest, source, count, element_bytes, false), \
               get, dest, source, count, element_bytes)
#define SHEAF_GET_NBI(dest, source, count, element_bytes)                                          \
    SHEAF_COPY(sheaf_route_is_near_for_reads, SHEAF_FROM(dest, source, count, element_bytes, true), \
               get_nbi, dest, source, count, element_bytes)

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
