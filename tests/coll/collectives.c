/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every collective, for sizes around each change of algorithm, on four kinds of team, in place
 * where that is allowed. All values are checked; source changes as soon as each call returns;
 * what must not be written has a pattern that is checked too. With the argument "large": sizes that
 * nodes pass on to each other piece by piece.
 */
#include "teams.h"

#include <string.h>

struct sizes {
    size_t counts[11];
    size_t number;
    size_t largest;
    size_t largest_block; /* of which every PE has one for each */
};
static const struct sizes usual = {
    {0, 1, 2, 6, 7, 8, 9, 57, 1000, 2049, 100000}, 11, 100000, 2049};
static const struct sizes large = {{40000, 350001}, 2, 350001, 40000};

enum { GUARD = 3 };
static const uint64_t untouched = UINT64_C(0x5a5a5a5a5a5a5a5a);

static uint64_t *source, *dest;
static unsigned round_number;

static void fail_at(const struct group *group, const char *call, size_t count, size_t index,
                    uint64_t actual, uint64_t expected)
{
    printf("PE %d: %s of %zu on team %s, rank %d of %d: element %zu is %llx, not %llx\n",
           shmem_my_pe(), call, count, group->name, group->rank, group->size, index,
           (unsigned long long)actual, (unsigned long long)expected);
    test_end(TEST_STATUS_FAILED);
}

#define EXPECT(call, count, array, index, expected)                                                \
    do {                                                                                           \
        uint64_t actual_ = (array)[index], expected_ = (expected);                                 \
        if (actual_ != expected_)                                                                  \
            fail_at(group, call, count, index, actual_, expected_);                                \
    } while (0)

static void fill_source(const struct group *group, size_t count)
{
    round_number++;
    for (size_t i = 0; i < count; i++)
        source[i] = value(group->rank, i, round_number);
}

static void fill_dest(size_t count)
{
    for (size_t i = 0; i < count + GUARD; i++)
        dest[i] = untouched;
}

/* After a call: source may be reused at once. */
static void spoil_source(size_t count)
{
    for (size_t i = 0; i < count; i++)
        source[i] = ~untouched;
}

static void expect_guard(const struct group *group, const char *call, size_t count, size_t end)
{
    for (size_t i = end; i < end + GUARD; i++)
        EXPECT(call, count, dest, i, untouched);
}

static void test_broadcast(const struct group *group, size_t count)
{
    for (int root = 0; root < group->size; root += 1 + group->size / 3) {
        fill_source(group, count);
        fill_dest(count);
        shmem_team_sync(group->team);
        CHECK_EQ(shmem_uint64_broadcast(group->team, dest, source, count, root), 0);
        spoil_source(count);
        for (size_t i = 0; i < count; i++)
            EXPECT("broadcast", count, dest, i, value(root, i, round_number));
        expect_guard(group, "broadcast", count, count);
    }
}

static void test_fcollect(const struct group *group, size_t count)
{
    size_t total = count * (size_t)group->size;
    fill_source(group, count);
    fill_dest(total);
    shmem_team_sync(group->team);
    CHECK_EQ(shmem_uint64_fcollect(group->team, dest, source, count), 0);
    spoil_source(count);
    for (size_t i = 0; i < total; i++)
        EXPECT("fcollect", count, dest, i, value((int)(i / count), i % count, round_number));
    expect_guard(group, "fcollect", count, total);
}

/* Rank r brings a share of count that the round decides: nothing, half or all of it. */
static size_t brought(size_t count, int rank)
{
    return ((unsigned)rank + round_number) % 3 == 0
               ? 0
               : count * (1 + ((unsigned)rank + round_number) % 2) / 2;
}

static void test_collect(const struct group *group, size_t count)
{
    size_t at = 0;
    fill_source(group, count);
    fill_dest(count * (size_t)group->size);
    shmem_team_sync(group->team);
    CHECK_EQ(shmem_uint64_collect(group->team, dest, source, brought(count, group->rank)), 0);
    spoil_source(count);
    for (int rank = 0; rank < group->size; rank++)
        for (size_t i = 0; i < brought(count, rank); i++, at++)
            EXPECT("collect", count, dest, at, value(rank, i, round_number));
    expect_guard(group, "collect", count, at);
}

static void test_alltoall(const struct group *group, size_t count)
{
    size_t total = count * (size_t)group->size;
    fill_source(group, total);
    fill_dest(total);
    shmem_team_sync(group->team);
    CHECK_EQ(shmem_uint64_alltoall(group->team, dest, source, count), 0);
    spoil_source(total);
    for (size_t i = 0; i < total; i++)
        EXPECT("alltoall", count, dest, i,
               value((int)(i / count), (size_t)group->rank * count + i % count, round_number));
    expect_guard(group, "alltoall", count, total);
}

static void test_alltoalls(const struct group *group, size_t count)
{
    const size_t to = 2, from = 3;
    size_t total = count * (size_t)group->size;
    fill_source(group, total * from);
    fill_dest(total * to);
    shmem_team_sync(group->team);
    CHECK_EQ(shmem_uint64_alltoalls(group->team, dest, source, (ptrdiff_t)to, (ptrdiff_t)from,
                                    count), 0);
    spoil_source(total * from);
    for (size_t i = 0; i < total * to; i++) {
        size_t theirs = ((size_t)group->rank * count + i / to % count) * from;
        EXPECT("alltoalls", count, dest, i,
               i % to ? untouched : value((int)(i / to / count), theirs, round_number));
    }
    expect_guard(group, "alltoalls", count, total * to);
}

static uint64_t sum_of_ranks(int ranks, size_t index)
{
    uint64_t sum = 0;
    for (int rank = 0; rank < ranks; rank++)
        sum += value(rank, index, round_number);
    return sum;
}

static void test_reduce(const struct group *group, size_t count, bool in_place)
{
    uint64_t *result = in_place ? source : dest;
    fill_source(group, count);
    fill_dest(count);
    shmem_team_sync(group->team);
    CHECK_EQ(shmem_uint64_sum_reduce(group->team, result, source, count), 0);
    if (!in_place)
        spoil_source(count);
    for (size_t i = 0; i < count; i++)
        EXPECT(in_place ? "reduce in place" : "reduce", count, result, i,
               sum_of_ranks(group->size, i));
    expect_guard(group, "reduce", count, in_place ? 0 : count);
}

static void test_scan(const struct group *group, size_t count, bool exclusive, bool in_place)
{
    uint64_t *result = in_place ? source : dest;
    int ranks = group->rank + !exclusive;
    fill_source(group, count);
    fill_dest(count);
    shmem_team_sync(group->team);
    if (exclusive)
        CHECK_EQ(shmem_uint64_sum_exscan(group->team, result, source, count), 0);
    else
        CHECK_EQ(shmem_uint64_sum_inscan(group->team, result, source, count), 0);
    if (!in_place)
        spoil_source(count);
    for (size_t i = 0; i < count; i++)
        EXPECT(exclusive ? "exscan" : "inscan", count, result, i, sum_of_ranks(ranks, i));
    expect_guard(group, "scan", count, in_place ? 0 : count);
}

/* Elements narrower than a cache line's share, and of 16 bytes, which fit a note unaligned. */
static void test_widths(const struct group *group, size_t count)
{
    unsigned char *bytes = (unsigned char *)source, *byte_sums = (unsigned char *)dest;
    long double *wide = (long double *)source, *wide_sums = (long double *)dest;
    round_number++;
    for (size_t i = 0; i < count; i++)
        bytes[i] = (unsigned char)value(group->rank, i, round_number);
    shmem_team_sync(group->team);
    CHECK_EQ(shmem_uchar_sum_reduce(group->team, byte_sums, bytes, count), 0);
    for (size_t i = 0; i < count; i++)
        EXPECT("uchar reduce", count, byte_sums, i,
               (unsigned char)sum_of_ranks(group->size, i));
    for (size_t i = 0; i < count / 2; i++)
        wide[i] = (long double)(group->rank + 1) * (long double)i + 0.5L;
    shmem_team_sync(group->team);
    CHECK_EQ(shmem_longdouble_sum_inscan(group->team, wide_sums, wide, count / 2), 0);
    for (size_t i = 0; i < count / 2; i++) {
        int ranks = group->rank + 1;
        CHECK(wide_sums[i] ==
              (long double)(ranks * (ranks + 1) / 2) * (long double)i + 0.5L * ranks);
    }
}

int main(int argc, char **argv)
{
    struct group groups[GROUPS];
    const struct sizes *sizes = argc > 1 && !strcmp(argv[1], "large") ? &large : &usual;
    shmem_init();
    size_t block = sizes->largest_block * (size_t)shmem_n_pes() * 3;
    size_t room = (block > sizes->largest ? block : sizes->largest) + GUARD;
    source = shmem_malloc(room * sizeof *source);
    dest = shmem_malloc(room * sizeof *dest);
    CHECK(source && dest);
    groups_make(groups);
    for (int g = 0; g < GROUPS; g++) {
        const struct group *group = &groups[g];
        for (size_t s = 0; s < sizes->number; s++) {
            size_t count = sizes->counts[s];
            test_broadcast(group, count);
            for (int in_place = 0; in_place <= 1; in_place++) {
                test_reduce(group, count, in_place);
                test_scan(group, count, false, in_place);
                test_scan(group, count, true, in_place);
            }
            test_widths(group, count);
            if (count > sizes->largest_block)
                continue;
            test_fcollect(group, count);
            test_collect(group, count);
            test_alltoall(group, count);
            test_alltoalls(group, count);
        }
        shmem_barrier_all();
    }
    groups_destroy(groups);
    return test_finish();
}
