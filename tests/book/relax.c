/* SPDX-License-Identifier: BSD-3-Clause
 * relax.c - 1-D relaxation, T3E version: cc -O3 -X m relax.c, mpprun -n 8 a.out */
#include <stdio.h>
#include <stdlib.h>
#include <mpp/shmem.h>

#define NMAX 4096
#pragma _CRI symmetric halo

static double u[NMAX + 2], halo[2], err, gerr;
static long   pSync[_SHMEM_REDUCE_SYNC_SIZE], pSyncb[_SHMEM_BCAST_SYNC_SIZE];
static double pWrk[_SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static int    perm[NMAX], gath[NMAX], idx[NMAX];
static short  done;
static long   ticket, flag, lock;
extern long _rtc(void);

main(argc, argv)
int argc; char **argv;
{
    int i, me, npes, n = 64, it;
    long t0, old;
    double local = 0.0;

    start_pes(0);
    me = my_pe();
    npes = num_pes();
    shmem_set_cache_inv();
    shmem_stack(&local);
    for (i = 0; i < _SHMEM_REDUCE_SYNC_SIZE; i++) pSync[i] = _SHMEM_SYNC_VALUE;
    for (i = 0; i < _SHMEM_BCAST_SYNC_SIZE; i++) pSyncb[i] = _SHMEM_SYNC_VALUE;
    for (i = 0; i < n + 2; i++) u[i] = me * 1.0;
    barrier();
    t0 = _rtc();
    for (it = 0; it < 10; it++) {
        shmem_put((long *)&u[n + 1], (long *)&u[1], 1, (me + npes - 1) % npes);
        shmem_put((long *)&u[0], (long *)&u[n], 1, (me + 1) % npes);
        barrier();
        shmem_udcflush();
        err = 0.0;
        for (i = 1; i <= n; i++) {
            double v = 0.5 * (u[i - 1] + u[i + 1]);
            if (v - u[i] > err) err = v - u[i];
            u[i] = v;
        }
        shmem_double_max_to_all(&gerr, &err, 1, 0, 0, npes, pWrk, pSync);
        barrier();
    }
    for (i = 0; i < n; i++) { idx[i] = n - 1 - i; perm[i] = me * n + i; }
    shmem_ixput32(gath, perm, idx, n, (me + 1) % npes);
    shmem_short_inc(&done, 0);
    old = shmem_finc(&ticket, 0);
    shmem_set_lock(&lock);
    shmem_swap(&flag, (long)me, 0);
    shmem_clear_lock(&lock);
    shmem_long_inc(&flag, npes - 1);
    shmem_broadcast64(halo, u, 2, 0, 0, 0, npes, pSyncb);
    barrier();
    if (me == 0)
        printf("npes %d err %g gath[0] %d done %d ticket %ld time %ld\n", npes, gerr, gath[0], done, ticket, _rtc() - t0);
    if (old < 0) globalexit(1);
    shmem_clear_cache_inv();
}
