/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The operators' loops. Integers of one width share a loop: the result of wrapping sums, products and
 * bitwise operations does not depend on the sign; that of minimum and maximum does. So 52 loops serve 163
 * operators. Accumulator and operand never overlap, and compilers vectorize the loops at -O3.
 */
#include "coll/operators.h"

/* A loop on uint64_t, for example, serves long and long long, so its type may alias both. */
#define LOOP_TYPE(name, type) typedef type name __attribute__((may_alias))
LOOP_TYPE(u8, uint8_t);
LOOP_TYPE(u16, uint16_t);
LOOP_TYPE(u32, uint32_t);
LOOP_TYPE(u64, uint64_t);
LOOP_TYPE(i8, int8_t);
LOOP_TYPE(i16, int16_t);
LOOP_TYPE(i32, int32_t);
LOOP_TYPE(i64, int64_t);

#define LOOP(operation, type, wide, expression)                                                    \
    static void operation##_##type(void *accumulator, const void *operand, size_t count)           \
    {                                                                                              \
        type *restrict to = accumulator;                                                           \
        const type *restrict from = operand;                                                       \
        for (size_t i = 0; i < count; i++) {                                                       \
            wide a = to[i], b = from[i];                                                           \
            to[i] = (type)(expression);                                                            \
        }                                                                                          \
    }

/* Unsigned arithmetic wraps. Types smaller than int are widened to unsigned, not to int, where
 * 65535 * 65535 would overflow. */
#define WRAPPING_LOOPS(operation, symbol)                                                          \
    LOOP(operation, u8, unsigned, a symbol b)                                                      \
    LOOP(operation, u16, unsigned, a symbol b)                                                     \
    LOOP(operation, u32, u32, a symbol b)                                                          \
    LOOP(operation, u64, u64, a symbol b)
WRAPPING_LOOPS(and, &)
WRAPPING_LOOPS(or, |)
WRAPPING_LOOPS(xor, ^)
WRAPPING_LOOPS(sum, +)
WRAPPING_LOOPS(prod, *)

typedef long double longdouble;
typedef float _Complex complexf;
typedef double _Complex complexd;

#define FLOATING_LOOP(operation, type, symbol) LOOP(operation, type, type, a symbol b)
FLOATING_LOOP(sum, float, +)
FLOATING_LOOP(sum, double, +)
FLOATING_LOOP(sum, longdouble, +)
FLOATING_LOOP(sum, complexf, +)
FLOATING_LOOP(sum, complexd, +)
FLOATING_LOOP(prod, float, *)
FLOATING_LOOP(prod, double, *)
FLOATING_LOOP(prod, longdouble, *)
FLOATING_LOOP(prod, complexf, *)
FLOATING_LOOP(prod, complexd, *)

#define CHOOSING_LOOPS(type)                                                                       \
    LOOP(max, type, type, a < b ? b : a)                                                           \
    LOOP(min, type, type, b < a ? b : a)
CHOOSING_LOOPS(u8)
CHOOSING_LOOPS(u16)
CHOOSING_LOOPS(u32)
CHOOSING_LOOPS(u64)
CHOOSING_LOOPS(i8)
CHOOSING_LOOPS(i16)
CHOOSING_LOOPS(i32)
CHOOSING_LOOPS(i64)
CHOOSING_LOOPS(float)
CHOOSING_LOOPS(double)
CHOOSING_LOOPS(longdouble)

#define OPERATOR(operation, type_name, type, exact, loop)                                          \
    const struct sheaf_operator SHEAF_OPERATOR(operation, type_name) = {sizeof(type), (exact), (loop)};

#define BY_WIDTH(type, stem)                                                                       \
    (sizeof(type) == 1   ? stem##8                                                                 \
     : sizeof(type) == 2 ? stem##16                                                                \
     : sizeof(type) == 4 ? stem##32                                                                \
                         : stem##64)
#define IS_SIGNED(type) ((type)-1 < (type)1)

#define WRAPPING(operation, type_name, type)                                                       \
    OPERATOR(operation, type_name, type, true, BY_WIDTH(type, operation##_u))
#define CHOOSING(operation, type_name, type)                                                       \
    OPERATOR(operation, type_name, type, true,                                                     \
             IS_SIGNED(type) ? BY_WIDTH(type, operation##_i) : BY_WIDTH(type, operation##_u))
#define FLOATING(operation, type_name, type)                                                       \
    OPERATOR(operation, type_name, type, false, operation##_##type_name)

SHEAF_INTEGER_TYPES(WRAPPING, and)
SHEAF_INTEGER_TYPES(WRAPPING, or)
SHEAF_INTEGER_TYPES(WRAPPING, xor)
SHEAF_INTEGER_TYPES(WRAPPING, sum)
SHEAF_INTEGER_TYPES(WRAPPING, prod)
SHEAF_INTEGER_TYPES(CHOOSING, max)
SHEAF_INTEGER_TYPES(CHOOSING, min)
SHEAF_REAL_TYPES(FLOATING, max)
SHEAF_REAL_TYPES(FLOATING, min)
SHEAF_REAL_TYPES(FLOATING, sum)
SHEAF_REAL_TYPES(FLOATING, prod)
SHEAF_COMPLEX_TYPES(FLOATING, sum)
SHEAF_COMPLEX_TYPES(FLOATING, prod)
