/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: qsort, whose comparisons are the program's.
 */
#include <shmem.h>
#include <stdlib.h>
static int keys[200], pivot;
static int cmp(const void *a, const void *b) { return *(const int *)a - *(const int *)b; } /* race */
int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    srand(me);
    for (int i = 0; i < 200; i++) keys[i] = rand() % 1000;
    shmem_barrier_all();
    int v = 5;
#ifdef RACY
    if (me == 0) shmem_int_put(&keys[100], &v, 1, 1); /* race */
#endif
    qsort(keys, 200, sizeof keys[0], cmp);
    shmem_barrier_all();
    shmem_int_broadcast(SHMEM_TEAM_WORLD, &pivot, &keys[100], 1, 0);
    int r = pivot + v;
    shmem_barrier_all();
    shmem_finalize();
    return r == -1;
}
