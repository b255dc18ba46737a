/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The C11 generic names: a pointer to const selects, the dest selects for value arguments, a
 * context may come first, and shmem_sync, shmem_signal_add and _set count their arguments.
 */
#include "check.h"

static long object, dest_array[8], source_array[8];
static short small_object;
static unsigned char byte_object;
static double real_object;
static uint64_t signal_object;
static long sync_array[SHMEM_SYNC_SIZE];

static void pointer_to_const_selects(int me, int n)
{
    const int right = (me + 1) % n;
    const long *const from = source_array;
    const long *const remote = &object;
    for (int i = 0; i < 8; i++)
        source_array[i] = 10 * me + i;
    object = 1000 + me;
    shmem_barrier_all();
    shmem_put(dest_array, from, 8, right);
    shmem_put(SHMEM_CTX_DEFAULT, dest_array, from, 8, right);
    shmem_put_nbi(dest_array, from, 8, right);
    shmem_iput(dest_array, from, 1, 1, 8, right);
    shmem_ibput(dest_array, from, 2, 2, 2, 4, right);
    shmem_barrier_all();
    for (int i = 0; i < 8; i++)
        CHECK_EQ(dest_array[i], 10 * ((me + n - 1) % n) + i);
    shmem_get(dest_array, from, 8, right);
    shmem_get_nbi(dest_array, from, 8, right);
    shmem_iget(SHMEM_CTX_DEFAULT, dest_array, from, 1, 1, 8, right);
    shmem_ibget(dest_array, from, 4, 4, 4, 2, right);
    shmem_quiet();
    for (int i = 0; i < 8; i++)
        CHECK_EQ(dest_array[i], 10 * right + i);
    CHECK_EQ(shmem_g(remote, right), 1000 + right);
    CHECK_EQ(shmem_g(SHMEM_CTX_DEFAULT, remote, right), 1000 + right);
    CHECK_EQ(shmem_atomic_fetch(remote, right), 1000 + right);
    CHECK_EQ(shmem_atomic_fetch(SHMEM_CTX_DEFAULT, remote, right), 1000 + right);
    long fetched = 0;
    shmem_atomic_fetch_nbi(&fetched, remote, right);
    shmem_quiet();
    CHECK_EQ(fetched, 1000 + right);
    CHECK_EQ(shmem_fetch(remote, right), 1000 + right);
    shmem_barrier_all();
    CHECK_EQ(shmem_broadcast(SHMEM_TEAM_WORLD, dest_array, from, 8, 0), 0);
    CHECK_EQ(dest_array[7], 7);
    CHECK_EQ(shmem_sum_reduce(SHMEM_TEAM_WORLD, dest_array, from, 8), 0);
    CHECK_EQ(dest_array[0], 10L * n * (n - 1) / 2);
    shmem_barrier_all();
}

/* The value is an int constant each time. */
static void dest_selects_for_value_arguments(int me, int n)
{
    const int right = (me + 1) % n;
    shmem_p(&object, 70000, right);
    shmem_p(&small_object, -3, right);
    shmem_p(&byte_object, 200, right);
    shmem_p(SHMEM_CTX_DEFAULT, &real_object, 1, right);
    shmem_barrier_all();
    CHECK_EQ(object, 70000);
    CHECK_EQ(small_object, -3);
    CHECK_EQ(byte_object, 200);
    CHECK(real_object == 1.0);
    shmem_barrier_all();
    shmem_atomic_add(&object, 1, right);
    shmem_atomic_set(&real_object, 3, right);
    shmem_barrier_all();
    CHECK_EQ(object, 70001);
    CHECK(real_object == 3.0);
    shmem_barrier_all();
    CHECK_EQ(shmem_atomic_fetch_add(SHMEM_CTX_DEFAULT, &object, 1, right), 70001);
    shmem_wait_until(&object, SHMEM_CMP_EQ, 70002);
    CHECK_EQ(shmem_test(&object, SHMEM_CMP_GT, 0), 1);
    shmem_barrier_all();
}

static void sync_takes_a_team_or_an_active_set(int n)
{
    CHECK_EQ(shmem_sync(SHMEM_TEAM_WORLD), 0);
    shmem_sync(0, 0, n, sync_array);
    for (int i = 0; i < SHMEM_SYNC_SIZE; i++)
        CHECK_EQ(sync_array[i], SHMEM_SYNC_VALUE);
}

static void signal_add_and_set_take_a_context_or_none(int me, int n)
{
    const int right = (me + 1) % n;
    shmem_signal_set(&signal_object, 5, right);
    shmem_barrier_all();
    shmem_signal_add(&signal_object, 1, right);
    shmem_signal_add(SHMEM_CTX_DEFAULT, &signal_object, 2, right);
    shmem_barrier_all();
    CHECK_EQ(shmem_signal_fetch(&signal_object), 8);
    shmem_barrier_all();
    shmem_signal_set(SHMEM_CTX_DEFAULT, &signal_object, 50, right);
    CHECK_EQ(shmem_signal_wait_until(&signal_object, SHMEM_CMP_EQ, 50), 50);
    shmem_barrier_all();
}

static void names_of_functions_stay_usable(int n)
{
    void (*const sync)(int, int, int, long *) = shmem_sync;
    void (*const add)(uint64_t *, uint64_t, int) = shmem_signal_add;
    signal_object = 0;
    shmem_barrier_all();
    sync(0, 0, n, sync_array);
    add(&signal_object, 4, shmem_my_pe());
    shmem_quiet();
    CHECK_EQ(signal_object, 4);
}

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe();
    const int n = shmem_n_pes();
    for (int i = 0; i < SHMEM_SYNC_SIZE; i++)
        sync_array[i] = SHMEM_SYNC_VALUE;
    shmem_barrier_all();
    pointer_to_const_selects(me, n);
    dest_selects_for_value_arguments(me, n);
    sync_takes_a_team_or_an_active_set(n);
    signal_add_and_set_take_a_context_or_none(me, n);
    names_of_functions_stay_usable(n);
    return test_finish();
}
