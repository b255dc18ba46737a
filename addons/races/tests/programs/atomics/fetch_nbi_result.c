/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: the result of a nonblocking fetch.
 */
#include <shmem.h>
static unsigned long word;
int main(void) {
    shmem_init();
    unsigned long got = 0, sum;
    shmem_ulong_atomic_fetch_add_nbi(&got, &word, 2, 1 - shmem_my_pe()); /* race */
#ifndef RACY
    shmem_quiet();
#endif
    sum = got; /* race */
    shmem_barrier_all();
    shmem_finalize();
    return sum == 3;
}
