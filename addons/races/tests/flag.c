/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Data and a flag: fence, quiet, and what neither is.
 */
#include "cases.h"

static long data[64], other[64], flag, second_flag;

static void wait_for(long *variable, long value)
{
    shmem_long_wait_until(variable, SHMEM_CMP_GE, value);
}

CASE(flag_without_fence)
{
    static long source[64];
    if (me == 0) {
        shmem_long_put(data, source, 64, 1); /* race */
        shmem_long_p(&flag, 1, 1);
    } else {
        wait_for(&flag, 1);
        USE(data[9]); /* race */
    }
}

CASE(flag_with_fence)
{
    static long source[64];
    if (me == 0) {
        shmem_long_put(data, source, 64, 1);
        shmem_fence();
        shmem_long_p(&flag, 1, 1);
    } else {
        wait_for(&flag, 1);
        USE(data[9] + flag);
    }
}

CASE(small_data_without_fence)
{
    if (me == 0) {
        shmem_long_p(&data[0], 1, 1); /* race */
        shmem_long_p(&flag, 1, 1);
    } else {
        wait_for(&flag, 1);
        USE(data[0]); /* race */
    }
}

CASE(fence_taken_for_quiet) /* 3 PEs */
{
    if (me == 0) {
        shmem_long_p(&data[0], 1, 2); /* race */
        shmem_fence();
        shmem_long_p(&flag, 1, 1);
    } else if (me == 1) {
        wait_for(&flag, 1);
        USE(shmem_long_g(&data[0], 2)); /* race */
    }
}

CASE(quiet_before_another_flag) /* 3 PEs */
{
    if (me == 0) {
        shmem_long_p(&data[0], 1, 2);
        shmem_quiet();
        shmem_long_p(&flag, 1, 1);
    } else if (me == 1) {
        wait_for(&flag, 1);
        USE(shmem_long_g(&data[0], 2));
    }
}

CASE(wait_on_the_wrong_flag)
{
    if (me == 0) {
        shmem_long_p(&second_flag, 1, 1);
        shmem_long_p(&data[4], 1, 1); /* race */
        shmem_fence();
        shmem_long_p(&flag, 1, 1);
    } else {
        wait_for(&second_flag, 1);
        USE(data[4]); /* race */
    }
}

CASE(last_element_as_a_flag)
{
    static int source[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, dest[10];
    if (me == 0) {
        shmem_int_put(dest, source, 10, 1); /* race */
    } else {
        shmem_int_wait_until(&dest[9], SHMEM_CMP_EQ, 10);
        USE(dest[9]);
        USE(dest[0]); /* race */
    }
}

CASE(element_that_was_waited_for)
{
    static long source[4] = {1, 2, 3, 4}, dest[4];
    if (me == 0) {
        shmem_long_put(dest, source, 4, 1);
    } else {
        for (int i = 0; i < 4; i++) {
            shmem_long_wait_until(&dest[i], SHMEM_CMP_EQ, i + 1);
            USE(dest[i]);
        }
    }
}

CASE(token_round_a_ring) /* 3 PEs */
{
    if (me > 0) {
        wait_for(&flag, 1);
        USE(flag);
    }
    shmem_long_p(&flag, me + 1, (me + 1) % npes);
    wait_for(&flag, 1);
}

CASE(test_and_go_on)
{
    if (me == 0) {
        shmem_long_p(&data[4], 1, 1); /* race */
        shmem_fence();
        shmem_long_p(&flag, 1, 1);
    } else {
        USE(shmem_long_test(&flag, SHMEM_CMP_EQ, 5));
        USE(data[4]); /* race */
    }
}

CASE(test_until_it_holds)
{
    if (me == 0) {
        shmem_long_p(&data[4], 1, 1);
        shmem_fence();
        shmem_long_p(&flag, 1, 1);
    } else {
        while (!shmem_long_test(&flag, SHMEM_CMP_EQ, 1))
            ;
        USE(data[4]);
    }
}

CASE(loads_in_a_loop)
{
    if (me == 0) {
        shmem_long_p(&flag, 1, 1); /* race */
    } else {
        while (*(volatile long *)&flag != 1) /* race */
            sink = shmem_long_g(&second_flag, 0);
    }
}

CASE(flag_before_data)
{
    if (me == 0) {
        shmem_long_p(&flag, 1, 1);
        shmem_fence();
        shmem_long_p(&data[4], 1, 1); /* race */
    } else {
        wait_for(&flag, 1);
        USE(data[4]); /* race */
    }
}

CASE(ping_pong)
{
    for (long round = 1; round <= 20; round++) {
        if (me == 0) {
            shmem_long_put(data, other, 64, 1);
            shmem_fence();
            shmem_long_p(&flag, round, 1);
            wait_for(&flag, round);
            USE(data[7]);
        } else {
            wait_for(&flag, round);
            USE(data[7]);
            shmem_long_put(data, other, 64, 0);
            shmem_fence();
            shmem_long_p(&flag, round, 0);
        }
    }
}

CASE(answer_without_having_read)
{
    for (long round = 1; round <= 3; round++) {
        if (me == 0) {
            shmem_long_put(data, other, 64, 1); /* race */
            shmem_fence();
            shmem_long_p(&flag, round, 1);
            wait_for(&flag, round);
        } else {
            wait_for(&flag, round);
            shmem_long_p(&flag, round, 0);
            USE(data[7]); /* race */
        }
    }
}

CASE(passed_on_round_a_ring) /* 3 PEs */
{
    if (me == 0) {
        shmem_long_p(&data[0], 1, 2);
        shmem_quiet();
        shmem_long_p(&flag, 1, 1);
    } else if (me == 1) {
        wait_for(&flag, 1);
        shmem_long_p(&flag, 1, 2);
    } else {
        wait_for(&flag, 1);
        USE(data[0]);
    }
}

CASE(two_puts_without_fence)
{
    if (me == 0) {
        shmem_long_put(data, other, 8, 1);     /* race */
        shmem_long_put(data + 4, other, 8, 1); /* race */
    }
}

CASE(two_puts_with_fence)
{
    if (me == 0) {
        shmem_long_put(data, other, 8, 1);
        shmem_fence();
        shmem_long_put(data + 4, other, 8, 1);
    }
}

CASE(read_back_without_quiet)
{
    if (me == 0) {
        shmem_long_p(data, 5, 1); /* race */
        shmem_fence();
        USE(shmem_long_g(data, 1)); /* race */
    }
}

CASE(read_back_after_quiet)
{
    if (me == 0) {
        shmem_long_p(data, 5, 1);
        shmem_quiet();
        USE(shmem_long_g(data, 1));
    }
}

CASE(store_without_fence)
{
    if (me == 0) {
        data[2] = 4; /* race */
        shmem_long_p(&flag, 1, 1);
    } else {
        wait_for(&flag, 1);
        USE(shmem_long_g(&data[2], 0)); /* race */
    }
}

CASE(store_and_quiet)
{
    if (me == 0) {
        data[2] = 4;
        shmem_quiet();
        shmem_long_p(&flag, 1, 1);
    } else {
        wait_for(&flag, 1);
        USE(shmem_long_g(&data[2], 0));
    }
}

CASES(RUN(flag_without_fence), RUN(flag_with_fence), RUN(small_data_without_fence),
      RUN(fence_taken_for_quiet), RUN(quiet_before_another_flag), RUN(wait_on_the_wrong_flag),
      RUN(last_element_as_a_flag), RUN(element_that_was_waited_for), RUN(token_round_a_ring),
      RUN(test_and_go_on), RUN(test_until_it_holds), RUN(loads_in_a_loop), RUN(flag_before_data),
      RUN(ping_pong), RUN(answer_without_having_read), RUN(passed_on_round_a_ring),
      RUN(two_puts_without_fence), RUN(two_puts_with_fence), RUN(read_back_without_quiet),
      RUN(read_back_after_quiet), RUN(store_without_fence), RUN(store_and_quiet))
