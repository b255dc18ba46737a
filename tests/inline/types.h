/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The types of the routines that have inline forms, each with its least and its greatest value:
 * X(name, type, least, greatest). C and C++.
 */
#ifndef TEST_INLINE_TYPES_H
#define TEST_INLINE_TYPES_H

#include <float.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#define TYPES_BITWISE(X)                                                                           \
    X(uint, unsigned int, 0, UINT_MAX)                                                             \
    X(ulong, unsigned long, 0, ULONG_MAX)                                                          \
    X(ulonglong, unsigned long long, 0, ULLONG_MAX)                                                \
    X(int32, int32_t, INT32_MIN, INT32_MAX)                                                        \
    X(int64, int64_t, INT64_MIN, INT64_MAX)                                                        \
    X(uint32, uint32_t, 0, UINT32_MAX)                                                             \
    X(uint64, uint64_t, 0, UINT64_MAX)                                                             \
    X(int, int, INT_MIN, INT_MAX)                                                                  \
    X(long, long, LONG_MIN, LONG_MAX)                                                              \
    X(longlong, long long, LLONG_MIN, LLONG_MAX)
#define TYPES_ATOMIC(X)                                                                            \
    TYPES_BITWISE(X)                                                                               \
    X(size, size_t, 0, SIZE_MAX)                                                                   \
    X(ptrdiff, ptrdiff_t, PTRDIFF_MIN, PTRDIFF_MAX)
#define TYPES_REAL(X)                                                                              \
    X(float, float, -FLT_MAX, FLT_MAX)                                                             \
    X(double, double, -DBL_MAX, DBL_MAX)
#define TYPES_EXTENDED(X) TYPES_ATOMIC(X) TYPES_REAL(X)
#define TYPES_RMA(X)                                                                               \
    TYPES_EXTENDED(X)                                                                              \
    X(longdouble, long double, -LDBL_MAX, LDBL_MAX)                                                \
    X(char, char, CHAR_MIN, CHAR_MAX)                                                              \
    X(schar, signed char, SCHAR_MIN, SCHAR_MAX)                                                    \
    X(uchar, unsigned char, 0, UCHAR_MAX)                                                          \
    X(short, short, SHRT_MIN, SHRT_MAX)                                                            \
    X(ushort, unsigned short, 0, USHRT_MAX)                                                        \
    X(int8, int8_t, INT8_MIN, INT8_MAX)                                                            \
    X(int16, int16_t, INT16_MIN, INT16_MAX)                                                        \
    X(uint8, uint8_t, 0, UINT8_MAX)                                                                \
    X(uint16, uint16_t, 0, UINT16_MAX)

#endif
