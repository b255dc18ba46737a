/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Barriers, and what is not one.
 */
#include "cases.h"

static long data[16];
static long copy[16];

CASE(put_without_barrier)
{
    if (me == 0)
        shmem_long_p(&data[0], 7, 1); /* race */
    if (me == 1)
        USE(data[0]); /* race */
}

CASE(put_with_barrier)
{
    if (me == 0)
        shmem_long_p(&data[0], 7, 1);
    shmem_barrier_all();
    if (me == 1)
        USE(data[0]);
}

CASE(sync_taken_for_barrier)
{
    if (me == 0)
        shmem_long_put(data, copy, 16, 1); /* race */
    shmem_sync_all();
    if (me == 1)
        USE(data[5]); /* race */
}

CASE(quiet_and_sync)
{
    if (me == 0)
        shmem_long_put(data, copy, 16, 1);
    shmem_quiet();
    shmem_sync_all();
    if (me == 1)
        USE(data[5]);
}

CASE(get_of_a_store)
{
    data[3] = me; /* race */
    if (me == 1)
        USE(shmem_long_g(&data[3], 0)); /* race */
}

CASE(sync_shows_stores)
{
    data[3] = me;
    shmem_sync_all();
    if (me == 1)
        USE(shmem_long_g(&data[3], 0));
}

CASE(stores_before_the_read_is_done)
{
    data[3] = me;
    shmem_barrier_all();
    if (me == 1)
        USE(shmem_long_g(&data[3], 0)); /* race */
    data[3] = 8;                        /* race */
}

CASE(one_barrier_too_few)
{
    for (int round = 0; round < 3; round++) {
        if (me == 0)
            shmem_long_p(&data[1], round, 1); /* race */
        shmem_barrier_all();
        if (me == 1)
            USE(data[1]); /* race */
    }
}

CASE(two_barriers_a_round)
{
    for (int round = 0; round < 3; round++) {
        if (me == 0)
            shmem_long_p(&data[1], round, 1);
        shmem_barrier_all();
        if (me == 1)
            USE(data[1]);
        shmem_barrier_all();
    }
}

CASE(neighbours_do_not_race)
{
    static int pair[2];
    pair[0] = me;
    shmem_int_p(&pair[1], me, (me + 1) % npes);
    static char bytes[8];
    bytes[0] = 1;
    char byte = 2;
    shmem_char_put(&bytes[1], &byte, 1, (me + 1) % npes);
}

CASE(bytes_of_one_word)
{
    static char bytes[8];
    char two[2] = {1, 2};
    if (me == 0)
        shmem_putmem(&bytes[2], two, 2, 1); /* race */
    if (me == 1)
        bytes[3] = 4; /* race */
}

CASE(two_puts_to_one_place) /* 3 PEs */
{
    if (me != 2)
        shmem_long_p(&data[2], me, 2); /* race */
}

CASE(barrier_after_store)
{
    static double field[4];
    field[me] = 1.5;
    shmem_barrier_all();
    for (int pe = 0; pe < npes; pe++)
        USE(shmem_double_g(&field[pe], pe));
}

CASES(RUN(put_without_barrier), RUN(put_with_barrier), RUN(sync_taken_for_barrier), RUN(quiet_and_sync),
      RUN(get_of_a_store), RUN(sync_shows_stores), RUN(stores_before_the_read_is_done),
      RUN(one_barrier_too_few), RUN(two_barriers_a_round), RUN(neighbours_do_not_race),
      RUN(bytes_of_one_word), RUN(two_puts_to_one_place), RUN(barrier_after_store))
