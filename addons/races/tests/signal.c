/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Puts with a signal, and pending local buffers.
 */
#include "cases.h"

static long data[32], more[32], source[32];
static uint64_t sig, other_sig;

CASE(signal_and_its_data)
{
    if (me == 0) {
        shmem_long_put_signal(data, source, 32, &sig, 1, SHMEM_SIGNAL_SET, 1);
    } else {
        shmem_signal_wait_until(&sig, SHMEM_CMP_EQ, 1);
        USE(data[31] + (long)sig);
    }
}

CASE(signal_says_nothing_of_earlier_puts)
{
    if (me == 0) {
        shmem_long_put(more, source, 32, 1); /* race */
        shmem_long_put_signal(data, source, 32, &sig, 1, SHMEM_SIGNAL_SET, 1);
    } else {
        shmem_signal_wait_until(&sig, SHMEM_CMP_EQ, 1);
        USE(data[31]);
        USE(more[31]); /* race */
    }
}

CASE(the_other_signal)
{
    if (me == 0) {
        shmem_long_put_signal(data, source, 32, &sig, 1, SHMEM_SIGNAL_SET, 1); /* race */
        shmem_long_put_signal(more, source, 32, &other_sig, 1, SHMEM_SIGNAL_SET, 1);
    } else {
        shmem_signal_wait_until(&other_sig, SHMEM_CMP_EQ, 1);
        USE(data[0]); /* race */
    }
}

CASE(both_signals)
{
    if (me == 0) {
        shmem_long_put_signal_nbi(data, source, 32, &sig, 1, SHMEM_SIGNAL_ADD, 1);
        shmem_long_put_signal_nbi(more, source, 32, &sig, 1, SHMEM_SIGNAL_ADD, 1);
    } else {
        shmem_signal_wait_until(&sig, SHMEM_CMP_EQ, 2);
        USE(data[0] + more[0]);
    }
}

CASE(signal_fetch_in_a_loop)
{
    if (me == 0) {
        shmem_putmem_signal(data, source, sizeof data, &sig, 1, SHMEM_SIGNAL_SET, 1);
    } else {
        while (shmem_signal_fetch(&sig) != 1)
            ;
        USE(data[31]);
    }
}

CASE(signal_read_as_a_variable)
{
    if (me == 0) {
        shmem_putmem_signal(data, source, sizeof data, &sig, 1, SHMEM_SIGNAL_SET, 1); /* race */
    } else {
        USE(sig); /* race */
    }
}

CASE(signal_set_after_fence)
{
    if (me == 0) {
        shmem_long_put(more, source, 32, 1);
        shmem_fence();
        shmemx_signal_set(&sig, 1, 1);
    } else {
        shmem_signal_wait_until(&sig, SHMEM_CMP_EQ, 1);
        USE(more[31]);
    }
}

CASE(source_of_nbi_put_reused)
{
    if (me == 0) {
        shmem_long_put_nbi(data, source, 32, 1); /* race */
        source[3] = 1;                           /* race */
        shmem_quiet();
    }
}

CASE(source_of_nbi_put_after_quiet)
{
    if (me == 0) {
        shmem_long_put_nbi(data, source, 32, 1);
        shmem_quiet();
        source[3] = 1;
    }
}

CASE(source_after_fence_alone)
{
    if (me == 0) {
        shmem_long_put_nbi(data, source, 32, 1); /* race */
        shmem_fence();
        source[3] = 1; /* race */
    }
}

CASE(source_of_blocking_put)
{
    if (me == 0) {
        shmem_long_put(data, source, 32, 1);
        source[3] = 1;
    }
}

CASE(private_source_reused)
{
    long *mine = malloc(32 * sizeof *mine);
    memset(mine, 0, 32 * sizeof *mine);
    if (me == 0) {
        shmem_long_put_nbi(data, mine, 32, 1); /* race */
        mine[30] = 1;                          /* race */
    }
    shmem_quiet();
    free(mine);
}

CASE(nbi_get_read_too_early)
{
    static long here[32];
    if (me == 0) {
        shmem_long_get_nbi(here, data, 32, 1); /* race */
        USE(here[1]);                          /* race */
        shmem_quiet();
    }
}

CASE(nbi_get_after_quiet)
{
    static long here[32];
    if (me == 0) {
        shmem_long_get_nbi(here, data, 32, 1);
        shmem_quiet();
        USE(here[1]);
    }
}

CASE(signal_source_reused)
{
    if (me == 0) {
        shmem_long_put_signal_nbi(data, source, 32, &sig, 1, SHMEM_SIGNAL_SET, 1); /* race */
        source[0] = 2;                                                             /* race */
    } else {
        shmem_signal_wait_until(&sig, SHMEM_CMP_EQ, 1);
        USE(data[0]);
    }
}

/* PE 1 answers behind the data: what orders the two writes is the signal. */
static void pass_and_reuse(void (*put)(long *from), long *from)
{
    if (me == 0) {
        put(from);
        shmem_signal_wait_until(&other_sig, SHMEM_CMP_EQ, 1);
        from[3] = 1; /* race of source_by_another_signal */
        shmem_long_put_signal_nbi(more, from, 32, &sig, 2, SHMEM_SIGNAL_SET, 1);
        shmem_quiet();
    } else {
        shmem_signal_wait_until(&sig, SHMEM_CMP_GE, 1);
        shmem_signal_set(SHMEM_CTX_DEFAULT, &other_sig, 1, 0);
    }
}
static void put_with_signal(long *from)
{
    shmem_long_put_signal_nbi(data, from, 32, &sig, 1, SHMEM_SIGNAL_SET, 1);
}
static void put_before_signal(long *from)
{
    shmem_long_put_nbi(data, from, 32, 1); /* race of source_by_another_signal */
    shmem_long_put_signal_nbi(more, more, 0, &sig, 1, SHMEM_SIGNAL_SET, 1);
}

CASE(source_by_its_signal)
{
    pass_and_reuse(put_with_signal, source);
}

CASE(private_source_by_its_signal)
{
    long *mine = calloc(32, sizeof *mine);
    pass_and_reuse(put_with_signal, mine);
    free(mine);
}

CASE(source_by_another_signal)
{
    pass_and_reuse(put_before_signal, source);
}

CASE(nbi_fetch_read_too_early)
{
    static long got;
    if (me == 0) {
        shmem_long_atomic_fetch_add_nbi(&got, data, 1, 1); /* race */
        USE(got);                                          /* race */
        shmem_quiet();
        USE(got);
    }
}

CASES(RUN(signal_and_its_data), RUN(signal_says_nothing_of_earlier_puts), RUN(the_other_signal),
      RUN(both_signals), RUN(signal_fetch_in_a_loop), RUN(signal_read_as_a_variable),
      RUN(signal_set_after_fence), RUN(source_of_nbi_put_reused), RUN(source_of_nbi_put_after_quiet),
      RUN(source_after_fence_alone), RUN(source_of_blocking_put), RUN(private_source_reused),
      RUN(nbi_get_read_too_early), RUN(nbi_get_after_quiet), RUN(signal_source_reused),
      RUN(nbi_fetch_read_too_early), RUN(source_by_its_signal), RUN(private_source_by_its_signal),
      RUN(source_by_another_signal))
