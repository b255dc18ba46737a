/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The wrappers around every atomic memory operation of the specification, and a model of each
 * in plain C.
 */
#include "amo.h"

#define WITHOUT(...) (__VA_ARGS__)
#define WITH(...)    (ctx, __VA_ARGS__)
#define UNUSED       __attribute__((unused))

#define DEFINE(ID, STATEMENT)                                                                      \
    static void ID(shmem_ctx_t ctx UNUSED, void *result UNUSED, void *object,                      \
                   const void *condition UNUSED, const void *operand UNUSED, int pe)               \
    {                                                                                              \
        STATEMENT;                                                                                 \
    }

#define RESULT(TYPE)    *(TYPE *)result
#define OPERAND(TYPE)   *(const TYPE *)operand
#define CONDITION(TYPE) *(const TYPE *)condition

#define DEFINE_EXTENDED(SET, PREFIX, CALL, NAME, TYPE)                                             \
    DEFINE(SET##_fetch_##NAME, RESULT(TYPE) = PREFIX##_fetch CALL(object, pe))                     \
    DEFINE(SET##_set_##NAME, PREFIX##_set CALL(object, OPERAND(TYPE), pe))                         \
    DEFINE(SET##_swap_##NAME, RESULT(TYPE) = PREFIX##_swap CALL(object, OPERAND(TYPE), pe))
#define DEFINE_EXTENDED_NBI(SET, PREFIX, CALL, NAME, TYPE)                                         \
    DEFINE(SET##_fetch_nbi_##NAME, PREFIX##_fetch_nbi CALL(result, object, pe))                    \
    DEFINE(SET##_swap_nbi_##NAME, PREFIX##_swap_nbi CALL(result, object, OPERAND(TYPE), pe))

/* The deprecated names are shorter: cswap, finc, fadd. */
#define DEFINE_STANDARD(SET, PREFIX, CSWAP, FINC, FADD, CALL, NAME, TYPE)                          \
    DEFINE(SET##_compare_swap_##NAME,                                                              \
           RESULT(TYPE) = PREFIX##_##CSWAP CALL(object, CONDITION(TYPE), OPERAND(TYPE), pe))       \
    DEFINE(SET##_fetch_inc_##NAME, RESULT(TYPE) = PREFIX##_##FINC CALL(object, pe))                \
    DEFINE(SET##_inc_##NAME, PREFIX##_inc CALL(object, pe))                                        \
    DEFINE(SET##_fetch_add_##NAME, RESULT(TYPE) = PREFIX##_##FADD CALL(object, OPERAND(TYPE), pe)) \
    DEFINE(SET##_add_##NAME, PREFIX##_add CALL(object, OPERAND(TYPE), pe))
#define DEFINE_STANDARD_NBI(SET, PREFIX, CALL, NAME, TYPE)                                         \
    DEFINE(SET##_compare_swap_nbi_##NAME,                                                          \
           PREFIX##_compare_swap_nbi CALL(result, object, CONDITION(TYPE), OPERAND(TYPE), pe))     \
    DEFINE(SET##_fetch_inc_nbi_##NAME, PREFIX##_fetch_inc_nbi CALL(result, object, pe))            \
    DEFINE(SET##_fetch_add_nbi_##NAME,                                                             \
           PREFIX##_fetch_add_nbi CALL(result, object, OPERAND(TYPE), pe))

#define DEFINE_BITS(SET, PREFIX, OP, CALL, NAME, TYPE)                                             \
    DEFINE(SET##_fetch_##OP##_##NAME,                                                              \
           RESULT(TYPE) = PREFIX##_fetch_##OP CALL(object, OPERAND(TYPE), pe))                     \
    DEFINE(SET##_##OP##_##NAME, PREFIX##_##OP CALL(object, OPERAND(TYPE), pe))                     \
    DEFINE(SET##_fetch_##OP##_nbi_##NAME,                                                          \
           PREFIX##_fetch_##OP##_nbi CALL(result, object, OPERAND(TYPE), pe))
#define DEFINE_BITWISE(SET, PREFIX, CALL, NAME, TYPE)                                              \
    DEFINE_BITS(SET, PREFIX, and, CALL, NAME, TYPE)                                                \
    DEFINE_BITS(SET, PREFIX, or, CALL, NAME, TYPE)                                                 \
    DEFINE_BITS(SET, PREFIX, xor, CALL, NAME, TYPE)

#define EXTENDED(NAME, TYPE)                                                                       \
    DEFINE_EXTENDED(plain, shmem_##NAME##_atomic, WITHOUT, NAME, TYPE)                             \
    DEFINE_EXTENDED_NBI(plain, shmem_##NAME##_atomic, WITHOUT, NAME, TYPE)                         \
    DEFINE_EXTENDED(ctx, shmem_ctx_##NAME##_atomic, WITH, NAME, TYPE)                              \
    DEFINE_EXTENDED_NBI(ctx, shmem_ctx_##NAME##_atomic, WITH, NAME, TYPE)
#define STANDARD(NAME, TYPE)                                                                       \
    DEFINE_STANDARD(plain, shmem_##NAME##_atomic, compare_swap, fetch_inc, fetch_add, WITHOUT,     \
                    NAME, TYPE)                                                                    \
    DEFINE_STANDARD_NBI(plain, shmem_##NAME##_atomic, WITHOUT, NAME, TYPE)                         \
    DEFINE_STANDARD(ctx, shmem_ctx_##NAME##_atomic, compare_swap, fetch_inc, fetch_add, WITH,      \
                    NAME, TYPE)                                                                    \
    DEFINE_STANDARD_NBI(ctx, shmem_ctx_##NAME##_atomic, WITH, NAME, TYPE)
#define BITWISE(NAME, TYPE)                                                                        \
    DEFINE_BITWISE(plain, shmem_##NAME##_atomic, WITHOUT, NAME, TYPE)                              \
    DEFINE_BITWISE(ctx, shmem_ctx_##NAME##_atomic, WITH, NAME, TYPE)
#define OLD_EXTENDED(NAME, TYPE) DEFINE_EXTENDED(old, shmem_##NAME, WITHOUT, NAME, TYPE)
#define OLD_STANDARD(NAME, TYPE)                                                                   \
    DEFINE_STANDARD(old, shmem_##NAME, cswap, finc, fadd, WITHOUT, NAME, TYPE)

TYPES_AMO_EXTENDED(EXTENDED)
TYPES_AMO(STANDARD)
TYPES_AMO_BITWISE(BITWISE)
TYPES_AMO_OLD_EXTENDED(OLD_EXTENDED)
TYPES_AMO_OLD(OLD_STANDARD)

#define DEFINE_NUMBER(NAME, TYPE)                                                                  \
    static long long number_##NAME(const void *value)                                              \
    {                                                                                              \
        return (long long)*(const TYPE *)value;                                                    \
    }
TYPES_AMO_EXTENDED(DEFINE_NUMBER)

#define DEFINE_REAL_MODEL(NAME, TYPE)                                                              \
    static void model_##NAME(enum amo kind, void *object, const void *condition UNUSED,            \
                             const void *operand)                                                  \
    {                                                                                              \
        if (kind != AMO_FETCH)                                                                     \
            *(TYPE *)object = OPERAND(TYPE);                                                       \
    }
TYPES_REAL(DEFINE_REAL_MODEL)

/* Atomics wrap around at the limits; conversions keep the model free of signed overflow. */
#define DEFINE_INTEGER_MODEL(NAME, TYPE)                                                           \
    static void model_##NAME(enum amo kind, void *object, const void *condition,                   \
                             const void *operand)                                                  \
    {                                                                                              \
        const uint64_t old = (uint64_t)*(TYPE *)object;                                            \
        const uint64_t value = (uint64_t)OPERAND(TYPE);                                            \
        *(TYPE *)object = (TYPE)model_integer(kind, old, (uint64_t)CONDITION(TYPE), value);        \
    }

static uint64_t model_integer(enum amo kind, uint64_t old, uint64_t condition, uint64_t value)
{
    switch (kind) {
    case AMO_SET:
    case AMO_SWAP:
        return value;
    case AMO_COMPARE_SWAP:
        return old == condition ? value : old;
    case AMO_FETCH_INC:
    case AMO_INC:
        return old + 1;
    case AMO_FETCH_ADD:
    case AMO_ADD:
        return old + value;
    case AMO_FETCH_AND:
    case AMO_AND:
        return old & value;
    case AMO_FETCH_OR:
    case AMO_OR:
        return old | value;
    case AMO_FETCH_XOR:
    case AMO_XOR:
        return old ^ value;
    default:
        return old;
    }
}
TYPES_AMO(DEFINE_INTEGER_MODEL)

#define EXTENDED_MEMBERS(SET, NAME)                                                                \
    [AMO_FETCH] = SET##_fetch_##NAME, [AMO_SET] = SET##_set_##NAME, [AMO_SWAP] = SET##_swap_##NAME,
#define STANDARD_MEMBERS(SET, NAME)                                                                \
    EXTENDED_MEMBERS(SET, NAME)                                                                    \
    [AMO_COMPARE_SWAP] = SET##_compare_swap_##NAME, [AMO_FETCH_INC] = SET##_fetch_inc_##NAME,      \
    [AMO_INC] = SET##_inc_##NAME, [AMO_FETCH_ADD] = SET##_fetch_add_##NAME,                        \
    [AMO_ADD] = SET##_add_##NAME,
#define BITWISE_MEMBERS(SET, NAME)                                                                 \
    STANDARD_MEMBERS(SET, NAME)                                                                    \
    [AMO_FETCH_AND] = SET##_fetch_and_##NAME, [AMO_AND] = SET##_and_##NAME,                        \
    [AMO_FETCH_OR] = SET##_fetch_or_##NAME, [AMO_OR] = SET##_or_##NAME,                            \
    [AMO_FETCH_XOR] = SET##_fetch_xor_##NAME, [AMO_XOR] = SET##_xor_##NAME,

#define EXTENDED_NBI_MEMBERS(SET, NAME)                                                            \
    [AMO_FETCH] = SET##_fetch_nbi_##NAME, [AMO_SWAP] = SET##_swap_nbi_##NAME,
#define STANDARD_NBI_MEMBERS(SET, NAME)                                                            \
    EXTENDED_NBI_MEMBERS(SET, NAME)                                                                \
    [AMO_COMPARE_SWAP] = SET##_compare_swap_nbi_##NAME,                                            \
    [AMO_FETCH_INC] = SET##_fetch_inc_nbi_##NAME, [AMO_FETCH_ADD] = SET##_fetch_add_nbi_##NAME,
#define BITWISE_NBI_MEMBERS(SET, NAME)                                                             \
    STANDARD_NBI_MEMBERS(SET, NAME)                                                                \
    [AMO_FETCH_AND] = SET##_fetch_and_nbi_##NAME, [AMO_FETCH_OR] = SET##_fetch_or_nbi_##NAME,      \
    [AMO_FETCH_XOR] = SET##_fetch_xor_nbi_##NAME,

#define ROW(SET, TAKES, KIND, NAME)                                                                \
    {#NAME, #SET, TAKES, {KIND##_MEMBERS(SET, NAME)}, {KIND##_NBI_MEMBERS(SET, NAME)},             \
     model_##NAME, number_##NAME},
#define EXTENDED_ROWS(NAME, TYPE) ROW(plain, false, EXTENDED, NAME) ROW(ctx, true, EXTENDED, NAME)
#define STANDARD_ROWS(NAME, TYPE) ROW(plain, false, STANDARD, NAME) ROW(ctx, true, STANDARD, NAME)
#define BITWISE_ROWS(NAME, TYPE)  ROW(plain, false, BITWISE, NAME) ROW(ctx, true, BITWISE, NAME)
#define OLD_ROW(KIND, NAME)                                                                        \
    {#NAME, "old", false, {KIND##_MEMBERS(old, NAME)}, {NULL}, model_##NAME, number_##NAME},
#define OLD_STANDARD_ROW(NAME, TYPE) OLD_ROW(STANDARD, NAME)
#define OLD_EXTENDED_ROW(NAME, TYPE) OLD_ROW(EXTENDED, NAME)

const struct amo_row amo_rows[] = {
    TYPES_REAL(EXTENDED_ROWS)
    TYPES_AMO_NOT_BITWISE(STANDARD_ROWS)
    TYPES_AMO_BITWISE(BITWISE_ROWS)
    TYPES_REAL(OLD_EXTENDED_ROW)
    TYPES_AMO_OLD(OLD_STANDARD_ROW)
};
const size_t amo_row_count = sizeof amo_rows / sizeof amo_rows[0];

const char *const amo_names[AMO_KINDS] = {
    "fetch",     "set", "swap",      "compare_swap", "fetch_inc", "inc",       "fetch_add",
    "add",       "fetch_and", "and", "fetch_or",     "or",        "fetch_xor", "xor",
};

bool amo_fetches(enum amo kind)
{
    switch (kind) {
    case AMO_SET:
    case AMO_INC:
    case AMO_ADD:
    case AMO_AND:
    case AMO_OR:
    case AMO_XOR:
        return false;
    default:
        return true;
    }
}
