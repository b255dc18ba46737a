/* SPDX-License-Identifier: BSD-3-Clause */
/* Data and a signal in one call: the receiver waits for the signal and then reads the data. */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>

#define N 100
static double inbox[N]; /* symmetric */
static uint64_t arrived, acknowledged;

int main(void)
{
    double source[N];
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), next = (me + 1) % n, before = (me + n - 1) % n;
    for (int i = 0; i < N; i++)
        source[i] = me;

    shmem_put_signal(inbox, source, N, &arrived, 1, SHMEM_SIGNAL_SET, next);
    shmem_signal_wait_until(&arrived, SHMEM_CMP_EQ, 1); /* inbox is complete */
    double first = inbox[0];
    shmem_signal_add(&acknowledged, 1, before); /* the sender may send again */
    shmem_signal_wait_until(&acknowledged, SHMEM_CMP_EQ, 1);

    shmem_put_signal_nbi(inbox, source, N, &arrived, 1, SHMEM_SIGNAL_ADD, next);
    shmem_signal_wait_until(&arrived, SHMEM_CMP_EQ, 2);
    printf("PE %d: %g, signal %lu\n", me, first, (unsigned long)shmem_signal_fetch(&arrived));
    shmem_barrier_all();
    shmem_signal_set(&arrived, 0, me);
    shmem_finalize();
}
