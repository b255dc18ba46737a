/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The wrappers around every reduction and scan of the specification, and a model of each
 * operator in plain C.
 */
#include "reduce.h"

#define TEAM_CALL(OP, NAME)                                                                        \
    static int OP##_##NAME(const struct group *group, void *dest, const void *source,              \
                           size_t count)                                                           \
    {                                                                                              \
        return shmem_##NAME##_##OP(group->team, dest, source, count);                              \
    }
#define SET_CALL(OP, NAME)                                                                         \
    static int OP##_##NAME(const struct group *group, void *dest, const void *source,              \
                           size_t count)                                                           \
    {                                                                                              \
        shmem_##NAME##_##OP(dest, source, (int)count, group->start, group->log_stride,             \
                            group->size, group->work, group->sync);                                \
        return 0;                                                                                  \
    }

#define TEAM_BITWISE(NAME, TYPE)                                                                   \
    TEAM_CALL(and_reduce, NAME) TEAM_CALL(or_reduce, NAME) TEAM_CALL(xor_reduce, NAME)
#define TEAM_ORDERED(NAME, TYPE) TEAM_CALL(max_reduce, NAME) TEAM_CALL(min_reduce, NAME)
#define TEAM_SUM(NAME, TYPE)                                                                       \
    TEAM_CALL(sum_reduce, NAME) TEAM_CALL(prod_reduce, NAME) TEAM_CALL(sum_inscan, NAME)           \
    TEAM_CALL(sum_exscan, NAME)
#define SET_BITWISE(NAME, TYPE)                                                                    \
    SET_CALL(and_to_all, NAME) SET_CALL(or_to_all, NAME) SET_CALL(xor_to_all, NAME)
#define SET_ORDERED(NAME, TYPE) SET_CALL(max_to_all, NAME) SET_CALL(min_to_all, NAME)
#define SET_SUM(NAME, TYPE)     SET_CALL(sum_to_all, NAME) SET_CALL(prod_to_all, NAME)

TYPES_REDUCE_BITWISE(TEAM_BITWISE)
TYPES_REDUCE_ORDERED(TEAM_ORDERED)
TYPES_REDUCE_SUM(TEAM_SUM)
TYPES_TO_ALL_BITWISE(SET_BITWISE)
TYPES_TO_ALL_ORDERED(SET_ORDERED)
TYPES_TO_ALL_SUM(SET_SUM)

static uint64_t combine_bits(enum reduction kind, uint64_t a, uint64_t b)
{
    switch (kind) {
    case REDUCE_AND:
        return a & b;
    case REDUCE_OR:
        return a | b;
    case REDUCE_XOR:
        return a ^ b;
    case REDUCE_PROD:
        return a * b;
    default:
        return a + b;
    }
}

/* In 64 unsigned bits nothing overflows that the type itself would not wrap. */
#define DEFINE_INTEGER(NAME, TYPE)                                                                 \
    static void combine_##NAME(enum reduction kind, void *accumulator, const void *operand)        \
    {                                                                                              \
        TYPE *a = accumulator;                                                                     \
        const TYPE b = *(const TYPE *)operand;                                                     \
        if (kind == REDUCE_MAX)                                                                    \
            *a = *a > b ? *a : b;                                                                  \
        else if (kind == REDUCE_MIN)                                                               \
            *a = *a < b ? *a : b;                                                                  \
        else                                                                                       \
            *a = (TYPE)combine_bits(kind, (uint64_t)*a, (uint64_t)b);                              \
    }
TYPES_INTEGER(DEFINE_INTEGER)

#define DEFINE_REAL(NAME, TYPE)                                                                    \
    static void combine_##NAME(enum reduction kind, void *accumulator, const void *operand)        \
    {                                                                                              \
        TYPE *a = accumulator;                                                                     \
        const TYPE b = *(const TYPE *)operand;                                                     \
        if (kind == REDUCE_MAX)                                                                    \
            *a = *a > b ? *a : b;                                                                  \
        else if (kind == REDUCE_MIN)                                                               \
            *a = *a < b ? *a : b;                                                                  \
        else                                                                                       \
            *a = kind == REDUCE_PROD ? *a * b : *a + b;                                            \
    }
TYPES_REAL(DEFINE_REAL)
DEFINE_REAL(longdouble, long double)

#define DEFINE_COMPLEX(NAME, TYPE)                                                                 \
    static void combine_##NAME(enum reduction kind, void *accumulator, const void *operand)        \
    {                                                                                              \
        TYPE *a = accumulator;                                                                     \
        const TYPE b = *(const TYPE *)operand;                                                     \
        *a = kind == REDUCE_PROD ? *a * b : *a + b;                                                \
    }
TYPES_COMPLEX(DEFINE_COMPLEX)

#define TEAM_SUM_MEMBERS(NAME)                                                                     \
    [REDUCE_SUM] = sum_reduce_##NAME, [REDUCE_PROD] = prod_reduce_##NAME,                          \
    [SUM_INSCAN] = sum_inscan_##NAME, [SUM_EXSCAN] = sum_exscan_##NAME
#define TEAM_ORDERED_MEMBERS(NAME)                                                                 \
    [REDUCE_MAX] = max_reduce_##NAME, [REDUCE_MIN] = min_reduce_##NAME
#define TEAM_BITWISE_MEMBERS(NAME)                                                                 \
    [REDUCE_AND] = and_reduce_##NAME, [REDUCE_OR] = or_reduce_##NAME,                              \
    [REDUCE_XOR] = xor_reduce_##NAME

/* Types with bitwise reductions appear twice: these rows add theirs. */
#define TEAM_COMPLEX_ROW(NAME, TYPE) {#NAME, true, {TEAM_SUM_MEMBERS(NAME)}, combine_##NAME},
#define TEAM_ORDERED_ROW(NAME, TYPE)                                                               \
    {#NAME, false, {TEAM_SUM_MEMBERS(NAME), TEAM_ORDERED_MEMBERS(NAME)}, combine_##NAME},
#define TEAM_BITWISE_ROW(NAME, TYPE) {#NAME, false, {TEAM_BITWISE_MEMBERS(NAME)}, combine_##NAME},

const struct reduce_row reduce_team_rows[] = {
    TYPES_REDUCE_ORDERED(TEAM_ORDERED_ROW)
    TYPES_REDUCE_BITWISE(TEAM_BITWISE_ROW)
    TYPES_COMPLEX(TEAM_COMPLEX_ROW)
};
const size_t reduce_team_row_count = sizeof reduce_team_rows / sizeof reduce_team_rows[0];

#define SET_COMPLEX_ROW(NAME, TYPE)                                                                \
    {#NAME, true, {[REDUCE_SUM] = sum_to_all_##NAME, [REDUCE_PROD] = prod_to_all_##NAME},          \
     combine_##NAME},
#define SET_ORDERED_ROW(NAME, TYPE)                                                                \
    {#NAME, false,                                                                                 \
     {[REDUCE_SUM] = sum_to_all_##NAME, [REDUCE_PROD] = prod_to_all_##NAME,                        \
      [REDUCE_MAX] = max_to_all_##NAME, [REDUCE_MIN] = min_to_all_##NAME},                         \
     combine_##NAME},
#define SET_BITWISE_ROW(NAME, TYPE)                                                                \
    {#NAME, false,                                                                                 \
     {[REDUCE_AND] = and_to_all_##NAME, [REDUCE_OR] = or_to_all_##NAME,                            \
      [REDUCE_XOR] = xor_to_all_##NAME},                                                           \
     combine_##NAME},

const struct reduce_row reduce_set_rows[] = {
    TYPES_TO_ALL_ORDERED(SET_ORDERED_ROW)
    TYPES_TO_ALL_BITWISE(SET_BITWISE_ROW)
    TYPES_COMPLEX(SET_COMPLEX_ROW)
};
const size_t reduce_set_row_count = sizeof reduce_set_rows / sizeof reduce_set_rows[0];
