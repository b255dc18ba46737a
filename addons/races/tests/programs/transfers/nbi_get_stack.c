/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: a nonblocking get into an array of the stack.
 */
#include <shmem.h>
static int table[32];
static int use(void) {
    int local[32], sum = 0;
    shmem_int_get_nbi(local, table, 32, 1); /* race */
#ifndef RACY
    shmem_quiet();
#endif
    for (int i = 0; i < 32; i++)
        sum += local[i]; /* race */
    shmem_quiet();
    return sum;
}
int main(void) {
    shmem_init();
    for (int i = 0; i < 32; i++) table[i] = 1;
    shmem_barrier_all();
    int r = 32;
    if (shmem_my_pe() == 0) r = use();
    shmem_barrier_all();
    shmem_finalize();
    return r == 77777;
}
