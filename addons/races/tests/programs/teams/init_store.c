/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: a word's first value by a store; another's operation may come before it.
 */
#include <shmem.h>
static int word = 9;
int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    word = 0; /* race */
#ifndef RACY
    shmem_barrier_all();
#endif
    shmem_int_atomic_fetch_or(&word, 1 << me, 1 - me); /* race */
    shmem_barrier_all();
    int v = word;
    shmem_finalize();
    return v == 99;
}
