/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 3 PEs: results of nonblocking atomic operations, on the stack.
 */
#include <shmem.h>
#include <stdint.h>
static uint32_t bits; static float f;
int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    uint32_t old[4]; float was;
    for (int i = 0; i < 4; i++)
        shmem_uint32_atomic_fetch_or_nbi(&old[i], &bits, 1u << (4 * me + i), 0); /* race */
    was = shmem_float_atomic_swap(&f, me, 0);
#ifndef RACY
    shmem_quiet();
#endif
    uint32_t s = old[1] + old[3]; /* race */
    shmem_barrier_all();
    shmem_finalize();
    return s == 99 && was == 1;
}
