/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The type lists of the specification's tables, one X-macro list per set of types, and for each
 * type how to make a value and to compare two. The tests in this folder expand a list into thin
 * wrappers around the typed routines and run one ordinary C function over the rows.
 */
#ifndef TEST_TYPES_H
#define TEST_TYPES_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TYPES_FIXED(X)                                                                             \
    X(int32, int32_t) X(int64, int64_t) X(uint32, uint32_t) X(uint64, uint64_t)
#define TYPES_UNSIGNED(X)                                                                          \
    X(uint, unsigned int) X(ulong, unsigned long) X(ulonglong, unsigned long long)
#define TYPES_REAL(X) X(float, float) X(double, double)
#define TYPES_COMPLEX(X) X(complexf, float _Complex) X(complexd, double _Complex)

/* Deprecated AMOs; with fetch, set and swap on reals. */
#define TYPES_AMO_OLD(X) X(int, int) X(long, long) X(longlong, long long)
#define TYPES_AMO_OLD_EXTENDED(X) TYPES_AMO_OLD(X) TYPES_REAL(X)

/* AMOs: bitwise, standard, extended. */
#define TYPES_AMO_BITWISE(X) TYPES_UNSIGNED(X) TYPES_FIXED(X)
#define TYPES_AMO_NOT_BITWISE(X) TYPES_AMO_OLD(X) X(size, size_t) X(ptrdiff, ptrdiff_t)
#define TYPES_AMO(X) TYPES_AMO_NOT_BITWISE(X) TYPES_AMO_BITWISE(X)
#define TYPES_AMO_EXTENDED(X) TYPES_AMO(X) TYPES_REAL(X)

/* wait_until and test alone have the two shorts; wait has these four. */
#define TYPES_WAIT_SHORT(X) X(short, short) X(ushort, unsigned short)
#define TYPES_WAIT_UNTIL(X) TYPES_AMO(X) TYPES_WAIT_SHORT(X)
#define TYPES_WAIT_OLD(X) TYPES_AMO_OLD(X) X(short, short)

#define TYPES_INTEGER(X)                                                                           \
    TYPES_AMO(X) TYPES_WAIT_SHORT(X) X(char, char) X(schar, signed char)                           \
    X(uchar, unsigned char) X(int8, int8_t) X(int16, int16_t) X(uint8, uint8_t)                    \
    X(uint16, uint16_t)
#define TYPES_RMA(X) TYPES_INTEGER(X) TYPES_REAL(X) X(longdouble, long double)

/* Team reductions. */
#define TYPES_REDUCE_ORDERED(X) TYPES_RMA(X)
#define TYPES_REDUCE_SUM(X) TYPES_RMA(X) TYPES_COMPLEX(X)
#define TYPES_REDUCE_BITWISE(X)                                                                    \
    TYPES_AMO_BITWISE(X) X(size, size_t) X(uchar, unsigned char) X(ushort, unsigned short)         \
    X(int8, int8_t) X(int16, int16_t) X(uint8, uint8_t) X(uint16, uint16_t)

/* Active-set reductions. */
#define TYPES_TO_ALL_BITWISE(X) X(short, short) TYPES_AMO_OLD(X)
#define TYPES_TO_ALL_ORDERED(X)                                                                    \
    TYPES_TO_ALL_BITWISE(X) TYPES_REAL(X) X(longdouble, long double)
#define TYPES_TO_ALL_SUM(X) TYPES_TO_ALL_ORDERED(X) TYPES_COMPLEX(X)

/* No value is longer. */
#define TYPE_MAX_BYTES 16

/* Makes the value that belongs to key: among every five keys the type's limits and zero. */
struct test_type {
    const char *name;
    size_t size;
    void (*make)(void *value, uint64_t key);
    bool (*equal)(const void *a, const void *b);
    void (*minimum)(void *value);
    void (*maximum)(void *value);
    void (*small)(void *value, int number); /* number itself; for complex number + number i */
};

/* The row of a TYPENAME, or of "8" to "128" and "mem" (bytes). Ends the job when there is none. */
const struct test_type *test_type(const char *name);

/* count values of keys key, key + 1, ... */
void test_fill(const struct test_type *type, void *array, size_t count, uint64_t key);

/* Ends the job by name of what, type, and index unless both arrays have equal values. */
void test_compare(const struct test_type *type, const void *actual, const void *expected,
                  size_t count, const char *what);

#endif
