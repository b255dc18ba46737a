/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A null pointer with length 0 is fine everywhere; "mem" routines take any address.
 */
#include "check.h"

#include <string.h>

static uint64_t signal_object;
static char bytes[256], source_bytes[256];
static long object = 4;

static void null_with_zero_length_in_rma(int pe)
{
    shmem_putmem(NULL, NULL, 0, pe);
    shmem_getmem(NULL, NULL, 0, pe);
    shmem_putmem_nbi(NULL, NULL, 0, pe);
    shmem_getmem_nbi(NULL, NULL, 0, pe);
    shmem_long_put(NULL, NULL, 0, pe);
    shmem_double_get(NULL, NULL, 0, pe);
    shmem_put128(NULL, NULL, 0, pe);
    shmem_get8(NULL, NULL, 0, pe);
    shmem_long_iput(NULL, NULL, 1, 1, 0, pe);
    shmem_long_iget(NULL, NULL, 1, 1, 0, pe);
    shmem_long_ibput(NULL, NULL, 1, 1, 1, 0, pe);
    shmem_long_ibget(NULL, NULL, 1, 1, 1, 0, pe);
    shmem_longdouble_ibput(NULL, NULL, 1, 1, 0, 5, pe);
    shmem_ctx_long_put(SHMEM_CTX_DEFAULT, NULL, NULL, 0, pe);
    shmem_quiet();
}

static void null_with_zero_length_in_collectives(void)
{
    const shmem_team_t world = SHMEM_TEAM_WORLD;
    CHECK_EQ(shmem_long_broadcast(world, NULL, NULL, 0, 0), 0);
    CHECK_EQ(shmem_collectmem(world, NULL, NULL, 0), 0);
    CHECK_EQ(shmem_fcollectmem(world, NULL, NULL, 0), 0);
    CHECK_EQ(shmem_alltoallmem(world, NULL, NULL, 0), 0);
    CHECK_EQ(shmem_alltoallsmem(world, NULL, NULL, 1, 1, 0), 0);
    CHECK_EQ(shmem_double_sum_reduce(world, NULL, NULL, 0), 0);
    CHECK_EQ(shmem_int_sum_inscan(world, NULL, NULL, 0), 0);
    CHECK_EQ(shmem_int_sum_exscan(world, NULL, NULL, 0), 0);
}

static void null_with_zero_length_in_waits(void)
{
    size_t indices[1];
    shmem_long_wait_until_all(NULL, 0, NULL, SHMEM_CMP_EQ, 1);
    CHECK(shmem_long_wait_until_any(NULL, 0, NULL, SHMEM_CMP_EQ, 1) == SIZE_MAX);
    CHECK_EQ(shmem_long_wait_until_some(NULL, 0, indices, NULL, SHMEM_CMP_EQ, 1), 0);
    CHECK_EQ(shmem_long_wait_until_some_vector(NULL, 0, NULL, NULL, SHMEM_CMP_EQ, NULL), 0);
    CHECK_EQ(shmem_long_test_all(NULL, 0, NULL, SHMEM_CMP_EQ, 1), 1);
    CHECK(shmem_long_test_any(NULL, 0, NULL, SHMEM_CMP_EQ, 1) == SIZE_MAX);
    CHECK_EQ(shmem_long_test_some(NULL, 0, NULL, NULL, SHMEM_CMP_EQ, 1), 0);
}

/* Not discussed in the specification: the signal is sent, also when there is no data. */
static void put_signal_of_nothing_sends_its_signal(int me, int n)
{
    signal_object = 0;
    shmem_barrier_all();
    shmem_putmem_signal(NULL, NULL, 0, &signal_object, 3, SHMEM_SIGNAL_ADD, (me + 1) % n);
    CHECK_EQ(shmem_signal_wait_until(&signal_object, SHMEM_CMP_GE, 3), 3);
    shmem_barrier_all();
    shmem_long_put_signal_nbi(NULL, NULL, 0, &signal_object, 9, SHMEM_SIGNAL_SET, (me + 1) % n);
    CHECK_EQ(shmem_signal_wait_until(&signal_object, SHMEM_CMP_EQ, 9), 9);
    shmem_barrier_all();
}

static void mem_routines_take_any_alignment(int me, int n)
{
    for (int to = 0; to < 9; to++) {
        for (int from = 0; from < 9; from++) {
            const size_t count = (size_t)(17 + 3 * to + from);
            for (int i = 0; i < 256; i++) {
                source_bytes[i] = (char)(me * 31 + i);
                bytes[i] = 0;
            }
            shmem_barrier_all();
            shmem_putmem(bytes + to, source_bytes + from, count, (me + 1) % n);
            shmem_getmem(bytes + 128 + to, source_bytes + from, count, (me + 1) % n);
            shmem_barrier_all();
            CHECK_EQ(bytes[127], 0);
            for (size_t i = 0; i < count; i++) {
                CHECK_EQ(bytes[(size_t)to + i], (char)((me + n - 1) % n * 31 + from + (int)i));
                CHECK_EQ(bytes[128 + (size_t)to + i], (char)((me + 1) % n * 31 + from + (int)i));
            }
            CHECK_EQ(bytes[(size_t)to + count], 0);
            shmem_barrier_all();
        }
    }
}

static void mem_collectives_take_any_alignment(int me, int n)
{
    char *from = shmem_malloc(5 * (size_t)n + 1);
    char *to = shmem_malloc(5 * (size_t)n + 3);
    CHECK(from && to);
    for (int i = 0; i < 5 * n; i++)
        from[1 + i] = (char)(me * 7 + i);
    CHECK_EQ(shmem_alltoallmem(SHMEM_TEAM_WORLD, to + 3, from + 1, 5), 0);
    for (int i = 0; i < 5 * n; i++)
        CHECK_EQ(to[3 + i], (char)(i / 5 * 7 + me * 5 + i % 5));
    CHECK_EQ(shmem_team_sync(SHMEM_TEAM_WORLD), 0);
    CHECK_EQ(shmem_fcollectmem(SHMEM_TEAM_WORLD, to + 1, from + 1, 5), 0);
    for (int i = 0; i < 5 * n; i++)
        CHECK_EQ(to[1 + i], (char)(i / 5 * 7 + i % 5));
    shmem_free(to);
    shmem_free(from);
}

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe();
    const int n = shmem_n_pes();
    null_with_zero_length_in_rma((me + 1) % n);
    null_with_zero_length_in_collectives();
    null_with_zero_length_in_waits();
    CHECK_EQ(object, 4);
    put_signal_of_nothing_sends_its_signal(me, n);
    mem_routines_take_any_alignment(me, n);
    mem_collectives_take_any_alignment(me, n);
    return test_finish();
}
