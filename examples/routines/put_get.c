/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays to the next PE and back; then the same without waiting for each. */
#include <shmem.h>
#include <stdio.h>

#define N 1000
static long inbox[N]; /* symmetric */

int main(void)
{
    long source[N], copy[N];
    shmem_init();
    int me = shmem_my_pe(), next = (me + 1) % shmem_n_pes();
    for (int i = 0; i < N; i++)
        source[i] = N * me + i;

    shmem_put(inbox, source, N, next); /* source may be reused now */
    shmem_fence();                     /* what follows arrives at next after the array */
    shmem_p(&inbox[0], -1L, next);
    shmem_quiet();                     /* all of it has arrived */
    shmem_get(copy, inbox, N, next);   /* copy is complete on return */
    if (copy[0] != -1 || copy[N - 1] != source[N - 1] || shmem_g(&inbox[1], next) != source[1])
        shmem_global_exit(1);
    shmem_barrier_all();

    shmem_put_nbi(inbox, source, N, next); /* source may not be reused yet */
    shmem_pe_quiet(&next, 1);              /* now it may, and next has the array */
    shmem_get_nbi(copy, inbox, N, next);
    shmem_quiet();                         /* copy is complete */
    printf("PE %d: %ld\n", me, copy[0]);
    shmem_finalize();
}
