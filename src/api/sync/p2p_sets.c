/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Point-to-point synchronization on sets of variables: all, any, some; one value for all of
 * them, or a vector of values. The forms for short and unsigned short are extensions.
 */
#include "api/define.h"

#include "api/sync/p2p.h"

#include "core/memory/check.h"

SHEAF_TYPES_WAIT(SHEAF_P2P_DECLARE)

/* Declares set in a body: the variables, and values one step apart. */
#define SET(NAME, VALUES, STEP)                                                                    \
    sheaf_p2p_check(ivars, sheaf_check_bytes(nelems, sizeof *ivars, call), cmp, call);             \
    SHEAF_CALL(call);                                                                              \
    const struct sheaf_p2p_set set = {&sheaf_p2p_type_##NAME, (const char *)ivars, nelems, status, \
                                      cmp, (const char *)(VALUES), STEP}

SHEAF_CHAPTER("Point-to-point synchronization on sets of variables")

/* Waits until all variables of a set stand in relation cmp to cmp_value. The set is the nelems
 * elements of ivars, symmetric, on the calling PE, without those whose element of status is
 * nonzero; status may be NULL. An empty set does not wait.
 * Specification 1.6: shmem_wait_until_all */
#define WAIT_UNTIL_ALL(NAME, TYPE)                                                                 \
    SHEAF_ROUTINE(void, shmem_##NAME##_wait_until_all,                                             \
                  (TYPE *ivars, size_t nelems, const int *status, int cmp, TYPE cmp_value), {      \
        SET(NAME, &cmp_value, 0);                                                                  \
        sheaf_p2p_wait_all(&set);                                                                  \
    })
SHEAF_FAMILY(WAIT_UNTIL_ALL, WAIT)

/* Waits until one of the set does, and returns its index. Calls return satisfied variables in
 * turn. SIZE_MAX for an empty set.
 * Specification 1.6: shmem_wait_until_any */
#define WAIT_UNTIL_ANY(NAME, TYPE)                                                                 \
    SHEAF_ROUTINE(size_t, shmem_##NAME##_wait_until_any,                                           \
                  (TYPE *ivars, size_t nelems, const int *status, int cmp, TYPE cmp_value), {      \
        SET(NAME, &cmp_value, 0);                                                                  \
        return sheaf_p2p_wait_any(&set);                                                           \
    })
SHEAF_FAMILY(WAIT_UNTIL_ANY, WAIT)

/* Waits until at least one of the set does; writes the indices of those that do to indices,
 * which holds nelems, and returns their number. 0 for an empty set.
 * Specification 1.6: shmem_wait_until_some */
#define WAIT_UNTIL_SOME(NAME, TYPE)                                                                \
    SHEAF_ROUTINE(size_t, shmem_##NAME##_wait_until_some,                                          \
                  (TYPE *ivars, size_t nelems, size_t *indices, const int *status, int cmp,        \
                   TYPE cmp_value), {                                                              \
        SET(NAME, &cmp_value, 0);                                                                  \
        return sheaf_p2p_wait_some(&set, indices);                                                 \
    })
SHEAF_FAMILY(WAIT_UNTIL_SOME, WAIT)

/* As shmem_wait_until_all, with ivars[i] compared with cmp_values[i].
 * Specification 1.6: shmem_wait_until_all_vector */
#define WAIT_UNTIL_ALL_VECTOR(NAME, TYPE)                                                          \
    SHEAF_ROUTINE(void, shmem_##NAME##_wait_until_all_vector,                                      \
                  (TYPE *ivars, size_t nelems, const int *status, int cmp,                         \
                   const TYPE *cmp_values), {                                                      \
        SET(NAME, cmp_values, sizeof(TYPE));                                                       \
        sheaf_p2p_wait_all(&set);                                                                  \
    })
SHEAF_FAMILY(WAIT_UNTIL_ALL_VECTOR, WAIT)

/* As shmem_wait_until_any, with ivars[i] compared with cmp_values[i].
 * Specification 1.6: shmem_wait_until_any_vector */
#define WAIT_UNTIL_ANY_VECTOR(NAME, TYPE)                                                          \
    SHEAF_ROUTINE(size_t, shmem_##NAME##_wait_until_any_vector,                                    \
                  (TYPE *ivars, size_t nelems, const int *status, int cmp,                         \
                   const TYPE *cmp_values), {                                                      \
        SET(NAME, cmp_values, sizeof(TYPE));                                                       \
        return sheaf_p2p_wait_any(&set);                                                           \
    })
SHEAF_FAMILY(WAIT_UNTIL_ANY_VECTOR, WAIT)

/* As shmem_wait_until_some, with ivars[i] compared with cmp_values[i].
 * Specification 1.6: shmem_wait_until_some_vector */
#define WAIT_UNTIL_SOME_VECTOR(NAME, TYPE)                                                         \
    SHEAF_ROUTINE(size_t, shmem_##NAME##_wait_until_some_vector,                                   \
                  (TYPE *ivars, size_t nelems, size_t *indices, const int *status, int cmp,        \
                   const TYPE *cmp_values), {                                                      \
        SET(NAME, cmp_values, sizeof(TYPE));                                                       \
        return sheaf_p2p_wait_some(&set, indices);                                                 \
    })
SHEAF_FAMILY(WAIT_UNTIL_SOME_VECTOR, WAIT)

/* 1 when all variables of the set stand in relation cmp to cmp_value, 0 when not. 1 for an empty
 * set. The set is as with shmem_wait_until_all.
 * Specification 1.6: shmem_test_all */
#define TEST_ALL(NAME, TYPE)                                                                       \
    SHEAF_ROUTINE(int, shmem_##NAME##_test_all,                                                    \
                  (TYPE *ivars, size_t nelems, const int *status, int cmp, TYPE cmp_value), {      \
        SET(NAME, &cmp_value, 0);                                                                  \
        return sheaf_p2p_test_all(&set);                                                           \
    })
SHEAF_FAMILY(TEST_ALL, WAIT)

/* The index of one of the set that does; SIZE_MAX when none does. Calls return satisfied
 * variables in turn.
 * Specification 1.6: shmem_test_any */
#define TEST_ANY(NAME, TYPE)                                                                       \
    SHEAF_ROUTINE(size_t, shmem_##NAME##_test_any,                                                 \
                  (TYPE *ivars, size_t nelems, const int *status, int cmp, TYPE cmp_value), {      \
        SET(NAME, &cmp_value, 0);                                                                  \
        return sheaf_p2p_test_any(&set);                                                           \
    })
SHEAF_FAMILY(TEST_ANY, WAIT)

/* Writes the indices of those of the set that do to indices, which holds nelems, and returns
 * their number.
 * Specification 1.6: shmem_test_some */
#define TEST_SOME(NAME, TYPE)                                                                      \
    SHEAF_ROUTINE(size_t, shmem_##NAME##_test_some,                                                \
                  (TYPE *ivars, size_t nelems, size_t *indices, const int *status, int cmp,        \
                   TYPE cmp_value), {                                                              \
        SET(NAME, &cmp_value, 0);                                                                  \
        return sheaf_p2p_test_some(&set, indices);                                                 \
    })
SHEAF_FAMILY(TEST_SOME, WAIT)

/* As shmem_test_all, with ivars[i] compared with cmp_values[i].
 * Specification 1.6: shmem_test_all_vector */
#define TEST_ALL_VECTOR(NAME, TYPE)                                                                \
    SHEAF_ROUTINE(int, shmem_##NAME##_test_all_vector,                                             \
                  (TYPE *ivars, size_t nelems, const int *status, int cmp,                         \
                   const TYPE *cmp_values), {                                                      \
        SET(NAME, cmp_values, sizeof(TYPE));                                                       \
        return sheaf_p2p_test_all(&set);                                                           \
    })
SHEAF_FAMILY(TEST_ALL_VECTOR, WAIT)

/* As shmem_test_any, with ivars[i] compared with cmp_values[i].
 * Specification 1.6: shmem_test_any_vector */
#define TEST_ANY_VECTOR(NAME, TYPE)                                                                \
    SHEAF_ROUTINE(size_t, shmem_##NAME##_test_any_vector,                                          \
                  (TYPE *ivars, size_t nelems, const int *status, int cmp,                         \
                   const TYPE *cmp_values), {                                                      \
        SET(NAME, cmp_values, sizeof(TYPE));                                                       \
        return sheaf_p2p_test_any(&set);                                                           \
    })
SHEAF_FAMILY(TEST_ANY_VECTOR, WAIT)

/* As shmem_test_some, with ivars[i] compared with cmp_values[i].
 * Specification 1.6: shmem_test_some_vector */
#define TEST_SOME_VECTOR(NAME, TYPE)                                                               \
    SHEAF_ROUTINE(size_t, shmem_##NAME##_test_some_vector,                                         \
                  (TYPE *ivars, size_t nelems, size_t *indices, const int *status, int cmp,        \
                   const TYPE *cmp_values), {                                                      \
        SET(NAME, cmp_values, sizeof(TYPE));                                                       \
        return sheaf_p2p_test_some(&set, indices);                                                 \
    })
SHEAF_FAMILY(TEST_SOME_VECTOR, WAIT)
