/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sums, products and so on of several arrays, in the order of the ranks, so that the result has the
 * same bits on all members. float16, bfloat16 and complex32 are combined as float32, and rounded once.
 */
#include "torch.h"

#include <complex.h>
#include <string.h>

#define BLOCK 2048 /* elements that stay in the first cache while all arrays are combined */

typedef void fold_t(void *out, const void *x, const void *y, size_t count);

#define FOLD(name, type, expression)                                                               \
    static void fold_##name(void *out, const void *x, const void *y, size_t count)                 \
    {                                                                                              \
        type *result = out;                                                                        \
        const type *xs = x, *ys = y;                                                               \
        for (size_t i = 0; i < count; i++) {                                                       \
            type a = xs[i], b = ys[i];                                                             \
            result[i] = (type)(expression);                                                        \
        }                                                                                          \
    }

/* Sums of signed integers wrap around, as torch's. A NaN wins. */
#define FOLD_ARITHMETIC(name, type, wide)                                                          \
    FOLD(sum_##name, type, (wide)a + (wide)b)                                                      \
    FOLD(product_##name, type, (wide)a *(wide)b)                                                   \
    FOLD(min_##name, type, a < b || a != a ? a : b)                                                \
    FOLD(max_##name, type, a > b || a != a ? a : b)
#define FOLD_INTEGER(name, type, wide)                                                             \
    FOLD_ARITHMETIC(name, type, wide)                                                              \
    FOLD(and_##name, type, a &b)                                                                   \
    FOLD(or_##name, type, a | b)                                                                   \
    FOLD(xor_##name, type, a ^ b)

FOLD_INTEGER(uint8, uint8_t, uint32_t)
FOLD_INTEGER(int8, int8_t, uint32_t)
FOLD_INTEGER(int16, int16_t, uint32_t)
FOLD_INTEGER(int32, int32_t, uint32_t)
FOLD_INTEGER(int64, int64_t, uint64_t)
FOLD_ARITHMETIC(float32, float, float)
FOLD_ARITHMETIC(float64, double, double)
FOLD(sum_complex64, float complex, a + b)
FOLD(product_complex64, float complex, a *b)
FOLD(sum_complex128, double complex, a + b)
FOLD(product_complex128, double complex, a *b)
FOLD(and_bool, uint8_t, a &&b)
FOLD(or_bool, uint8_t, a || b)
FOLD(xor_bool, uint8_t, !a != !b)

#define ROW_ARITHMETIC(name)                                                                       \
    [SHEAF_SUM] = fold_sum_##name, [SHEAF_PRODUCT] = fold_product_##name,                          \
    [SHEAF_MIN] = fold_min_##name, [SHEAF_MAX] = fold_max_##name
#define ROW_FLOAT(name)                                                                            \
    {                                                                                              \
        ROW_ARITHMETIC(name), [SHEAF_AVERAGE] = fold_sum_##name                                    \
    }
#define ROW_INTEGER(name)                                                                          \
    {                                                                                              \
        ROW_ARITHMETIC(name), [SHEAF_AND] = fold_and_##name, [SHEAF_OR] = fold_or_##name,          \
                              [SHEAF_XOR] = fold_xor_##name                                        \
    }
#define ROW_COMPLEX(name)                                                                          \
    {                                                                                              \
        [SHEAF_SUM] = fold_sum_##name, [SHEAF_AVERAGE] = fold_sum_##name,                          \
        [SHEAF_PRODUCT] = fold_product_##name                                                      \
    }

/* Halves go through float32. */
static fold_t *const folds[SHEAF_TYPES][SHEAF_COMBINES] = {
    [SHEAF_BOOL] = {[SHEAF_SUM] = fold_or_bool,
                    [SHEAF_PRODUCT] = fold_and_bool,
                    [SHEAF_MIN] = fold_and_bool,
                    [SHEAF_MAX] = fold_or_bool,
                    [SHEAF_AND] = fold_and_bool,
                    [SHEAF_OR] = fold_or_bool,
                    [SHEAF_XOR] = fold_xor_bool},
    [SHEAF_UINT8] = ROW_INTEGER(uint8),
    [SHEAF_INT8] = ROW_INTEGER(int8),
    [SHEAF_INT16] = ROW_INTEGER(int16),
    [SHEAF_INT32] = ROW_INTEGER(int32),
    [SHEAF_INT64] = ROW_INTEGER(int64),
    [SHEAF_FLOAT16] = ROW_FLOAT(float32),
    [SHEAF_BFLOAT16] = ROW_FLOAT(float32),
    [SHEAF_FLOAT32] = ROW_FLOAT(float32),
    [SHEAF_FLOAT64] = ROW_FLOAT(float64),
    [SHEAF_COMPLEX64] = ROW_COMPLEX(complex64),
    [SHEAF_COMPLEX128] = ROW_COMPLEX(complex128),
    [SHEAF_COMPLEX32] = {[SHEAF_SUM] = fold_sum_float32, [SHEAF_AVERAGE] = fold_sum_float32},
};

static const size_t sizes[SHEAF_TYPES] = {
    [SHEAF_BYTES] = 1,       [SHEAF_BOOL] = 1,      [SHEAF_UINT8] = 1,   [SHEAF_INT8] = 1,
    [SHEAF_INT16] = 2,       [SHEAF_INT32] = 4,     [SHEAF_INT64] = 8,   [SHEAF_FLOAT16] = 2,
    [SHEAF_BFLOAT16] = 2,    [SHEAF_FLOAT32] = 4,   [SHEAF_FLOAT64] = 8, [SHEAF_COMPLEX64] = 8,
    [SHEAF_COMPLEX128] = 16, [SHEAF_COMPLEX32] = 4,
};

size_t sheaf_combine_size(enum sheaf_torch_type type)
{
    return sizes[type];
}

bool sheaf_combine_has(enum sheaf_torch_type type, enum sheaf_torch_combine combine)
{
    return folds[type][combine] != NULL;
}

static inline float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* 2^112 moves the exponent from float16's bias to float32's, for subnormal numbers too. */
static inline float widen_float16(uint16_t half)
{
    uint32_t bits = (uint32_t)(half & 0x7fff) << 13, sign = (uint32_t)(half & 0x8000) << 16;
    uint32_t finite = bits_of(float_of(bits) * 0x1p112f), special = bits | 0x7f800000;
    return float_of((bits >= 0x0f800000 ? special : finite) | sign);
}

/* To the nearest, ties to even. Below 2^-14 the addition of 1/2 rounds to float16's smallest step,
 * 2^-24. */
static inline uint16_t narrow_float16(float value)
{
    uint32_t bits = bits_of(value), sign = bits >> 16 & 0x8000, size = bits & 0x7fffffff;
    uint32_t small = bits_of(float_of(size) + 0.5f) - bits_of(0.5f);
    uint32_t normal = (size + 0xc8000fffU + (size >> 13 & 1)) >> 13;
    uint32_t large = size > 0x7f800000 ? 0x7e00 : 0x7c00;
    return (uint16_t)(sign | (size >= 0x477ff000 ? large : size < 0x38800000 ? small : normal));
}

static inline float widen_bfloat16(uint16_t half)
{
    return float_of((uint32_t)half << 16);
}

static inline uint16_t narrow_bfloat16(float value)
{
    uint32_t bits = bits_of(value);
    uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
    return (uint16_t)((bits & 0x7fffffff) > 0x7f800000 ? 0x7fc0 : rounded);
}

#define CONVERT(name)                                                                              \
    static void widen_all_##name(float *out, const uint16_t *in, size_t count)                     \
    {                                                                                              \
        for (size_t i = 0; i < count; i++)                                                         \
            out[i] = widen_##name(in[i]);                                                          \
    }                                                                                              \
    static void narrow_all_##name(uint16_t *out, const float *in, size_t count)                    \
    {                                                                                              \
        for (size_t i = 0; i < count; i++)                                                         \
            out[i] = narrow_##name(in[i]);                                                         \
    }
CONVERT(float16)
CONVERT(bfloat16)

static void divide(enum sheaf_torch_type type, void *out, size_t count, int members)
{
    size_t parts = type == SHEAF_COMPLEX64 || type == SHEAF_COMPLEX128 ? 2 * count : count;
    if (type == SHEAF_FLOAT64 || type == SHEAF_COMPLEX128)
        for (size_t i = 0; i < parts; i++)
            ((double *)out)[i] /= members;
    else
        for (size_t i = 0; i < parts; i++)
            ((float *)out)[i] /= (float)members;
}

static void combine_halves(enum sheaf_torch_type type, enum sheaf_torch_combine combine,
                           uint16_t *out, const void *const *sources, int members, size_t at,
                           size_t count)
{
    float sum[BLOCK], next[BLOCK];
    void (*widen)(float *, const uint16_t *, size_t) =
        type == SHEAF_FLOAT16 ? widen_all_float16 : widen_all_bfloat16;
    widen(sum, (const uint16_t *)sources[0] + at, count);
    for (int i = 1; i < members; i++) {
        widen(next, (const uint16_t *)sources[i] + at, count);
        folds[type][combine](sum, sum, next, count);
    }
    if (combine == SHEAF_AVERAGE)
        divide(SHEAF_FLOAT32, sum, count, members);
    (type == SHEAF_FLOAT16 ? narrow_all_float16 : narrow_all_bfloat16)(out + at, sum, count);
}

/* out must not be one of the sources. */
void sheaf_combine(enum sheaf_torch_type type, enum sheaf_torch_combine combine, void *out,
                   const void *const *sources, int members, size_t elements)
{
    if (type == SHEAF_COMPLEX32) { /* its sums are those of its parts */
        type = SHEAF_FLOAT16;
        elements *= 2;
    }
    size_t size = sizes[type];
    for (size_t at = 0; at < elements; at += BLOCK) {
        size_t count = elements - at < BLOCK ? elements - at : BLOCK;
        char *result = (char *)out + at * size;
        if (type == SHEAF_FLOAT16 || type == SHEAF_BFLOAT16) {
            combine_halves(type, combine, out, sources, members, at, count);
            continue;
        }
        const void *so_far = (const char *)sources[0] + at * size;
        for (int i = 1; i < members; i++, so_far = result)
            folds[type][combine](result, so_far, (const char *)sources[i] + at * size, count);
        if (members == 1)
            memcpy(result, so_far, count * size);
        if (combine == SHEAF_AVERAGE)
            divide(type, result, count, members);
    }
}
