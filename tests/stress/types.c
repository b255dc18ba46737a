/* SPDX-License-Identifier: BSD-3-Clause
 * See types.h.
 */
#include "types.h"

#include <complex.h>

/* The X lists: X(name in routines, C type). */
#define PLAIN_INTEGERS(X)                                                                          \
    X(char, char) X(schar, signed char) X(short, short) X(int, int) X(long, long)                  \
    X(longlong, long long) X(ptrdiff, ptrdiff_t)
#define BITWISE_INTEGERS(X)                                                                        \
    X(uchar, unsigned char) X(ushort, unsigned short) X(uint, unsigned int)                        \
    X(ulong, unsigned long) X(ulonglong, unsigned long long) X(int8, int8_t) X(int16, int16_t)     \
    X(int32, int32_t) X(int64, int64_t) X(uint8, uint8_t) X(uint16, uint16_t)                      \
    X(uint32, uint32_t) X(uint64, uint64_t) X(size, size_t)
#define REALS(X) X(float, float) X(double, double) X(longdouble, long double)
#define COMPLEXES(X) X(complexf, float complex) X(complexd, double complex)

/* Untyped entries, so that one table holds all types. */
#define TEAM_ROUTINE(NAME, TYPE, ROUTINE)                                                          \
    static int NAME##_##ROUTINE(shmem_team_t team, void *dest, const void *source, size_t count)   \
    {                                                                                              \
        return shmem_##NAME##_##ROUTINE(team, (TYPE *)dest, (const TYPE *)source, count);          \
    }
#define SUMS(NAME, TYPE)                                                                           \
    TEAM_ROUTINE(NAME, TYPE, sum_reduce)                                                           \
    TEAM_ROUTINE(NAME, TYPE, prod_reduce)                                                          \
    TEAM_ROUTINE(NAME, TYPE, sum_inscan)                                                           \
    TEAM_ROUTINE(NAME, TYPE, sum_exscan)                                                           \
    static size_t NAME##_compare(const void *a, const void *b, size_t count)                       \
    {                                                                                              \
        const TYPE *left = a, *right = b;                                                          \
        size_t i = 0;                                                                              \
        while (i < count && left[i] == right[i])                                                   \
            i++;                                                                                   \
        return i;                                                                                  \
    }
#define MOVES(NAME, TYPE)                                                                          \
    TEAM_ROUTINE(NAME, TYPE, min_reduce)                                                           \
    TEAM_ROUTINE(NAME, TYPE, max_reduce)                                                           \
    TEAM_ROUTINE(NAME, TYPE, collect)                                                              \
    TEAM_ROUTINE(NAME, TYPE, fcollect)                                                             \
    TEAM_ROUTINE(NAME, TYPE, alltoall)                                                             \
    static int NAME##_broadcast(shmem_team_t team, void *dest, const void *source, size_t count,   \
                                int root)                                                          \
    {                                                                                              \
        return shmem_##NAME##_broadcast(team, (TYPE *)dest, (const TYPE *)source, count, root);    \
    }                                                                                              \
    static int NAME##_alltoalls(shmem_team_t team, void *dest, const void *source,                 \
                                ptrdiff_t dest_stride, ptrdiff_t source_stride, size_t count)      \
    {                                                                                              \
        return shmem_##NAME##_alltoalls(team, (TYPE *)dest, (const TYPE *)source, dest_stride,     \
                                        source_stride, count);                                     \
    }
#define BITS(NAME, TYPE)                                                                           \
    TEAM_ROUTINE(NAME, TYPE, and_reduce)                                                           \
    TEAM_ROUTINE(NAME, TYPE, or_reduce)                                                            \
    TEAM_ROUTINE(NAME, TYPE, xor_reduce)

/* Small values: 0 to 3 or -2 to 2, so that sums and products of 64 PEs stay exact or wrap the
 * same way whatever the order. */
#define INTEGER_MODEL(NAME, TYPE)                                                                  \
    static void NAME##_fill(void *at, size_t count, uint64_t round, int pe, int small)             \
    {                                                                                              \
        int is_signed = (TYPE)-1 < (TYPE)1;                                                        \
        for (size_t i = 0; i < count; i++) {                                                       \
            uint64_t value = mix(round, (uint64_t)pe, i);                                          \
            if (small)                                                                             \
                value = is_signed ? value % 5 - 2 : value % 4;                                     \
            ((TYPE *)at)[i] = (TYPE)value;                                                         \
        }                                                                                          \
    }
#define REAL_MODEL(NAME, TYPE)                                                                     \
    static void NAME##_fill(void *at, size_t count, uint64_t round, int pe, int small)             \
    {                                                                                              \
        for (size_t i = 0; i < count; i++) {                                                       \
            int64_t value = (int64_t)mix(round, (uint64_t)pe, i);                                  \
            ((TYPE *)at)[i] = small ? (TYPE)(value % 3) : (TYPE)value / 1024;                      \
        }                                                                                          \
    }
#define COMPLEX_MODEL(NAME, TYPE)                                                                  \
    static void NAME##_fill(void *at, size_t count, uint64_t round, int pe, int small)             \
    {                                                                                              \
        (void)small;                                                                               \
        for (size_t i = 0; i < count; i++) {                                                       \
            uint64_t value = mix(round, (uint64_t)pe, i);                                          \
            ((TYPE *)at)[i] = (TYPE)((int)(value % 2)) + (TYPE)(I * (int)(value / 2 % 2));         \
        }                                                                                          \
    }                                                                                              \
    static void NAME##_combine(enum reduction reduction, void *to, const void *from, size_t count) \
    {                                                                                              \
        TYPE *a = to;                                                                              \
        const TYPE *b = from;                                                                      \
        for (size_t i = 0; i < count; i++)                                                         \
            a[i] = reduction == R_SUM ? a[i] + b[i] : a[i] * b[i];                                 \
    }
#define ORDER_CASES                                                                                \
    case R_MIN: a[i] = b[i] < a[i] ? b[i] : a[i]; break;                                           \
    case R_MAX: a[i] = b[i] > a[i] ? b[i] : a[i]; break;                                           \
    case R_SUM: a[i] += b[i]; break;                                                               \
    case R_PROD: a[i] *= b[i]; break;
#define BIT_CASES                                                                                  \
    case R_AND: a[i] &= b[i]; break;                                                               \
    case R_OR: a[i] |= b[i]; break;                                                                \
    case R_XOR: a[i] ^= b[i]; break;
#define COMBINE(NAME, TYPE, CASES)                                                                 \
    static void NAME##_combine(enum reduction reduction, void *to, const void *from, size_t count) \
    {                                                                                              \
        TYPE *a = to;                                                                              \
        const TYPE *b = from;                                                                      \
        for (size_t i = 0; i < count; i++)                                                         \
            switch (reduction) {                                                                   \
                CASES                                                                              \
            default: abort();                                                                      \
            }                                                                                      \
    }

#define DEFINE_PLAIN(NAME, TYPE)                                                                   \
    SUMS(NAME, TYPE) MOVES(NAME, TYPE) INTEGER_MODEL(NAME, TYPE) COMBINE(NAME, TYPE, ORDER_CASES)
#define DEFINE_BITWISE(NAME, TYPE)                                                                 \
    SUMS(NAME, TYPE) MOVES(NAME, TYPE) BITS(NAME, TYPE) INTEGER_MODEL(NAME, TYPE)                  \
    COMBINE(NAME, TYPE, ORDER_CASES BIT_CASES)
#define DEFINE_REAL(NAME, TYPE)                                                                    \
    SUMS(NAME, TYPE) MOVES(NAME, TYPE) REAL_MODEL(NAME, TYPE) COMBINE(NAME, TYPE, ORDER_CASES)
#define DEFINE_COMPLEX(NAME, TYPE) SUMS(NAME, TYPE) COMPLEX_MODEL(NAME, TYPE)

PLAIN_INTEGERS(DEFINE_PLAIN)
BITWISE_INTEGERS(DEFINE_BITWISE)
REALS(DEFINE_REAL)
COMPLEXES(DEFINE_COMPLEX)

#define COMMON_ROW(NAME, TYPE)                                                                     \
    .name = #NAME, .size = sizeof(TYPE), .reduce[R_SUM] = NAME##_sum_reduce,                       \
    .reduce[R_PROD] = NAME##_prod_reduce, .inscan = NAME##_sum_inscan,                             \
    .exscan = NAME##_sum_exscan, .fill = NAME##_fill, .combine = NAME##_combine,                   \
    .compare = NAME##_compare
#define MOVES_ROW(NAME)                                                                            \
    .reduce[R_MIN] = NAME##_min_reduce, .reduce[R_MAX] = NAME##_max_reduce,                        \
    .collect = NAME##_collect, .fcollect = NAME##_fcollect, .alltoall = NAME##_alltoall,           \
    .broadcast = NAME##_broadcast, .alltoalls = NAME##_alltoalls
#define BITS_ROW(NAME)                                                                             \
    .reduce[R_AND] = NAME##_and_reduce, .reduce[R_OR] = NAME##_or_reduce,                          \
    .reduce[R_XOR] = NAME##_xor_reduce
#define PLAIN_ROW(NAME, TYPE)   {COMMON_ROW(NAME, TYPE), MOVES_ROW(NAME)},
#define BITWISE_ROW(NAME, TYPE) {COMMON_ROW(NAME, TYPE), MOVES_ROW(NAME), BITS_ROW(NAME)},
#define COMPLEX_ROW(NAME, TYPE) {COMMON_ROW(NAME, TYPE)},

const struct type types[] = {
    PLAIN_INTEGERS(PLAIN_ROW) BITWISE_INTEGERS(BITWISE_ROW) REALS(PLAIN_ROW) COMPLEXES(COMPLEX_ROW)
};
const int type_count = sizeof types / sizeof *types;
