/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sets of variables: masks are only read, an empty set never blocks, what no element satisfies,
 * fairness of the any forms, one comparison value per element.
 */
#include "check.h"

#include <string.h>

enum { ELEMENTS = 8, ROUNDS = 400 };

static long ivars[ELEMENTS];
static size_t indices[ELEMENTS];

/* In memory that cannot be written, as the program sees it. */
static const int skip_all[ELEMENTS] = {1, -1, 2, 1000, 1, 1 << 30, -(1 << 30), 7};
static const int skip_odd[ELEMENTS] = {0, 1, 0, 1, 0, 1, 0, 1};
static const long zeros[ELEMENTS], ones[ELEMENTS] = {1, 1, 1, 1, 1, 1, 1, 1};

static void reset(long value)
{
    for (int i = 0; i < ELEMENTS; i++)
        ivars[i] = value;
    shmem_barrier_all();
}

static void empty_set_never_blocks(size_t count, const int *status)
{
    const int eq = SHMEM_CMP_EQ;
    shmem_long_wait_until_all(ivars, count, status, eq, 1);
    shmem_long_wait_until_all_vector(ivars, count, status, eq, ones);
    CHECK(shmem_long_wait_until_any(ivars, count, status, eq, 1) == SIZE_MAX);
    CHECK(shmem_long_wait_until_any_vector(ivars, count, status, eq, ones) == SIZE_MAX);
    CHECK_EQ(shmem_long_wait_until_some(ivars, count, indices, status, eq, 1), 0);
    CHECK_EQ(shmem_long_wait_until_some_vector(ivars, count, indices, status, eq, ones), 0);
    CHECK_EQ(shmem_long_test_all(ivars, count, status, eq, 1), 1);
    CHECK_EQ(shmem_long_test_all_vector(ivars, count, status, eq, ones), 1);
    CHECK(shmem_long_test_any(ivars, count, status, eq, 1) == SIZE_MAX);
    CHECK(shmem_long_test_any_vector(ivars, count, status, eq, ones) == SIZE_MAX);
    CHECK_EQ(shmem_long_test_some(ivars, count, indices, status, eq, 1), 0);
    CHECK_EQ(shmem_long_test_some_vector(ivars, count, indices, status, eq, ones), 0);
}

static void wait_on_empty_sets(void)
{
    reset(0);
    empty_set_never_blocks(0, NULL);
    empty_set_never_blocks(0, skip_all);
    empty_set_never_blocks(ELEMENTS, skip_all);
    empty_set_never_blocks(0, skip_odd);
}

static void tests_with_nothing_true(void)
{
    reset(0);
    const int *const masks[] = {NULL, skip_odd};
    for (int i = 0; i < 2; i++) {
        CHECK(shmem_long_test_any(ivars, ELEMENTS, masks[i], SHMEM_CMP_EQ, 1) == SIZE_MAX);
        CHECK_EQ(shmem_long_test_some(ivars, ELEMENTS, indices, masks[i], SHMEM_CMP_EQ, 1), 0);
        CHECK_EQ(shmem_long_test_all(ivars, ELEMENTS, masks[i], SHMEM_CMP_EQ, 1), 0);
        CHECK(shmem_long_test_any_vector(ivars, ELEMENTS, masks[i], SHMEM_CMP_GT, zeros)
              == SIZE_MAX);
        CHECK_EQ(shmem_long_test_all_vector(ivars, ELEMENTS, masks[i], SHMEM_CMP_GT, zeros), 0);
    }
    ivars[3] = 1;
    CHECK_EQ(shmem_long_test_all(ivars, ELEMENTS, NULL, SHMEM_CMP_EQ, 1), 0);
    CHECK_EQ(shmem_long_test_any(ivars, ELEMENTS, NULL, SHMEM_CMP_EQ, 1), 3);
}

static void masked_elements_do_not_count(void)
{
    reset(1);
    ivars[1] = ivars[3] = ivars[5] = ivars[7] = 0;
    CHECK_EQ(shmem_long_test_all(ivars, ELEMENTS, skip_odd, SHMEM_CMP_EQ, 1), 1);
    shmem_long_wait_until_all(ivars, ELEMENTS, skip_odd, SHMEM_CMP_EQ, 1);
    CHECK(shmem_long_test_any(ivars, ELEMENTS, skip_odd, SHMEM_CMP_EQ, 0) == SIZE_MAX);
    CHECK_EQ(shmem_long_wait_until_any(ivars, ELEMENTS, skip_odd, SHMEM_CMP_EQ, 1) % 2, 0);
    CHECK_EQ(shmem_long_test_some(ivars, ELEMENTS, indices, skip_odd, SHMEM_CMP_EQ, 1), 4);
    for (int i = 0; i < 4; i++)
        CHECK_EQ(indices[i] % 2, 0);
}

/* Each once, in any order: all that hold at the time of the call are found. */
static void some_tests_every_element(void)
{
    for (unsigned pattern = 1; pattern < 1u << ELEMENTS; pattern += 3) {
        unsigned seen = 0;
        for (int i = 0; i < ELEMENTS; i++)
            ivars[i] = pattern >> i & 1;
        const int eq = SHMEM_CMP_EQ;
        const size_t count =
            pattern % 2 ? shmem_long_wait_until_some(ivars, ELEMENTS, indices, NULL, eq, 1)
                        : shmem_long_test_some(ivars, ELEMENTS, indices, NULL, eq, 1);
        for (size_t i = 0; i < count; i++) {
            CHECK(indices[i] < ELEMENTS);
            CHECK_EQ(seen >> indices[i] & 1, 0);
            seen |= 1u << indices[i];
        }
        CHECK_EQ(seen, pattern);
    }
}

typedef size_t any_call(void);

static size_t wait_any(void)
{
    return shmem_long_wait_until_any(ivars, ELEMENTS, NULL, SHMEM_CMP_EQ, 1);
}

static size_t wait_any_vector(void)
{
    return shmem_long_wait_until_any_vector(ivars, ELEMENTS, NULL, SHMEM_CMP_EQ, ones);
}

static size_t test_any(void)
{
    return shmem_long_test_any(ivars, ELEMENTS, NULL, SHMEM_CMP_EQ, 1);
}

static size_t test_any_vector(void)
{
    return shmem_long_test_any_vector(ivars, ELEMENTS, NULL, SHMEM_CMP_EQ, ones);
}

/* All are satisfied and stay so: each must be reported sooner or later. */
static void any_is_fair(void)
{
    any_call *const calls[] = {wait_any, wait_any_vector, test_any, test_any_vector};
    reset(1);
    for (int i = 0; i < 4; i++) {
        int times[ELEMENTS] = {0};
        for (int round = 0; round < ROUNDS; round++) {
            const size_t index = calls[i]();
            CHECK(index < ELEMENTS);
            times[index]++;
        }
        for (int j = 0; j < ELEMENTS; j++)
            CHECK(times[j] > 0);
    }
}

static void vector_compares_each_with_its_own_value(void)
{
    const long wanted[ELEMENTS] = {5, -5, 7, 0, 9, 1, 2, 3};
    reset(0);
    memcpy(ivars, wanted, sizeof ivars);
    CHECK_EQ(shmem_long_test_all_vector(ivars, ELEMENTS, NULL, SHMEM_CMP_EQ, wanted), 1);
    CHECK_EQ(shmem_long_test_all_vector(ivars, ELEMENTS, NULL, SHMEM_CMP_GT, wanted), 0);
    ivars[4]++;
    CHECK_EQ(shmem_long_test_all_vector(ivars, ELEMENTS, NULL, SHMEM_CMP_EQ, wanted), 0);
    CHECK_EQ(shmem_long_test_any_vector(ivars, ELEMENTS, NULL, SHMEM_CMP_GT, wanted), 4);
    CHECK_EQ(shmem_long_wait_until_any_vector(ivars, ELEMENTS, NULL, SHMEM_CMP_NE, wanted), 4);
    CHECK_EQ(shmem_long_test_some_vector(ivars, ELEMENTS, indices, NULL, SHMEM_CMP_EQ, wanted),
             ELEMENTS - 1);
}

static void types_compare_signed_or_unsigned(void)
{
    static unsigned int unsigned_int = UINT32_MAX;
    static int signed_int = -1;
    static size_t size = SIZE_MAX;
    static ptrdiff_t difference = -1;
    CHECK_EQ(shmem_uint_test(&unsigned_int, SHMEM_CMP_GT, 0), 1);
    CHECK_EQ(shmem_int_test(&signed_int, SHMEM_CMP_GT, 0), 0);
    CHECK_EQ(shmem_size_test(&size, SHMEM_CMP_GE, SIZE_MAX / 2 + 1), 1);
    CHECK_EQ(shmem_ptrdiff_test(&difference, SHMEM_CMP_LT, 0), 1);
    shmem_uint_wait_until(&unsigned_int, SHMEM_CMP_GT, 5);
    shmem_ptrdiff_wait_until(&difference, SHMEM_CMP_LE, -1);
}

int main(void)
{
    shmem_init();
    wait_on_empty_sets();
    tests_with_nothing_true();
    masked_elements_do_not_count();
    some_tests_every_element();
    any_is_fair();
    vector_compares_each_with_its_own_value();
    types_compare_signed_or_unsigned();
    return test_finish();
}
