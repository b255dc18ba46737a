/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collectives: who gets what, in which layout, that no caller has to synchronize for another's
 * source, and what barriers and syncs complete.
 */
#include "check.h"

#include <string.h>
#include <unistd.h>

enum { ELEMENTS = 4, MAX_PES = 64, ROUNDS = 60, STRIDE = 3 };

static long source[MAX_PES * ELEMENTS * STRIDE], dest[MAX_PES * ELEMENTS * STRIDE];
static long work[ELEMENTS + SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static long bcast_sync[SHMEM_BCAST_SYNC_SIZE];
static long reduce_sync[2][SHMEM_REDUCE_SYNC_SIZE];
static long barrier_sync[SHMEM_BARRIER_SYNC_SIZE];
static const shmem_team_t world = SHMEM_TEAM_WORLD;

static void fill(int me)
{
    for (size_t i = 0; i < sizeof source / sizeof source[0]; i++) {
        source[i] = 1000 * me + (long)i;
        dest[i] = -1;
    }
    shmem_barrier_all();
}

static void team_broadcast_writes_dest_on_the_root(int me, int n)
{
    for (int root = 0; root < n; root++) {
        fill(me);
        CHECK_EQ(shmem_long_broadcast(world, dest, source, ELEMENTS, root), 0);
        for (int i = 0; i < ELEMENTS; i++)
            CHECK_EQ(dest[i], 1000 * root + i);
        CHECK_EQ(dest[ELEMENTS], -1);
        shmem_barrier_all();
    }
}

static void active_set_broadcast_leaves_the_roots_dest(int me, int n)
{
    for (int root = 0; root < n; root++) {
        fill(me);
        shmem_broadcast64(dest, source, ELEMENTS, root, 0, 0, n, bcast_sync);
        CHECK_EQ(dest[0], me == root ? -1 : 1000 * root);
        CHECK_EQ(dest[ELEMENTS - 1], me == root ? -1 : 1000 * root + ELEMENTS - 1);
    }
    shmem_barrier_all();
}

static void roots_are_numbered_in_the_team_or_set(int me, int n)
{
    shmem_team_t backwards;
    CHECK_EQ(shmem_team_split_strided(world, n - 1, -1, n, NULL, 0, &backwards), 0);
    fill(me);
    CHECK_EQ(shmem_long_broadcast(backwards, dest, source, 1, 0), 0);
    CHECK_EQ(dest[0], 1000 * (n - 1));
    shmem_team_destroy(backwards);
    fill(me);
    /* PEs 1, 3, 5, ...: ordinal 1 is PE 3. */
    if (n >= 4 && me % 2 == 1) {
        shmem_broadcast64(dest, source, 1, 1, 1, 1, n / 2, bcast_sync);
        CHECK_EQ(dest[0], me == 3 ? -1 : 3000);
    }
    shmem_barrier_all();
}

static void collect_takes_varying_and_no_elements(int me, int n)
{
    for (int shift = 0; shift < 3; shift++) {
        fill(me);
        CHECK_EQ(shmem_long_collect(world, dest, source, (size_t)((me + shift) % 3)), 0);
        long at = 0;
        for (int pe = 0; pe < n; pe++) {
            for (int i = 0; i < (pe + shift) % 3; i++)
                CHECK_EQ(dest[at++], 1000 * pe + i);
        }
        CHECK_EQ(dest[at], -1);
        shmem_barrier_all();
    }
    fill(me);
    CHECK_EQ(shmem_long_collect(world, dest, source, 0), 0);
    CHECK_EQ(dest[0], -1);
    CHECK_EQ(shmem_long_collect(world, dest, source, me == n - 1 ? 2 : 0), 0);
    CHECK_EQ(dest[1], 1000 * (n - 1) + 1);
    shmem_barrier_all();
}

/* Block k begins at element k * nelems * stride, on both sides. */
static void alltoalls_blocks_begin_after_whole_strided_blocks(int me, int n)
{
    enum { DST = 2, SST = 3 };
    fill(me);
    CHECK_EQ(shmem_long_alltoalls(world, dest, source, DST, SST, ELEMENTS), 0);
    for (int pe = 0; pe < n; pe++) {
        for (int i = 0; i < ELEMENTS; i++) {
            const long at = (long)(pe * ELEMENTS + i) * DST;
            CHECK_EQ(dest[at], 1000 * pe + (me * ELEMENTS + i) * SST);
            CHECK_EQ(dest[at + 1], -1);
        }
    }
    shmem_barrier_all();
}

static void alltoallsmem_counts_bytes(int me, int n)
{
    fill(me);
    const char *from = (const char *)source;
    char *to = (char *)dest;
    memset(to, 0x55, sizeof dest);
    for (int i = 0; i < n * ELEMENTS * STRIDE; i++)
        ((char *)source)[i] = (char)(me * 16 + i);
    CHECK_EQ(from[1], (char)(me * 16 + 1));
    shmem_barrier_all();
    CHECK_EQ(shmem_alltoallsmem(world, to, from, 2, STRIDE, ELEMENTS), 0);
    for (int pe = 0; pe < n; pe++) {
        for (int i = 0; i < ELEMENTS; i++) {
            const int at = (pe * ELEMENTS + i) * 2;
            CHECK_EQ(to[at], (char)(pe * 16 + (me * ELEMENTS + i) * STRIDE));
            CHECK_EQ(to[at + 1], 0x55);
        }
    }
    shmem_barrier_all();
}

static void reductions_and_scans_work_in_place(int me, int n)
{
    fill(me);
    CHECK_EQ(shmem_long_sum_reduce(world, source, source, ELEMENTS), 0);
    CHECK_EQ(source[1], 1000L * n * (n - 1) / 2 + n);
    CHECK_EQ(source[ELEMENTS], 1000 * me + ELEMENTS);
    fill(me);
    CHECK_EQ(shmem_long_max_reduce(world, source, source, ELEMENTS), 0);
    CHECK_EQ(source[1], 1000 * (n - 1) + 1);
    fill(me);
    CHECK_EQ(shmem_long_sum_inscan(world, source, source, ELEMENTS), 0);
    CHECK_EQ(source[1], 1000L * me * (me + 1) / 2 + me + 1);
    fill(me);
    CHECK_EQ(shmem_long_sum_exscan(world, source, source, ELEMENTS), 0);
    CHECK_EQ(source[1], 1000L * me * (me - 1) / 2 + me);
    shmem_long_min_to_all(source, source, ELEMENTS, 0, 0, n, work, reduce_sync[0]);
    CHECK_EQ(source[1], 0);
    shmem_barrier_all();
}

static void exscan_is_zero_on_the_first_pe(int me)
{
    static double reals[ELEMENTS], sums[ELEMENTS];
    fill(me);
    for (int i = 0; i < ELEMENTS; i++) {
        reals[i] = me + 0.5;
        sums[i] = -7;
    }
    shmem_barrier_all();
    CHECK_EQ(shmem_double_sum_exscan(world, sums, reals, ELEMENTS), 0);
    for (int i = 0; i < ELEMENTS; i++)
        CHECK(me == 0 ? sums[i] == 0.0 : sums[i] == 0.5 * me * me);
    shmem_barrier_all();
}

/* Each PE changes its source as soon as it may, and comes late in turn; dests alternate. */
static void sources_need_no_sync_among_pes(int me, int n)
{
    static long term[2], sum[2], all[2][MAX_PES];
    for (int round = 0; round < ROUNDS; round++) {
        const int side = round % 2;
        if (round % n == me && round % 8 == 0)
            usleep(300);
        term[side] = 10 * round + me;
        CHECK_EQ(shmem_long_sum_reduce(world, &sum[side], &term[side], 1), 0);
        term[side] = -1;
        CHECK_EQ(sum[side], 10L * round * n + (long)n * (n - 1) / 2);
        term[side] = round * 3 + me;
        CHECK_EQ(shmem_long_fcollect(world, all[side], &term[side], 1), 0);
        term[side] = -2;
        for (int pe = 0; pe < n; pe++)
            CHECK_EQ(all[side][pe], round * 3 + pe);
    }
    shmem_barrier_all();
}

static void back_to_back_collectives_on_one_team(int me, int n)
{
    static long parts[ROUNDS], firsts[ROUNDS], sums[ROUNDS], scans[ROUNDS];
    for (int i = 0; i < ROUNDS; i++)
        parts[i] = 100 * i + me;
    shmem_barrier_all();
    for (int i = 0; i < ROUNDS; i++) {
        CHECK_EQ(shmem_long_broadcast(world, &firsts[i], &parts[i], 1, i % n), 0);
        CHECK_EQ(shmem_long_sum_reduce(world, &sums[i], &parts[i], 1), 0);
        CHECK_EQ(shmem_long_sum_inscan(world, &scans[i], &parts[i], 1), 0);
    }
    for (int i = 0; i < ROUNDS; i++) {
        CHECK_EQ(firsts[i], 100 * i + i % n);
        CHECK_EQ(sums[i], 100L * i * n + (long)n * (n - 1) / 2);
        CHECK_EQ(scans[i], 100L * i * (me + 1) + (long)me * (me + 1) / 2);
    }
    shmem_barrier_all();
}

static void barrier_all_completes_the_default_context(int me, int n)
{
    const int left = (me + n - 1) % n;
    for (int round = 0; round < ROUNDS; round++) {
        source[0] = 7 * round + me;
        shmem_long_put_nbi(&dest[0], source, 1, (me + 1) % n);
        shmem_long_atomic_set(&dest[1], round, (me + 1) % n);
        shmem_barrier_all();
        CHECK_EQ(dest[0], 7 * round + left);
        CHECK_EQ(dest[1], round);
        shmem_barrier_all();
    }
}

/* Stores alone: others read them with a get afterwards. */
static void sync_makes_stores_visible(int me, int n)
{
    const int right = (me + 1) % n;
    for (int round = 0; round < ROUNDS; round++) {
        source[5] = 9 * round + me;
        if (round % 2)
            shmem_sync_all();
        else
            CHECK_EQ(shmem_team_sync(world), 0);
        CHECK_EQ(shmem_long_g(&source[5], right), 9 * round + right);
        shmem_sync_all();
    }
}

/* Start, log2 of the stride and size, in numbers of the world; the same set may reuse the arrays
 * of barrier and sync at once, and finds each pSync as it was. */
static void active_sets_are_in_world_numbers(int me, int n)
{
    static long reduced;
    for (int log_stride = 0; 1 << log_stride < n; log_stride++) {
        const int start = n > 2 ? 1 : 0;
        const int size = (n - start + (1 << log_stride) - 1) >> log_stride;
        const int distance = me - start;
        shmem_barrier_all();
        if (distance < 0 || distance % (1 << log_stride) != 0)
            continue;
        source[0] = 1L << me;
        long expected = 0;
        for (int i = 0; i < size; i++)
            expected |= 1L << (start + (i << log_stride));
        shmem_long_or_to_all(&reduced, source, 1, start, log_stride, size, work, reduce_sync[0]);
        CHECK_EQ(reduced, expected);
        for (int i = 0; i < 10; i++) {
            shmem_barrier(start, log_stride, size, barrier_sync);
            shmem_sync(start, log_stride, size, barrier_sync);
            CHECK_EQ(barrier_sync[0], SHMEM_SYNC_VALUE);
        }
        for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; i++)
            CHECK_EQ(reduce_sync[0][i], SHMEM_SYNC_VALUE);
        shmem_long_max_to_all(&reduced, source, 1, start, log_stride, size, work, reduce_sync[1]);
        CHECK_EQ(reduced, 1L << (start + ((size - 1) << log_stride)));
    }
    shmem_barrier_all();
}

/* As long as the specification's minimum, with nothing behind them. */
static void smallest_work_arrays_suffice(int me, int n)
{
    static struct {
        long sync[SHMEM_SYNC_SIZE < SHMEM_BARRIER_SYNC_SIZE ? SHMEM_SYNC_SIZE
                                                            : SHMEM_BARRIER_SYNC_SIZE];
        long guard;
        short work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
        short guard_of_work;
        short dest[2 * SHMEM_REDUCE_MIN_WRKDATA_SIZE - 2];
        short source[2 * SHMEM_REDUCE_MIN_WRKDATA_SIZE - 2];
    } arrays;
    const int count = 2 * SHMEM_REDUCE_MIN_WRKDATA_SIZE - 2;
    arrays.guard = 77;
    arrays.guard_of_work = 78;
    for (int i = 0; i < count; i++)
        arrays.source[i] = (short)(me + i);
    shmem_barrier_all();
    shmem_sync(0, 0, n, arrays.sync);
    shmem_short_sum_to_all(arrays.dest, arrays.source, count, 0, 0, n, arrays.work,
                           reduce_sync[0]);
    for (int i = 0; i < count; i++)
        CHECK_EQ(arrays.dest[i], n * (n - 1) / 2 + n * i);
    CHECK_EQ(arrays.guard, 77);
    CHECK_EQ(arrays.guard_of_work, 78);
    shmem_barrier_all();
}

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe();
    const int n = shmem_n_pes();
    if (n > MAX_PES)
        TEST_SKIP("more PEs than this test has room for");
    team_broadcast_writes_dest_on_the_root(me, n);
    active_set_broadcast_leaves_the_roots_dest(me, n);
    roots_are_numbered_in_the_team_or_set(me, n);
    collect_takes_varying_and_no_elements(me, n);
    alltoalls_blocks_begin_after_whole_strided_blocks(me, n);
    alltoallsmem_counts_bytes(me, n);
    reductions_and_scans_work_in_place(me, n);
    exscan_is_zero_on_the_first_pe(me);
    sources_need_no_sync_among_pes(me, n);
    back_to_back_collectives_on_one_team(me, n);
    barrier_all_completes_the_default_context(me, n);
    sync_makes_stores_visible(me, n);
    active_sets_are_in_world_numbers(me, n);
    smallest_work_arrays_suffice(me, n);
    return test_finish();
}
