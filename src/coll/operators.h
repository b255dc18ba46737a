/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The operators of reductions and scans: one table of types per operation. An operator is an
 * object named by operation and type, SHEAF_OPERATOR(sum, long).
 *
 * X(operation, TYPENAME, C type) follows the specification's type names. The bitwise operations
 * on char, schar, short, int, long, longlong and ptrdiff are an extension that other libraries
 * and old programs share, and so are the reductions of char and schar.
 */
#ifndef SHEAF_COLL_OPERATORS_H
#define SHEAF_COLL_OPERATORS_H

#include "coll/coll.h"

#define SHEAF_INTEGER_TYPES(X, operation)                                                          \
    X(operation, char, char)                                                                       \
    X(operation, schar, signed char)                                                               \
    X(operation, short, short)                                                                     \
    X(operation, int, int)                                                                         \
    X(operation, long, long)                                                                       \
    X(operation, longlong, long long)                                                              \
    X(operation, uchar, unsigned char)                                                             \
    X(operation, ushort, unsigned short)                                                           \
    X(operation, uint, unsigned int)                                                               \
    X(operation, ulong, unsigned long)                                                             \
    X(operation, ulonglong, unsigned long long)                                                    \
    X(operation, int8, int8_t)                                                                     \
    X(operation, int16, int16_t)                                                                   \
    X(operation, int32, int32_t)                                                                   \
    X(operation, int64, int64_t)                                                                   \
    X(operation, uint8, uint8_t)                                                                   \
    X(operation, uint16, uint16_t)                                                                 \
    X(operation, uint32, uint32_t)                                                                 \
    X(operation, uint64, uint64_t)                                                                 \
    X(operation, size, size_t)                                                                     \
    X(operation, ptrdiff, ptrdiff_t)

#define SHEAF_REAL_TYPES(X, operation)                                                             \
    X(operation, float, float)                                                                     \
    X(operation, double, double)                                                                   \
    X(operation, longdouble, long double)

#define SHEAF_COMPLEX_TYPES(X, operation)                                                          \
    X(operation, complexf, float _Complex)                                                         \
    X(operation, complexd, double _Complex)

#define SHEAF_DECLARE_OPERATOR(operation, type_name, type)                                         \
    extern const struct sheaf_operator SHEAF_OPERATOR(operation, type_name);

SHEAF_INTEGER_TYPES(SHEAF_DECLARE_OPERATOR, and)
SHEAF_INTEGER_TYPES(SHEAF_DECLARE_OPERATOR, or)
SHEAF_INTEGER_TYPES(SHEAF_DECLARE_OPERATOR, xor)
SHEAF_INTEGER_TYPES(SHEAF_DECLARE_OPERATOR, max)
SHEAF_INTEGER_TYPES(SHEAF_DECLARE_OPERATOR, min)
SHEAF_INTEGER_TYPES(SHEAF_DECLARE_OPERATOR, sum)
SHEAF_INTEGER_TYPES(SHEAF_DECLARE_OPERATOR, prod)
SHEAF_REAL_TYPES(SHEAF_DECLARE_OPERATOR, max)
SHEAF_REAL_TYPES(SHEAF_DECLARE_OPERATOR, min)
SHEAF_REAL_TYPES(SHEAF_DECLARE_OPERATOR, sum)
SHEAF_REAL_TYPES(SHEAF_DECLARE_OPERATOR, prod)
SHEAF_COMPLEX_TYPES(SHEAF_DECLARE_OPERATOR, sum)
SHEAF_COMPLEX_TYPES(SHEAF_DECLARE_OPERATOR, prod)

#undef SHEAF_DECLARE_OPERATOR

#endif
