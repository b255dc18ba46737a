/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Remote memory access: put, get, p and g. On a node each is a route and a copy.
 */
#include "api/define.h"

#include "api/access/access.h"

SHEAF_CHAPTER("Remote memory access")

/* Copies nelems elements from source, local, to dest, symmetric, on PE pe. source may be reused
 * on return; the target has the data after shmem_quiet.
 * Specification 1.6: shmem_put */
#define PUT(NAME, TYPE)                                                                            \
    SHEAF_CTX_ROUTINE(void, NAME##_put,                                                            \
                      (TYPE *dest, const TYPE *source, size_t nelems, int pe),                     \
                      { SHEAF_PUT(dest, source, nelems, sizeof(TYPE)) })
SHEAF_FAMILY(PUT, RMA)

/* The same; nelems counts elements of 8, 16, ... bits, with mem bytes.
 * Specification 1.6: shmem_put */
#define PUT_SIZE(SIZE, BYTES)                                                                      \
    SHEAF_CTX_ROUTINE(void, put##SIZE,                                                             \
                      (void *dest, const void *source, size_t nelems, int pe),                     \
                      { SHEAF_PUT(dest, source, nelems, BYTES) })
SHEAF_SIZES_AND_MEM(PUT_SIZE)

/* Stores value in dest, symmetric, on PE pe. The target has it after shmem_quiet.
 * Specification 1.6: shmem_p */
#define P(NAME, TYPE)                                                                              \
    SHEAF_CTX_ROUTINE(void, NAME##_p, (TYPE *dest, TYPE value, int pe), {                          \
        SHEAF_FAR(const TYPE held = value;                                                         \
                  SHEAF_CALL(call);                                                                \
                  SHEAF_CHECKED_OF(put, TYPE)(dest, &held, sizeof held, pe, ctx, call);            \
                  return;)                                                                         \
        *(volatile TYPE *)SHEAF_REMOTE(TYPE, dest) = value;                                        \
    })
SHEAF_FAMILY(P, RMA)

/* Copies nelems elements from source, symmetric, on PE pe to dest, local. dest is complete on
 * return. Specification 1.6: shmem_get */
#define GET(NAME, TYPE)                                                                            \
    SHEAF_CTX_ROUTINE(void, NAME##_get,                                                            \
                      (TYPE *dest, const TYPE *source, size_t nelems, int pe),                     \
                      { SHEAF_GET(dest, source, nelems, sizeof(TYPE)) })
SHEAF_FAMILY(GET, RMA)

/* The same; nelems counts elements of 8, 16, ... bits, with mem bytes.
 * Specification 1.6: shmem_get */
#define GET_SIZE(SIZE, BYTES)                                                                      \
    SHEAF_CTX_ROUTINE(void, get##SIZE,                                                             \
                      (void *dest, const void *source, size_t nelems, int pe),                     \
                      { SHEAF_GET(dest, source, nelems, BYTES) })
SHEAF_SIZES_AND_MEM(GET_SIZE)

#define COUNTED_LOAD(TYPE, source)                                                                 \
    if (sheaf_route_is_near(pe)) {                                                                 \
        const TYPE *object = sheaf_route_near(source, pe);                                         \
        TYPE value = *(const volatile TYPE *)object;                                               \
        sheaf_fence_copy();                                                                        \
        SHEAF_RETURN_COUNTED(TYPE, object, value);                                                 \
    }

/* Returns the value of source, symmetric, on PE pe.
 * Specification 1.6: shmem_g */
#define G(NAME, TYPE)                                                                              \
    SHEAF_CTX_ROUTINE(TYPE, NAME##_g, (const TYPE *source, int pe), {                              \
        SHEAF_FAR_READ(COUNTED_LOAD(TYPE, source)                                                  \
                       TYPE got;                                                                   \
                       SHEAF_CALL(call);                                                           \
                       SHEAF_CHECKED_OF(get, TYPE)(&got, source, sizeof got, pe, ctx, call);       \
                       return got;)                                                                \
        TYPE value = *(const volatile TYPE *)SHEAF_REMOTE(const TYPE, source);                     \
        sheaf_fence_copy();                                                                        \
        return value;                                                                              \
    })
SHEAF_FAMILY(G, RMA)
