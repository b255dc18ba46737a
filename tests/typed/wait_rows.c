/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The wrappers around every wait and test routine of the specification.
 */
#include "wait.h"

#define UNUSED __attribute__((unused))

#define DEFINE_SINGLE(NAME, TYPE, SETTER)                                                          \
    static void wait_until_##NAME(void *ivar, int cmp, const void *value)                          \
    {                                                                                              \
        shmem_##NAME##_wait_until(ivar, cmp, *(const TYPE *)value);                                \
    }                                                                                              \
    static int test_##NAME(void *ivar, int cmp, const void *value)                                 \
    {                                                                                              \
        return shmem_##NAME##_test(ivar, cmp, *(const TYPE *)value);                               \
    }                                                                                              \
    static void set_##NAME(void *ivar, const void *value, int pe)                                  \
    {                                                                                              \
        shmem_##NAME##_##SETTER(ivar, *(const TYPE *)value, pe);                                   \
    }                                                                                              \
    static bool holds_##NAME(const void *left, int cmp, const void *right)                         \
    {                                                                                              \
        const TYPE a = *(const TYPE *)left;                                                        \
        const TYPE b = *(const TYPE *)right;                                                       \
        return cmp == SHMEM_CMP_EQ   ? a == b                                                      \
               : cmp == SHMEM_CMP_NE ? a != b                                                      \
               : cmp == SHMEM_CMP_LT ? a < b                                                       \
               : cmp == SHMEM_CMP_LE ? a <= b                                                      \
               : cmp == SHMEM_CMP_GT ? a > b                                                       \
                                     : a >= b;                                                     \
    }
#define WITH_ATOMIC(NAME, TYPE) DEFINE_SINGLE(NAME, TYPE, atomic_set)
#define WITH_PUT(NAME, TYPE)    DEFINE_SINGLE(NAME, TYPE, p)
TYPES_AMO(WITH_ATOMIC)
TYPES_WAIT_SHORT(WITH_PUT)

#define DEFINE_SET(NAME, TYPE, FORM, SUFFIX, VALUES)                                               \
    static size_t wait_all_##FORM##_##NAME(void *ivars, size_t count, size_t *indices UNUSED,      \
                                           const int *status, int cmp, const void *values)         \
    {                                                                                              \
        shmem_##NAME##_wait_until_all##SUFFIX(ivars, count, status, cmp, VALUES);                  \
        return 1;                                                                                  \
    }                                                                                              \
    DEFINE_PICK(NAME, wait_any, FORM, wait_until_any##SUFFIX, VALUES)                              \
    DEFINE_LIST(NAME, wait_some, FORM, wait_until_some##SUFFIX, VALUES)                            \
    static size_t test_all_##FORM##_##NAME(void *ivars, size_t count, size_t *indices UNUSED,      \
                                           const int *status, int cmp, const void *values)         \
    {                                                                                              \
        return (size_t)shmem_##NAME##_test_all##SUFFIX(ivars, count, status, cmp, VALUES);         \
    }                                                                                              \
    DEFINE_PICK(NAME, test_any, FORM, test_any##SUFFIX, VALUES)                                    \
    DEFINE_LIST(NAME, test_some, FORM, test_some##SUFFIX, VALUES)
#define DEFINE_PICK(NAME, KIND, FORM, ROUTINE, VALUES)                                             \
    static size_t KIND##_##FORM##_##NAME(void *ivars, size_t count, size_t *indices UNUSED,        \
                                         const int *status, int cmp, const void *values)           \
    {                                                                                              \
        return shmem_##NAME##_##ROUTINE(ivars, count, status, cmp, VALUES);                        \
    }
#define DEFINE_LIST(NAME, KIND, FORM, ROUTINE, VALUES)                                             \
    static size_t KIND##_##FORM##_##NAME(void *ivars, size_t count, size_t *indices,               \
                                         const int *status, int cmp, const void *values)           \
    {                                                                                              \
        return shmem_##NAME##_##ROUTINE(ivars, count, indices, status, cmp, VALUES);               \
    }
#define SCALAR_FORM(NAME, TYPE) DEFINE_SET(NAME, TYPE, scalar, , *(const TYPE *)values)
#define VECTOR_FORM(NAME, TYPE) DEFINE_SET(NAME, TYPE, vector, _vector, values)
TYPES_WAIT_UNTIL(SCALAR_FORM)
TYPES_WAIT_UNTIL(VECTOR_FORM)

#define SINGLE_MEMBERS(NAME)                                                                       \
    #NAME, wait_until_##NAME, test_##NAME, set_##NAME, holds_##NAME
#define SET_MEMBERS(NAME, FORM)                                                                    \
    {                                                                                              \
        [WAIT_ALL] = wait_all_##FORM##_##NAME, [WAIT_ANY] = wait_any_##FORM##_##NAME,              \
        [WAIT_SOME] = wait_some_##FORM##_##NAME, [TEST_ALL] = test_all_##FORM##_##NAME,            \
        [TEST_ANY] = test_any_##FORM##_##NAME, [TEST_SOME] = test_some_##FORM##_##NAME             \
    }
#define ROW(NAME, TYPE)                                                                            \
    {SINGLE_MEMBERS(NAME), SET_MEMBERS(NAME, scalar), SET_MEMBERS(NAME, vector)},

const struct wait_row wait_rows[] = {
    TYPES_WAIT_UNTIL(ROW)
};
const size_t wait_row_count = sizeof wait_rows / sizeof wait_rows[0];

#define DEFINE_OLD(NAME, TYPE)                                                                     \
    static void old_wait_##NAME(void *ivar, const void *value)                                     \
    {                                                                                              \
        shmem_##NAME##_wait(ivar, *(const TYPE *)value);                                           \
    }
TYPES_WAIT_OLD(DEFINE_OLD)

/* In parentheses: the functions of these names, not the generic macros. */
static void old_wait_default(void *ivar, const void *value)
{
    (shmem_wait)(ivar, *(const long *)value);
}

static void old_wait_until_default(void *ivar, const void *value)
{
    (shmem_wait_until)(ivar, SHMEM_CMP_NE, *(const long *)value);
}

#define OLD_ROW(NAME, TYPE) {#NAME, old_wait_##NAME, set_##NAME},
const struct wait_old_row wait_old_rows[] = {
    TYPES_WAIT_OLD(OLD_ROW)
    {"long", old_wait_default, set_long},
    {"long", old_wait_until_default, set_long},
};
const size_t wait_old_row_count = sizeof wait_old_rows / sizeof wait_old_rows[0];
