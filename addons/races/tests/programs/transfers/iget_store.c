/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: a strided get, and stores behind it.
 */
#include <shmem.h>
#include <stdlib.h>
static short grid[64];
int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    for (int i = 0; i < 64; i++) grid[i] = me;
    shmem_barrier_all();
    short col[8];
    if (me == 0)
        shmem_short_iget(col, grid, 1, 8, 8, 1); /* race */
#ifndef RACY
    shmem_sync_all();
#endif
    for (int i = 0; i < 64; i++)
        grid[i] = 5; /* race */
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
