/* SPDX-License-Identifier: BSD-3-Clause
 * See vector_add.h.
 */
#include "core/access/vector_add.h"

#include "base/atomic.h"

/* Of the caller's memory, at any address. */
typedef float any_float __attribute__((aligned(1), may_alias));
typedef double any_double __attribute__((aligned(1), may_alias));
typedef float sum_float __attribute__((may_alias));
typedef double sum_double __attribute__((may_alias));

/* Other threads may read a number meanwhile, by shmem_atomic_fetch: it is stored whole, which the sanitizer
 * for threads cannot see. FEATURES: of the processor. */
#define LOOP __attribute__((no_sanitize("thread")))
#define ADD(NAME, TYPE, SOURCE, FEATURES)                                                          \
    LOOP FEATURES static void add_##NAME(void *dest, const void *source, const void *alpha, size_t bytes) \
    {                                                                                              \
        TYPE *restrict to = dest;                                                                  \
        const SOURCE *restrict from = source;                                                      \
        const TYPE factor = *(const SOURCE *)alpha;                                                \
        for (size_t i = 0; i < bytes / sizeof(TYPE); i++)                                          \
            to[i] += factor * from[i];                                                             \
    }
#define ADD_PAIRS(NAME, TYPE, SOURCE, FEATURES)                                                    \
    LOOP FEATURES static void add_##NAME(void *dest, const void *source, const void *alpha, size_t bytes) \
    {                                                                                              \
        TYPE *restrict to = dest;                                                                  \
        const SOURCE *restrict from = source;                                                      \
        const TYPE real = ((const SOURCE *)alpha)[0], imaginary = ((const SOURCE *)alpha)[1];      \
        for (size_t i = 0; i < bytes / sizeof(TYPE); i += 2) {                                     \
            to[i] += real * from[i] - imaginary * from[i + 1];                                     \
            to[i + 1] += real * from[i + 1] + imaginary * from[i];                                 \
        }                                                                                          \
    }
/* X(number, name, type in memory, type of the caller's, plain or pairs) */
#define KINDS(X)                                                                                   \
    X(SHEAF_FLOAT, float, sum_float, any_float, ADD)                                               \
    X(SHEAF_DOUBLE, double, sum_double, any_double, ADD)                                           \
    X(SHEAF_COMPLEXF, complexf, sum_float, any_float, ADD_PAIRS)                                   \
    X(SHEAF_COMPLEXD, complexd, sum_double, any_double, ADD_PAIRS)

#define BASIC(number, name, type, source, kind)        kind(name, type, source, )
#define BASIC_PLACE(number, name, type, source, kind)  [number] = add_##name,
KINDS(BASIC)

typedef void adder(void *, const void *, const void *, size_t);
static adder *const basic[SHEAF_NUMBERS] = {KINDS(BASIC_PLACE)};

/* AVX-512 adds 4 KiB of doubles in 44 ns where AVX2 takes 84, and as fast as AVX2 from 64 KiB on. */
#ifdef __x86_64__
#define WIDE(number, name, type, source, kind)                                                     \
    kind(name##_wide, type, source, __attribute__((target("avx2"))))
#define WIDEST(number, name, type, source, kind)                                                   \
    kind(name##_widest, type, source, __attribute__((target("avx512f"))))
#define WIDE_PLACE(number, name, type, source, kind)   [number] = add_##name##_wide,
#define WIDEST_PLACE(number, name, type, source, kind) [number] = add_##name##_widest,
KINDS(WIDE)
KINDS(WIDEST)
static adder *const wide[SHEAF_NUMBERS] = {KINDS(WIDE_PLACE)};
static adder *const widest[SHEAF_NUMBERS] = {KINDS(WIDEST_PLACE)};

static adder *const *choose_width(void)
{
    return __builtin_cpu_supports("avx512f") ? widest : __builtin_cpu_supports("avx2") ? wide : basic;
}
#else
static adder *const *choose_width(void)
{
    return basic;
}
#endif

void sheaf_vector_add(enum sheaf_number number, void *to, const void *from, const void *alpha,
                      size_t bytes)
{
    static adder *const *adders;
    adder *const *now = sheaf_load_relaxed(&adders);
    if (sheaf_unlikely(!now)) {
        now = choose_width();
        sheaf_store_relaxed(&adders, now);
    }
    now[number](to, from, alpha, bytes);
}
