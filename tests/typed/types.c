/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Values of each type: the limits, zero, and numbers in between that no other type's
 * arithmetic would keep.
 */
#include "types.h"

#include "check.h"

#include <float.h>
#include <limits.h>
#include <string.h>

enum { LIMIT_LOW, LIMIT_HIGH, ZERO, CHOICES = 5 };

static uint64_t mixed(uint64_t key)
{
    return test_random(&key);
}

#define IS_SIGNED(TYPE) ((TYPE)-1 < (TYPE)1)
#define INTEGER_MAX(TYPE)                                                                          \
    (IS_SIGNED(TYPE) ? (TYPE)((UINT64_C(1) << (sizeof(TYPE) * CHAR_BIT - 1)) - 1) : (TYPE)-1)
#define INTEGER_MIN(TYPE) (IS_SIGNED(TYPE) ? (TYPE)(-INTEGER_MAX(TYPE) - 1) : (TYPE)0)

#define DEFINE_COMMON(NAME, TYPE)                                                                  \
    static bool equal_##NAME(const void *a, const void *b)                                         \
    {                                                                                              \
        return *(const TYPE *)a == *(const TYPE *)b;                                               \
    }                                                                                              \
    static void make_##NAME(void *value, uint64_t key)                                             \
    {                                                                                              \
        switch (key % CHOICES) {                                                                   \
        case LIMIT_LOW:                                                                            \
            minimum_##NAME(value);                                                                 \
            break;                                                                                 \
        case LIMIT_HIGH:                                                                           \
            maximum_##NAME(value);                                                                 \
            break;                                                                                 \
        case ZERO:                                                                                 \
            small_##NAME(value, 0);                                                                \
            break;                                                                                 \
        default:                                                                                   \
            between_##NAME(value, mixed(key));                                                     \
        }                                                                                          \
    }

#define DEFINE_INTEGER(NAME, TYPE)                                                                 \
    static void minimum_##NAME(void *value)                                                        \
    {                                                                                              \
        *(TYPE *)value = INTEGER_MIN(TYPE);                                                        \
    }                                                                                              \
    static void maximum_##NAME(void *value)                                                        \
    {                                                                                              \
        *(TYPE *)value = INTEGER_MAX(TYPE);                                                        \
    }                                                                                              \
    static void small_##NAME(void *value, int number)                                              \
    {                                                                                              \
        *(TYPE *)value = (TYPE)number;                                                             \
    }                                                                                              \
    static void between_##NAME(void *value, uint64_t bits)                                         \
    {                                                                                              \
        memcpy(value, &bits, sizeof(TYPE));                                                        \
    }                                                                                              \
    DEFINE_COMMON(NAME, TYPE)
TYPES_INTEGER(DEFINE_INTEGER)

/* A number in between uses the lowest bit of the type's own precision. */
#define DEFINE_REAL(NAME, TYPE, MAXIMUM, EPSILON)                                                  \
    static void minimum_##NAME(void *value)                                                        \
    {                                                                                              \
        *(TYPE *)value = -(MAXIMUM);                                                               \
    }                                                                                              \
    static void maximum_##NAME(void *value)                                                        \
    {                                                                                              \
        *(TYPE *)value = (MAXIMUM);                                                                \
    }                                                                                              \
    static void small_##NAME(void *value, int number)                                              \
    {                                                                                              \
        *(TYPE *)value = (TYPE)number;                                                             \
    }                                                                                              \
    static void between_##NAME(void *value, uint64_t bits)                                         \
    {                                                                                              \
        *(TYPE *)value = (TYPE)(1 + (EPSILON)) * (TYPE)(1 + bits % 1024);                          \
    }                                                                                              \
    DEFINE_COMMON(NAME, TYPE)
DEFINE_REAL(float, float, FLT_MAX, FLT_EPSILON)
DEFINE_REAL(double, double, DBL_MAX, DBL_EPSILON)
DEFINE_REAL(longdouble, long double, LDBL_MAX, LDBL_EPSILON)

#define DEFINE_COMPLEX(NAME, TYPE, PART, MAXIMUM, EPSILON)                                         \
    static void minimum_##NAME(void *value)                                                        \
    {                                                                                              \
        PART *part = value;                                                                        \
        part[0] = -(MAXIMUM);                                                                      \
        part[1] = (MAXIMUM);                                                                       \
    }                                                                                              \
    static void maximum_##NAME(void *value)                                                        \
    {                                                                                              \
        PART *part = value;                                                                        \
        part[0] = (MAXIMUM);                                                                       \
        part[1] = -(MAXIMUM);                                                                      \
    }                                                                                              \
    static void small_##NAME(void *value, int number)                                              \
    {                                                                                              \
        PART *part = value;                                                                        \
        part[0] = part[1] = (PART)number;                                                          \
    }                                                                                              \
    static void between_##NAME(void *value, uint64_t bits)                                         \
    {                                                                                              \
        PART *part = value;                                                                        \
        part[0] = (PART)(1 + (EPSILON)) * (PART)(bits % 1024);                                     \
        part[1] = -(PART)(bits % 509);                                                             \
    }                                                                                              \
    DEFINE_COMMON(NAME, TYPE)
DEFINE_COMPLEX(complexf, float _Complex, float, FLT_MAX, FLT_EPSILON)
DEFINE_COMPLEX(complexd, double _Complex, double, DBL_MAX, DBL_EPSILON)

#define DEFINE_BYTES(NAME, BYTES)                                                                  \
    static bool equal_##NAME(const void *a, const void *b)                                         \
    {                                                                                              \
        return memcmp(a, b, BYTES) == 0;                                                           \
    }                                                                                              \
    static void make_##NAME(void *value, uint64_t key)                                             \
    {                                                                                              \
        const uint64_t bits[2] = {mixed(key), mixed(~key)};                                        \
        memcpy(value, bits, BYTES);                                                                \
    }                                                                                              \
    static void minimum_##NAME(void *value)                                                        \
    {                                                                                              \
        memset(value, 0, BYTES);                                                                   \
    }                                                                                              \
    static void maximum_##NAME(void *value)                                                        \
    {                                                                                              \
        memset(value, 0xff, BYTES);                                                                \
    }                                                                                              \
    static void small_##NAME(void *value, int number)                                              \
    {                                                                                              \
        memset(value, number, BYTES);                                                              \
    }
DEFINE_BYTES(bytes1, 1)
DEFINE_BYTES(bytes2, 2)
DEFINE_BYTES(bytes4, 4)
DEFINE_BYTES(bytes8, 8)
DEFINE_BYTES(bytes16, 16)

#define ROW_AS(TEXT, NAME, SIZE)                                                                   \
    {TEXT, SIZE, make_##NAME, equal_##NAME, minimum_##NAME, maximum_##NAME, small_##NAME},
#define ROW(NAME, TYPE) ROW_AS(#NAME, NAME, sizeof(TYPE))

static const struct test_type rows[] = {
    TYPES_REDUCE_SUM(ROW)
    ROW_AS("mem", bytes1, 1)
    ROW_AS("8", bytes1, 1)
    ROW_AS("16", bytes2, 2)
    ROW_AS("32", bytes4, 4)
    ROW_AS("64", bytes8, 8)
    ROW_AS("128", bytes16, 16)
};

const struct test_type *test_type(const char *name)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    }
    printf("PE %d: no type %s\n", test_pe(), name);
    test_end(TEST_STATUS_FAILED);
    return NULL;
}

void test_fill(const struct test_type *type, void *array, size_t count, uint64_t key)
{
    memset(array, 0, count * type->size);
    for (size_t i = 0; i < count; i++)
        type->make((char *)array + i * type->size, key + i);
}

static void print_bytes(const char *label, const void *value, size_t size)
{
    printf(" %s ", label);
    for (size_t i = 0; i < size; i++)
        printf("%02x", ((const unsigned char *)value)[i]);
}

void test_compare(const struct test_type *type, const void *actual, const void *expected,
                  size_t count, const char *what)
{
    for (size_t i = 0; i < count; i++) {
        const char *a = (const char *)actual + i * type->size;
        const char *e = (const char *)expected + i * type->size;
        if (type->equal(a, e))
            continue;
        printf("PE %d: %s of %s: element %zu:", test_pe(), what, type->name, i);
        print_bytes("got", a, type->size);
        print_bytes("expected", e, type->size);
        printf("\n");
        test_end(TEST_STATUS_FAILED);
    }
}
