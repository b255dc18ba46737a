/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Nonblocking atomic memory operations. On a node the result is there at once; the program may
 * look at it after a quiet.
 */
#include "api/define.h"

#include "api/access/access.h"

/* *expected becomes what the object held before, equal or not. */
#define COMPARE_EXCHANGE(object, expected, desired)                                                \
    (void)__atomic_compare_exchange_n((object), (expected), (desired), false, __ATOMIC_SEQ_CST,    \
                                      __ATOMIC_SEQ_CST)

SHEAF_CHAPTER("Nonblocking atomic memory operations")

/* As shmem_atomic_fetch; *fetch, local, holds the result after shmem_quiet.
 * Specification 1.6: shmem_atomic_fetch_nbi */
#define ATOMIC_FETCH_NBI(NAME, TYPE)                                                               \
    SHEAF_CTX_ROUTINE(void, NAME##_atomic_fetch_nbi, (TYPE *fetch, const TYPE *source, int pe), {  \
        SHEAF_FAR_ATOMIC(SHEAF_FAR_FETCH_NBI(TYPE, FETCH, fetch, source, 0, 0))                    \
        __atomic_load(SHEAF_REMOTE(TYPE, source), fetch, __ATOMIC_ACQUIRE);                        \
    })
SHEAF_FAMILY(ATOMIC_FETCH_NBI, EXTENDED_AMO)

/* As shmem_atomic_compare_swap; *fetch, local, holds the result after shmem_quiet.
 * Specification 1.6: shmem_atomic_compare_swap_nbi */
#define ATOMIC_COMPARE_SWAP_NBI(NAME, TYPE)                                                        \
    SHEAF_CTX_ROUTINE(void, NAME##_atomic_compare_swap_nbi,                                        \
                      (TYPE *fetch, TYPE *dest, TYPE cond, TYPE value, int pe), {                  \
        SHEAF_FAR_ATOMIC(SHEAF_FAR_FETCH_NBI(TYPE, COMPARE_SWAP, fetch, dest, value, cond))        \
        COMPARE_EXCHANGE(SHEAF_REMOTE(TYPE, dest), &cond, value);                                  \
        *fetch = cond;                                                                             \
    })
SHEAF_FAMILY(ATOMIC_COMPARE_SWAP_NBI, AMO)

/* As shmem_atomic_swap; *fetch, local, holds the result after shmem_quiet.
 * Specification 1.6: shmem_atomic_swap_nbi */
#define ATOMIC_SWAP_NBI(NAME, TYPE)                                                                \
    SHEAF_CTX_ROUTINE(void, NAME##_atomic_swap_nbi,                                                \
                      (TYPE *fetch, TYPE *dest, TYPE value, int pe), {                             \
        SHEAF_FAR_SET(TYPE, dest, SHEAF_FAR_FETCH_NBI(TYPE, SWAP, fetch, dest, value, 0))          \
        __atomic_exchange(SHEAF_REMOTE(TYPE, dest), &value, fetch, __ATOMIC_SEQ_CST);              \
    })
SHEAF_FAMILY(ATOMIC_SWAP_NBI, EXTENDED_AMO)

/* As shmem_atomic_fetch_inc; *fetch, local, holds the result after shmem_quiet.
 * Specification 1.6: shmem_atomic_fetch_inc_nbi */
#define ATOMIC_FETCH_INC_NBI(NAME, TYPE)                                                           \
    SHEAF_CTX_ROUTINE(void, NAME##_atomic_fetch_inc_nbi, (TYPE *fetch, TYPE *dest, int pe), {      \
        SHEAF_FAR_ATOMIC(SHEAF_FAR_FETCH_NBI(TYPE, ADD, fetch, dest, 1, 0))                        \
        *fetch = __atomic_fetch_add(SHEAF_REMOTE(TYPE, dest), 1, __ATOMIC_SEQ_CST);                \
    })
SHEAF_FAMILY(ATOMIC_FETCH_INC_NBI, AMO)

/* As shmem_atomic_fetch_add; *fetch, local, holds the result after shmem_quiet.
 * Specification 1.6: shmem_atomic_fetch_add_nbi */
#define ATOMIC_FETCH_ADD_NBI(NAME, TYPE)                                                           \
    SHEAF_CTX_ROUTINE(void, NAME##_atomic_fetch_add_nbi,                                           \
                      (TYPE *fetch, TYPE *dest, TYPE value, int pe), {                             \
        SHEAF_FAR_ATOMIC(SHEAF_FAR_FETCH_NBI(TYPE, ADD, fetch, dest, value, 0))                    \
        *fetch = __atomic_fetch_add(SHEAF_REMOTE(TYPE, dest), value, __ATOMIC_SEQ_CST);            \
    })
SHEAF_FAMILY(ATOMIC_FETCH_ADD_NBI, AMO)

/* As shmem_atomic_fetch_and; *fetch, local, holds the result after shmem_quiet.
 * Specification 1.6: shmem_atomic_fetch_and_nbi */
#define ATOMIC_FETCH_AND_NBI(NAME, TYPE)                                                           \
    SHEAF_CTX_ROUTINE(void, NAME##_atomic_fetch_and_nbi,                                           \
                      (TYPE *fetch, TYPE *dest, TYPE value, int pe), {                             \
        SHEAF_FAR_ATOMIC(SHEAF_FAR_FETCH_NBI(TYPE, AND, fetch, dest, value, 0))                    \
        *fetch = __atomic_fetch_and(SHEAF_REMOTE(TYPE, dest), value, __ATOMIC_SEQ_CST);            \
    })
SHEAF_FAMILY(ATOMIC_FETCH_AND_NBI, BITWISE_AMO)

/* As shmem_atomic_fetch_or; *fetch, local, holds the result after shmem_quiet.
 * Specification 1.6: shmem_atomic_fetch_or_nbi */
#define ATOMIC_FETCH_OR_NBI(NAME, TYPE)                                                            \
    SHEAF_CTX_ROUTINE(void, NAME##_atomic_fetch_or_nbi,                                            \
                      (TYPE *fetch, TYPE *dest, TYPE value, int pe), {                             \
        SHEAF_FAR_ATOMIC(SHEAF_FAR_FETCH_NBI(TYPE, OR, fetch, dest, value, 0))                     \
        *fetch = __atomic_fetch_or(SHEAF_REMOTE(TYPE, dest), value, __ATOMIC_SEQ_CST);             \
    })
SHEAF_FAMILY(ATOMIC_FETCH_OR_NBI, BITWISE_AMO)

/* As shmem_atomic_fetch_xor; *fetch, local, holds the result after shmem_quiet.
 * Specification 1.6: shmem_atomic_fetch_xor_nbi */
#define ATOMIC_FETCH_XOR_NBI(NAME, TYPE)                                                           \
    SHEAF_CTX_ROUTINE(void, NAME##_atomic_fetch_xor_nbi,                                           \
                      (TYPE *fetch, TYPE *dest, TYPE value, int pe), {                             \
        SHEAF_FAR_ATOMIC(SHEAF_FAR_FETCH_NBI(TYPE, XOR, fetch, dest, value, 0))                    \
        *fetch = __atomic_fetch_xor(SHEAF_REMOTE(TYPE, dest), value, __ATOMIC_SEQ_CST);            \
    })
SHEAF_FAMILY(ATOMIC_FETCH_XOR_NBI, BITWISE_AMO)
