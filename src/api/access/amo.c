/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Atomic memory operations: the processor's own, on the routed address. Read-modify-write is
 * sequentially consistent; fetch is an acquire load, set a release store, which a quiet or a
 * fetching operation after it orders further. What fetches is complete on return (sheaf_fence_atomic()).
 */
#include "api/define.h"

#include "api/access/access.h"

/* *expected becomes what the object held before, equal or not. */
#define COMPARE_EXCHANGE(object, expected, desired)                                                \
    (void)__atomic_compare_exchange_n((object), (expected), (desired), false, __ATOMIC_SEQ_CST,    \
                                      __ATOMIC_SEQ_CST);                                           \
    sheaf_fence_atomic()

/* For SHEAF_FAR_ATOMIC_READ. */
#define COUNTED_FETCH(TYPE, source)                                                                \
    if (sheaf_route_is_near_for_atomics(pe)) {                                                     \
        TYPE before, *object = SHEAF_REMOTE(TYPE, source);                                         \
        __atomic_load(object, &before, __ATOMIC_ACQUIRE);                                          \
        SHEAF_RETURN_COUNTED(TYPE, object, before);                                                \
    }
#define COUNTED(NAME, ...)                                                                         \
    if (sheaf_route_is_near_for_atomics(pe))                                                       \
        return counted_##NAME(__VA_ARGS__, pe);

/* A compare-and-swap that fails and a swap of equals changed nothing: spin locks are made of these. By
 * themselves, they leave the registers of the fast path alone. */
#ifndef SHEAF_PRINT
#define COUNTED_COMPARE_SWAP(NAME, TYPE)                                                           \
    static __attribute__((noinline)) TYPE counted_cswap_##NAME(TYPE *dest, TYPE cond, TYPE value,  \
                                                               int pe)                             \
    {                                                                                              \
        TYPE before = cond, *object = SHEAF_REMOTE(TYPE, dest);                                    \
        COMPARE_EXCHANGE(object, &before, value);                                                  \
        if (before == cond)                                                                        \
            return cond;                                                                           \
        SHEAF_RETURN_COUNTED(TYPE, object, before);                                                \
    }
SHEAF_TYPES_AMO(COUNTED_COMPARE_SWAP)

#define COUNTED_SWAP(NAME, TYPE)                                                                   \
    static __attribute__((noinline)) TYPE counted_swap_##NAME(TYPE *dest, TYPE value, int pe)      \
    {                                                                                              \
        TYPE before, *object = SHEAF_REMOTE(TYPE, dest);                                           \
        __atomic_exchange(object, &value, &before, __ATOMIC_SEQ_CST);                              \
        sheaf_fence_atomic();                                                                      \
        if (SHEAF_BITS(before) != SHEAF_BITS(value))                                               \
            return before;                                                                         \
        SHEAF_RETURN_COUNTED(TYPE, object, before);                                                \
    }
SHEAF_TYPES_EXTENDED_AMO(COUNTED_SWAP)
#endif

SHEAF_CHAPTER("Atomic memory operations")

/* A routine and its old name have one body. */
#define FETCH_BODY(NAME, TYPE)                                                                     \
    SHEAF_FAR_ATOMIC_READ(COUNTED_FETCH(TYPE, source)                                              \
                          SHEAF_FAR_FETCH(TYPE, FETCH, source, 0))                                 \
    TYPE result;                                                                                   \
    __atomic_load(SHEAF_REMOTE(TYPE, source), &result, __ATOMIC_ACQUIRE);                          \
    return result;

/* Returns the value of source, symmetric, on PE pe, read atomically.
 * Specification 1.6: shmem_atomic_fetch */
#define ATOMIC_FETCH(NAME, TYPE)                                                                   \
    SHEAF_CTX_ROUTINE(TYPE, NAME##_atomic_fetch, (const TYPE *source, int pe), {                   \
        FETCH_BODY(NAME, TYPE)                                                                     \
    })
SHEAF_FAMILY(ATOMIC_FETCH, EXTENDED_AMO)

/* shmem_atomic_fetch by its old name, deprecated since 1.4.
 * Specification 1.6: shmem_atomic_fetch */
#define FETCH(NAME, TYPE)                                                                          \
    SHEAF_DEFAULT_ROUTINE(TYPE, shmem_##NAME##_fetch, (const TYPE *source, int pe), {              \
        FETCH_BODY(NAME, TYPE)                                                                     \
    })
SHEAF_FAMILY(FETCH, EXTENDED_AMO)

#define SET_BODY(NAME, TYPE)                                                                       \
    SHEAF_FAR_SET(TYPE, dest, SHEAF_FAR_AMO(TYPE, SET, dest, value))                               \
    __atomic_store(SHEAF_REMOTE(TYPE, dest), &value, __ATOMIC_RELEASE);

/* Stores value in dest, symmetric, on PE pe, atomically.
 * Specification 1.6: shmem_atomic_set */
#define ATOMIC_SET(NAME, TYPE)                                                                     \
    SHEAF_CTX_ROUTINE(void, NAME##_atomic_set, (TYPE *dest, TYPE value, int pe), {                 \
        SET_BODY(NAME, TYPE)                                                                       \
    })
SHEAF_FAMILY(ATOMIC_SET, EXTENDED_AMO)

/* shmem_atomic_set by its old name, deprecated since 1.4.
 * Specification 1.6: shmem_atomic_set */
#define SET(NAME, TYPE)                                                                            \
    SHEAF_DEFAULT_ROUTINE(void, shmem_##NAME##_set, (TYPE *dest, TYPE value, int pe), {            \
        SET_BODY(NAME, TYPE)                                                                       \
    })
SHEAF_FAMILY(SET, EXTENDED_AMO)

#define CSWAP_BODY(NAME, TYPE)                                                                     \
    SHEAF_FAR_ATOMIC_READ(COUNTED(cswap_##NAME, dest, cond, value)                                 \
                          SHEAF_FAR_COMPARE(TYPE, COMPARE_SWAP, dest, value, cond))                \
    COMPARE_EXCHANGE(SHEAF_REMOTE(TYPE, dest), &cond, value);                                      \
    return cond;

/* Stores value in dest, symmetric, on PE pe, if it equals cond. Returns what dest held before.
 * Specification 1.6: shmem_atomic_compare_swap */
#define ATOMIC_COMPARE_SWAP(NAME, TYPE)                                                            \
    SHEAF_CTX_ROUTINE(TYPE, NAME##_atomic_compare_swap,                                            \
                      (TYPE *dest, TYPE cond, TYPE value, int pe), {                               \
        CSWAP_BODY(NAME, TYPE)                                                                     \
    })
SHEAF_FAMILY(ATOMIC_COMPARE_SWAP, AMO)

/* shmem_atomic_compare_swap by its old name, deprecated since 1.4.
 * Specification 1.6: shmem_atomic_compare_swap */
#define CSWAP(NAME, TYPE)                                                                          \
    SHEAF_DEFAULT_ROUTINE(TYPE, shmem_##NAME##_cswap, (TYPE *dest, TYPE cond, TYPE value, int pe),{\
        CSWAP_BODY(NAME, TYPE)                                                                     \
    })
SHEAF_FAMILY(CSWAP, AMO)

#define SWAP_BODY(NAME, TYPE)                                                                      \
    SHEAF_FAR_SWAP(TYPE, dest, COUNTED(swap_##NAME, dest, value)                                   \
                               SHEAF_FAR_FETCH(TYPE, SWAP, dest, value))                           \
    TYPE result;                                                                                   \
    __atomic_exchange(SHEAF_REMOTE(TYPE, dest), &value, &result, __ATOMIC_SEQ_CST);                \
    sheaf_fence_atomic();                                                                          \
    return result;

/* Stores value in dest, symmetric, on PE pe. Returns what dest held before.
 * Specification 1.6: shmem_atomic_swap */
#define ATOMIC_SWAP(NAME, TYPE)                                                                    \
    SHEAF_CTX_ROUTINE(TYPE, NAME##_atomic_swap, (TYPE *dest, TYPE value, int pe), {                \
        SWAP_BODY(NAME, TYPE)                                                                      \
    })
SHEAF_FAMILY(ATOMIC_SWAP, EXTENDED_AMO)

/* shmem_atomic_swap by its old name, deprecated since 1.4.
 * Specification 1.6: shmem_atomic_swap */
#define SWAP(NAME, TYPE)                                                                           \
    SHEAF_DEFAULT_ROUTINE(TYPE, shmem_##NAME##_swap, (TYPE *dest, TYPE value, int pe), {           \
        SWAP_BODY(NAME, TYPE)                                                                      \
    })
SHEAF_FAMILY(SWAP, EXTENDED_AMO)

#define FINC_BODY(NAME, TYPE)                                                                      \
    SHEAF_FAR_ATOMIC(SHEAF_FAR_FETCH(TYPE, ADD, dest, 1))                                          \
    SHEAF_RETURN_FETCHED(TYPE, __atomic_fetch_add(SHEAF_REMOTE(TYPE, dest), 1, __ATOMIC_SEQ_CST));

/* Adds 1 to dest, symmetric, on PE pe. Returns what dest held before.
 * Specification 1.6: shmem_atomic_fetch_inc */
#define ATOMIC_FETCH_INC(NAME, TYPE)                                                               \
    SHEAF_CTX_ROUTINE(TYPE, NAME##_atomic_fetch_inc, (TYPE *dest, int pe), {                       \
        FINC_BODY(NAME, TYPE)                                                                      \
    })
SHEAF_FAMILY(ATOMIC_FETCH_INC, AMO)

/* shmem_atomic_fetch_inc by its old name, deprecated since 1.4.
 * Specification 1.6: shmem_atomic_fetch_inc */
#define FINC(NAME, TYPE)                                                                           \
    SHEAF_DEFAULT_ROUTINE(TYPE, shmem_##NAME##_finc, (TYPE *dest, int pe), {                       \
        FINC_BODY(NAME, TYPE)                                                                      \
    })
SHEAF_FAMILY(FINC, AMO)

#define INC_BODY(NAME, TYPE)                                                                       \
    SHEAF_FAR_ATOMIC(SHEAF_FAR_AMO(TYPE, ADD, dest, 1))                                            \
    __atomic_fetch_add(SHEAF_REMOTE(TYPE, dest), 1, __ATOMIC_SEQ_CST);

/* Adds 1 to dest, symmetric, on PE pe.
 * Specification 1.6: shmem_atomic_inc */
#define ATOMIC_INC(NAME, TYPE)                                                                     \
    SHEAF_CTX_ROUTINE(void, NAME##_atomic_inc, (TYPE *dest, int pe), {                             \
        INC_BODY(NAME, TYPE)                                                                       \
    })
SHEAF_FAMILY(ATOMIC_INC, AMO)

/* shmem_atomic_inc by its old name, deprecated since 1.4.
 * Specification 1.6: shmem_atomic_inc */
#define INC(NAME, TYPE)                                                                            \
    SHEAF_DEFAULT_ROUTINE(void, shmem_##NAME##_inc, (TYPE *dest, int pe), {                        \
        INC_BODY(NAME, TYPE)                                                                       \
    })
SHEAF_FAMILY(INC, AMO)

#define FADD_BODY(NAME, TYPE)                                                                      \
    SHEAF_FAR_ATOMIC(SHEAF_FAR_FETCH(TYPE, ADD, dest, value))                                      \
    SHEAF_RETURN_FETCHED(TYPE, __atomic_fetch_add(SHEAF_REMOTE(TYPE, dest), value, __ATOMIC_SEQ_CST));

/* Adds value to dest, symmetric, on PE pe. Returns what dest held before.
 * Specification 1.6: shmem_atomic_fetch_add */
#define ATOMIC_FETCH_ADD(NAME, TYPE)                                                               \
    SHEAF_CTX_ROUTINE(TYPE, NAME##_atomic_fetch_add, (TYPE *dest, TYPE value, int pe), {           \
        FADD_BODY(NAME, TYPE)                                                                      \
    })
SHEAF_FAMILY(ATOMIC_FETCH_ADD, AMO)

/* shmem_atomic_fetch_add by its old name, deprecated since 1.4.
 * Specification 1.6: shmem_atomic_fetch_add */
#define FADD(NAME, TYPE)                                                                           \
    SHEAF_DEFAULT_ROUTINE(TYPE, shmem_##NAME##_fadd, (TYPE *dest, TYPE value, int pe), {           \
        FADD_BODY(NAME, TYPE)                                                                      \
    })
SHEAF_FAMILY(FADD, AMO)

#define ADD_BODY(NAME, TYPE)                                                                       \
    SHEAF_FAR_ATOMIC(SHEAF_FAR_AMO(TYPE, ADD, dest, value))                                        \
    __atomic_fetch_add(SHEAF_REMOTE(TYPE, dest), value, __ATOMIC_SEQ_CST);

/* Adds value to dest, symmetric, on PE pe.
 * Specification 1.6: shmem_atomic_add */
#define ATOMIC_ADD(NAME, TYPE)                                                                     \
    SHEAF_CTX_ROUTINE(void, NAME##_atomic_add, (TYPE *dest, TYPE value, int pe), {                 \
        ADD_BODY(NAME, TYPE)                                                                       \
    })
SHEAF_FAMILY(ATOMIC_ADD, AMO)

/* shmem_atomic_add by its old name, deprecated since 1.4.
 * Specification 1.6: shmem_atomic_add */
#define ADD(NAME, TYPE)                                                                            \
    SHEAF_DEFAULT_ROUTINE(void, shmem_##NAME##_add, (TYPE *dest, TYPE value, int pe), {            \
        ADD_BODY(NAME, TYPE)                                                                       \
    })
SHEAF_FAMILY(ADD, AMO)

/* Combines dest, symmetric, on PE pe with value by bitwise and. Returns what
 * dest held before.
 * Specification 1.6: shmem_atomic_fetch_and */
#define ATOMIC_FETCH_AND(NAME, TYPE)                                                               \
    SHEAF_CTX_ROUTINE(TYPE, NAME##_atomic_fetch_and, (TYPE *dest, TYPE value, int pe), {           \
        SHEAF_FAR_ATOMIC(SHEAF_FAR_FETCH(TYPE, AND, dest, value))                                  \
        SHEAF_RETURN_FETCHED(TYPE, __atomic_fetch_and(SHEAF_REMOTE(TYPE, dest), value, __ATOMIC_SEQ_CST));\
    })
SHEAF_FAMILY(ATOMIC_FETCH_AND, BITWISE_AMO)

/* Combines dest, symmetric, on PE pe with value by bitwise and.
 * Specification 1.6: shmem_atomic_and */
#define ATOMIC_AND(NAME, TYPE)                                                                     \
    SHEAF_CTX_ROUTINE(void, NAME##_atomic_and, (TYPE *dest, TYPE value, int pe), {                 \
        SHEAF_FAR_ATOMIC(SHEAF_FAR_AMO(TYPE, AND, dest, value))                                    \
        __atomic_fetch_and(SHEAF_REMOTE(TYPE, dest), value, __ATOMIC_SEQ_CST);                     \
    })
SHEAF_FAMILY(ATOMIC_AND, BITWISE_AMO)

/* Combines dest, symmetric, on PE pe with value by bitwise or. Returns what
 * dest held before.
 * Specification 1.6: shmem_atomic_fetch_or */
#define ATOMIC_FETCH_OR(NAME, TYPE)                                                                \
    SHEAF_CTX_ROUTINE(TYPE, NAME##_atomic_fetch_or, (TYPE *dest, TYPE value, int pe), {            \
        SHEAF_FAR_ATOMIC(SHEAF_FAR_FETCH(TYPE, OR, dest, value))                                   \
        SHEAF_RETURN_FETCHED(TYPE, __atomic_fetch_or(SHEAF_REMOTE(TYPE, dest), value, __ATOMIC_SEQ_CST));\
    })
SHEAF_FAMILY(ATOMIC_FETCH_OR, BITWISE_AMO)

/* Combines dest, symmetric, on PE pe with value by bitwise or.
 * Specification 1.6: shmem_atomic_or */
#define ATOMIC_OR(NAME, TYPE)                                                                      \
    SHEAF_CTX_ROUTINE(void, NAME##_atomic_or, (TYPE *dest, TYPE value, int pe), {                  \
        SHEAF_FAR_ATOMIC(SHEAF_FAR_AMO(TYPE, OR, dest, value))                                     \
        __atomic_fetch_or(SHEAF_REMOTE(TYPE, dest), value, __ATOMIC_SEQ_CST);                      \
    })
SHEAF_FAMILY(ATOMIC_OR, BITWISE_AMO)

/* Combines dest, symmetric, on PE pe with value by bitwise exclusive or. Returns what
 * dest held before.
 * Specification 1.6: shmem_atomic_fetch_xor */
#define ATOMIC_FETCH_XOR(NAME, TYPE)                                                               \
    SHEAF_CTX_ROUTINE(TYPE, NAME##_atomic_fetch_xor, (TYPE *dest, TYPE value, int pe), {           \
        SHEAF_FAR_ATOMIC(SHEAF_FAR_FETCH(TYPE, XOR, dest, value))                                  \
        SHEAF_RETURN_FETCHED(TYPE, __atomic_fetch_xor(SHEAF_REMOTE(TYPE, dest), value, __ATOMIC_SEQ_CST));\
    })
SHEAF_FAMILY(ATOMIC_FETCH_XOR, BITWISE_AMO)

/* Combines dest, symmetric, on PE pe with value by bitwise exclusive or.
 * Specification 1.6: shmem_atomic_xor */
#define ATOMIC_XOR(NAME, TYPE)                                                                     \
    SHEAF_CTX_ROUTINE(void, NAME##_atomic_xor, (TYPE *dest, TYPE value, int pe), {                 \
        SHEAF_FAR_ATOMIC(SHEAF_FAR_AMO(TYPE, XOR, dest, value))                                    \
        __atomic_fetch_xor(SHEAF_REMOTE(TYPE, dest), value, __ATOMIC_SEQ_CST);                     \
    })
SHEAF_FAMILY(ATOMIC_XOR, BITWISE_AMO)
