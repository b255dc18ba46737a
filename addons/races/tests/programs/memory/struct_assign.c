/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: a struct that was put is assigned.
 */
#include <shmem.h>
struct particle { double x, y, z; int id; char kind; };
static struct particle in[4], out[4]; static int n;
int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    if (me == 0) {
        struct particle p = {1, 2, 3, 4, 'a'};
        shmem_putmem(&in[2], &p, sizeof p, 1); /* race */
#ifndef RACY
        shmem_quiet();
#endif
        shmem_int_atomic_inc(&n, 1);
    } else {
        shmem_int_wait_until(&n, SHMEM_CMP_GT, 0);
        struct particle q = in[2]; /* race */
        out[1] = q;
    }
    shmem_barrier_all();
    shmem_finalize();
    return out[1].id == 99;
}
