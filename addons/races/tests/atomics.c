/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Atomic operations, and what is mixed with them; locks.
 */
#include "cases.h"

static long counter, data[8], lock;

CASE(counting_together)
{
    shmem_long_atomic_inc(&counter, 0);
    shmem_long_atomic_add(&counter, 2, 0);
    USE(shmem_long_atomic_fetch(&counter, 0));
    shmem_barrier_all();
    USE(counter);
}

CASE(counter_read_by_a_load)
{
    if (me == 1)
        shmem_long_atomic_inc(&counter, 0); /* race */
    else
        USE(counter); /* race */
}

CASE(counter_written_by_a_put)
{
    if (me == 1)
        shmem_long_atomic_add(&counter, 1, 0); /* race */
    else
        shmem_long_p(&counter, 0, 0); /* race */
}

CASE(counter_reset_by_a_store)
{
    shmem_long_atomic_inc(&counter, 0);
    shmem_barrier_all();
    if (me == 0)
        counter = 0; /* race */
    if (me == 1)
        shmem_long_atomic_inc(&counter, 0); /* race */
}

CASE(atomic_flag_without_fence)
{
    if (me == 0) {
        shmem_long_p(&data[0], 1, 1); /* race */
        shmem_long_atomic_set(&counter, 1, 1);
    } else {
        while (shmem_long_atomic_fetch(&counter, 1) != 1)
            ;
        USE(data[0]); /* race */
    }
}

CASE(atomic_flag_with_fence)
{
    if (me == 0) {
        shmem_long_p(&data[0], 1, 1);
        shmem_fence();
        shmem_long_atomic_set(&counter, 1, 1);
    } else {
        while (shmem_long_atomic_fetch(&counter, 1) != 1)
            ;
        USE(data[0]);
    }
}

CASE(all_have_arrived)
{
    shmem_long_p(&data[me], 1, 0);
    shmem_fence();
    shmem_long_atomic_inc(&counter, 0);
    if (me == 0) {
        shmem_long_wait_until(&counter, SHMEM_CMP_EQ, npes);
        for (int pe = 0; pe < npes; pe++)
            USE(data[pe]);
    }
}

CASE(fetched_ticket)
{
    long mine = shmem_long_atomic_fetch_inc(&counter, 0);
    shmem_long_p(&data[mine], me, 1);
}

CASE(exchange_hands_over)
{
    if (me == 0) {
        data[0] = 5;
        shmem_quiet();
        USE(shmem_long_atomic_swap(&counter, 1, 0));
    } else {
        while (shmem_long_atomic_compare_swap(&counter, 1, 2, 0) != 1)
            ;
        USE(shmem_long_g(&data[0], 0));
    }
}

CASE(lock_guards)
{
    shmem_set_lock(&lock);
    long value = shmem_long_g(&data[0], 0);
    shmem_long_p(&data[0], value + 1, 0);
    shmem_clear_lock(&lock);
}

CASE(lock_forgotten)
{
    if (me == 0) {
        shmem_set_lock(&lock);
        shmem_long_p(&data[0], 1, 0); /* race */
        shmem_clear_lock(&lock);
    } else {
        shmem_long_p(&data[0], 2, 0); /* race */
    }
}

CASE(lock_tried)
{
    while (shmem_test_lock(&lock) != 0)
        ;
    USE(shmem_long_g(&data[0], 0));
    shmem_long_p(&data[0], me, 0);
    shmem_clear_lock(&lock);
}

CASE(unlock_without_quiet_of_a_context)
{
    shmem_ctx_t ctx;
    if (shmem_ctx_create(0, &ctx) != 0)
        exit(3);
    shmem_set_lock(&lock);
    shmem_ctx_long_p(ctx, &data[0], me, 0); /* race */
    shmem_clear_lock(&lock);
    shmem_barrier_all();
    shmem_ctx_destroy(ctx);
}

CASE(quiet_of_a_context_before_unlock)
{
    shmem_ctx_t ctx;
    if (shmem_ctx_create(0, &ctx) != 0)
        exit(3);
    shmem_set_lock(&lock);
    shmem_ctx_long_p(ctx, &data[0], me, 0);
    shmem_ctx_quiet(ctx);
    shmem_clear_lock(&lock);
    shmem_ctx_destroy(ctx);
}

CASE(two_locks_for_one_thing)
{
    static long locks[2];
    shmem_set_lock(&locks[me]);
    shmem_long_p(&data[0], me, 0); /* race */
    shmem_clear_lock(&locks[me]);
}

CASE(two_types_of_one_object)
{
    if (me == 0)
        shmem_long_atomic_add(&counter, 1, 1); /* race */
    else
        shmem_int_atomic_inc((int *)(void *)&counter, 1); /* race */
}

CASE(signed_and_unsigned)
{
    if (me == 0)
        shmem_ulong_atomic_or((unsigned long *)&counter, 1, 1); /* race */
    else
        USE(shmem_long_atomic_fetch(&counter, 1)); /* race */
}

CASE(two_types_in_turn)
{
    if (me == 0)
        shmem_long_atomic_add(&counter, 1, 1);
    shmem_barrier_all();
    if (me == 1)
        shmem_int_atomic_inc((int *)(void *)&counter, 1);
}

CASE(two_names_of_one_type)
{
    if (me == 0)
        shmem_int64_atomic_add((int64_t *)&counter, 1, 1);
    else
        shmem_long_atomic_inc(&counter, 1);
}

CASE(signals_set_and_added)
{
    static uint64_t signal;
    if (me == 0)
        shmem_signal_set(SHMEM_CTX_DEFAULT, &signal, 2, 1); /* race */
    else
        shmem_putmem_signal(data, data + 4, 8, &signal, 1, SHMEM_SIGNAL_ADD, 1); /* race */
}

CASE(signal_and_atomic_operation)
{
    static uint64_t signal;
    if (me == 0)
        shmem_signal_set(SHMEM_CTX_DEFAULT, &signal, 2, 1); /* race */
    else
        shmem_uint64_atomic_inc(&signal, 1); /* race */
}

CASE(accumulate_and_another_type)
{
    static long one[1] = {1};
    if (me == 0)
        shmemx_long_accumulate(&counter, one, 1, 1, 1); /* race */
    else
        shmem_ulong_atomic_inc((unsigned long *)&counter, 1); /* race */
}

CASE(accumulate_and_its_type)
{
    static long one[1] = {1};
    if (me == 0)
        shmemx_long_accumulate(&counter, one, 1, 1, 1);
    else
        shmem_long_atomic_inc(&counter, 1);
}

static shmem_ctx_t context_of(shmem_team_t team)
{
    shmem_ctx_t ctx;
    if (shmem_team_create_ctx(team, 0, &ctx) != 0)
        exit(3);
    return ctx;
}

CASE(two_domains)
{
    shmem_ctx_t ctx = context_of(SHMEM_TEAM_SHARED);
    if (me == 0)
        shmem_ctx_long_atomic_add(ctx, &counter, 1, 1); /* race */
    else
        shmem_long_atomic_add(&counter, 1, 1); /* race */
    shmem_barrier_all();
    shmem_ctx_destroy(ctx);
}

CASE(domain_of_a_split_team)
{
    shmem_team_t team;
    shmem_team_split_strided(SHMEM_TEAM_SHARED, 0, 1, npes, NULL, 0, &team);
    shmem_ctx_t ctx = context_of(team);
    if (me == 0)
        shmem_ctx_long_atomic_fetch_add(ctx, &counter, 1, 1); /* race */
    else
        shmem_long_atomic_set(&counter, 1, 1); /* race */
    shmem_barrier_all();
    shmem_ctx_destroy(ctx);
    shmem_team_destroy(team);
}

CASE(one_domain)
{
    shmem_team_t team;
    shmem_team_split_strided(SHMEM_TEAM_SHARED, 0, 1, npes, NULL, 0, &team);
    shmem_ctx_t ctx = context_of(me ? team : SHMEM_TEAM_SHARED);
    shmem_ctx_long_atomic_add(ctx, &counter, 1, 1);
    shmem_ctx_destroy(ctx);
    shmem_team_destroy(team);
    shmem_barrier_all();
    ctx = context_of(SHMEM_TEAM_WORLD);
    shmem_ctx_long_atomic_add(me ? ctx : SHMEM_CTX_DEFAULT, &counter, 1, 1);
    shmem_barrier_all();
    shmem_ctx_destroy(ctx);
}

CASES(RUN(two_types_of_one_object), RUN(signed_and_unsigned), RUN(two_types_in_turn),
      RUN(two_names_of_one_type), RUN(signals_set_and_added), RUN(signal_and_atomic_operation),
      RUN(accumulate_and_another_type), RUN(accumulate_and_its_type), RUN(two_domains),
      RUN(domain_of_a_split_team), RUN(one_domain), RUN(counting_together), RUN(counter_read_by_a_load),
      RUN(counter_written_by_a_put), RUN(counter_reset_by_a_store), RUN(atomic_flag_without_fence),
      RUN(atomic_flag_with_fence), RUN(all_have_arrived), RUN(fetched_ticket), RUN(exchange_hands_over),
      RUN(lock_guards), RUN(lock_forgotten), RUN(lock_tried), RUN(unlock_without_quiet_of_a_context),
      RUN(quiet_of_a_context_before_unlock), RUN(two_locks_for_one_thing))
