/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every wait and test routine, for all types: the six comparisons at the types' limits, and the
 * all, any and some forms with and without a mask, while a neighbour changes the variables.
 */
#include "wait.h"

#include "check.h"

#include <sched.h>
#include <string.h>

enum { ELEMENTS = 11, COMPARISONS = 6, MAX_POLLS = 100000000 };

static const int comparisons[COMPARISONS] = {SHMEM_CMP_EQ, SHMEM_CMP_NE, SHMEM_CMP_LT,
                                             SHMEM_CMP_LE, SHMEM_CMP_GT, SHMEM_CMP_GE};
static const char *const kind_names[WAIT_KINDS] = {"wait_until_all", "wait_until_any",
                                                   "wait_until_some", "test_all", "test_any",
                                                   "test_some"};

static _Alignas(16) char static_ivars[ELEMENTS * TYPE_MAX_BYTES];

static void check_comparisons(const struct wait_row *row, const struct test_type *type, void *ivar)
{
    for (int i = 0; i < 8 * 8 * COMPARISONS; i++) {
        const int cmp = comparisons[i % COMPARISONS];
        char value[TYPE_MAX_BYTES];
        type->make(ivar, (uint64_t)(i / COMPARISONS % 8));
        type->make(value, (uint64_t)(i / COMPARISONS / 8));
        const bool expected = row->holds(ivar, cmp, value);
        if ((row->test(ivar, cmp, value) != 0) != expected) {
            printf("type %s, comparison %d, values %d\n", type->name, cmp, i / COMPARISONS);
            CHECK(!"test agrees with the comparison in C");
        }
        if (expected)
            row->wait_until(ivar, cmp, value);
    }
}

/* My left neighbour changes my variable from the type's minimum to its maximum. */
static void check_wake(const struct wait_row *row, const struct test_type *type, void *ivar)
{
    const int me = shmem_my_pe();
    const int n = shmem_n_pes();
    char low[TYPE_MAX_BYTES];
    char high[TYPE_MAX_BYTES];
    type->minimum(low);
    type->maximum(high);
    for (int i = 0; i < COMPARISONS; i++) {
        const int cmp = comparisons[i];
        const void *value = row->holds(high, cmp, high) ? high : low;
        type->minimum(ivar);
        shmem_barrier_all();
        row->set(ivar, high, (me + 1) % n);
        if (row->holds(high, cmp, value)) {
            row->wait_until(ivar, cmp, value);
            row->wait_until(ivar, SHMEM_CMP_EQ, high);
        }
        shmem_barrier_all();
        test_compare(type, ivar, high, 1, "variable waited for");
        shmem_barrier_all();
    }
}

struct set {
    const struct test_type *type;
    const struct wait_row *row;
    wait_call *const *calls;
    bool vector;
    char *ivars;                             /* symmetric */
    char wanted[ELEMENTS * TYPE_MAX_BYTES];  /* what ivars will hold */
    int mask[ELEMENTS];                      /* nonzero: left out, and never changed */
    int included;
};

static size_t call(const struct set *set, enum wait_kind kind, size_t *indices, const int *status)
{
    int copy[ELEMENTS];
    memcpy(copy, status, sizeof copy);
    const size_t result = set->calls[kind](set->ivars, ELEMENTS, indices, status, SHMEM_CMP_EQ,
                                           set->wanted);
    CHECK(memcmp(copy, status, sizeof copy) == 0);
    return result;
}

static void check_value(const struct set *set, size_t index)
{
    const size_t offset = index * set->type->size;
    test_compare(set->type, set->ivars + offset, set->wanted + offset, 1, "variable reported");
}

/* Adds what one call reports to done, each index once, and returns how many that were. */
static int take(const struct set *set, enum wait_kind kind, int *done)
{
    size_t indices[ELEMENTS];
    const size_t result = call(set, kind, indices, done);
    if (kind == WAIT_ALL || kind == TEST_ALL) {
        CHECK(result <= 1);
        for (size_t i = 0; i < ELEMENTS && result; i++) {
            if (!done[i])
                check_value(set, i);
        }
        return result ? set->included : 0;
    }
    if (kind == WAIT_ANY || kind == TEST_ANY) {
        CHECK(result < ELEMENTS || (result == SIZE_MAX && kind == TEST_ANY));
        indices[0] = result;
    }
    const size_t count = kind == WAIT_SOME || kind == TEST_SOME ? result : result != SIZE_MAX;
    CHECK(count <= ELEMENTS);
    CHECK(count > 0 || kind == TEST_ANY || kind == TEST_SOME);
    for (size_t i = 0; i < count; i++) {
        CHECK(indices[i] < ELEMENTS);
        CHECK_EQ(done[indices[i]], 0);
        done[indices[i]] = 1;
        check_value(set, indices[i]);
    }
    return (int)count;
}

static void take_all(const struct set *set, enum wait_kind kind)
{
    int done[ELEMENTS];
    memcpy(done, set->mask, sizeof done);
    int taken = 0;
    for (long polls = 0; taken < set->included && polls < MAX_POLLS; polls++) {
        const int more = take(set, kind, done);
        taken += more;
        if (more == 0)
            sched_yield();
    }
    CHECK_EQ(taken, set->included);
}

static void nothing_yet(const struct set *set)
{
    size_t indices[ELEMENTS];
    CHECK_EQ(call(set, TEST_ALL, indices, set->mask), 0);
    CHECK(call(set, TEST_ANY, indices, set->mask) == SIZE_MAX);
    CHECK_EQ(call(set, TEST_SOME, indices, set->mask), 0);
}

static void nothing_left(const struct set *set)
{
    int all[ELEMENTS];
    size_t indices[ELEMENTS];
    for (int i = 0; i < ELEMENTS; i++)
        all[i] = i + 1;
    CHECK_EQ(call(set, WAIT_ALL, indices, all), 1);
    CHECK_EQ(call(set, TEST_ALL, indices, all), 1);
    CHECK(call(set, WAIT_ANY, indices, all) == SIZE_MAX);
    CHECK(call(set, TEST_ANY, indices, all) == SIZE_MAX);
    CHECK_EQ(call(set, WAIT_SOME, indices, all), 0);
    CHECK_EQ(call(set, TEST_SOME, indices, all), 0);
}

static void send(const struct set *set, uint64_t seed)
{
    const int right = (shmem_my_pe() + 1) % shmem_n_pes();
    const size_t first = test_random_below(&seed, ELEMENTS);
    for (size_t i = 0; i < ELEMENTS; i++) {
        const size_t index = (first + i * 4) % ELEMENTS;
        const size_t offset = index * set->type->size;
        if (!set->mask[index])
            set->row->set(set->ivars + offset, set->wanted + offset, right);
    }
}

static void check_kind(struct set *set, enum wait_kind kind)
{
    for (int i = 0; i < ELEMENTS; i++)
        set->type->small(set->ivars + (size_t)i * set->type->size, 0);
    shmem_barrier_all();
    nothing_yet(set);
    shmem_barrier_all();
    send(set, kind + 10 * (uint64_t)shmem_my_pe());
    take_all(set, kind);
    nothing_left(set);
    shmem_barrier_all();
}

static void check_sets(const struct wait_row *row, const struct test_type *type, char *ivars)
{
    struct set set = {.type = type, .row = row, .ivars = ivars};
    for (int variant = 0; variant < 4; variant++) {
        set.vector = variant % 2;
        set.calls = set.vector ? row->vector : row->scalar;
        set.included = 0;
        for (int i = 0; i < ELEMENTS; i++) {
            char *wanted = set.wanted + (size_t)i * type->size;
            set.mask[i] = variant / 2 && i % 3 == 2;
            set.included += !set.mask[i];
            if (set.vector)
                type->small(wanted, i + 1);
            else
                type->maximum(wanted);
        }
        for (int kind = 0; kind < WAIT_KINDS; kind++)
            check_kind(&set, kind);
    }
}

/* A null mask includes everything. */
static void check_null_mask(const struct wait_row *row, const struct test_type *type, char *ivars)
{
    char values[ELEMENTS * TYPE_MAX_BYTES];
    size_t indices[ELEMENTS];
    for (int i = 0; i < ELEMENTS; i++) {
        type->maximum(ivars + (size_t)i * type->size);
        type->maximum(values + (size_t)i * type->size);
    }
    for (int form = 0; form < 2; form++) {
        wait_call *const *calls = form ? row->vector : row->scalar;
        for (int kind = 0; kind < WAIT_KINDS; kind++) {
            const size_t result = calls[kind](ivars, ELEMENTS, indices, NULL, SHMEM_CMP_EQ, values);
            const bool picks = kind == WAIT_ANY || kind == TEST_ANY;
            const bool lists = kind == WAIT_SOME || kind == TEST_SOME;
            if (picks ? result >= ELEMENTS : result != (lists ? ELEMENTS : 1)) {
                printf("%s of %s: result %zu\n", kind_names[kind], type->name, result);
                CHECK(!"all are true with a null mask");
            }
        }
    }
}

static void check_old(const struct wait_old_row *row, void *ivar)
{
    const struct test_type *type = test_type(row->type);
    char zero[TYPE_MAX_BYTES];
    char one[TYPE_MAX_BYTES];
    type->small(zero, 0);
    type->small(one, 1);
    type->small(ivar, 0);
    shmem_barrier_all();
    row->set(ivar, one, (shmem_my_pe() + 1) % shmem_n_pes());
    row->wait(ivar, zero);
    test_compare(type, ivar, one, 1, "deprecated wait");
    shmem_barrier_all();
}

int main(void)
{
    shmem_init();
    char *heap = shmem_malloc(sizeof static_ivars);
    CHECK(heap != NULL);
    for (size_t i = 0; i < wait_row_count; i++) {
        const struct wait_row *row = &wait_rows[i];
        const struct test_type *type = test_type(row->type);
        char *ivars = i % 2 ? heap : static_ivars;
        check_comparisons(row, type, ivars);
        check_wake(row, type, ivars);
        check_sets(row, type, ivars);
        check_null_mask(row, type, ivars);
    }
    for (size_t i = 0; i < wait_old_row_count; i++)
        check_old(&wait_old_rows[i], i % 2 ? heap : static_ivars);
    shmem_free(heap);
    return test_finish();
}
