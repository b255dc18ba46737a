/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1 PE: a put to oneself is a put.
 */
#include <shmem.h>
static int x[4];
int main(void) {
    shmem_init();
    int v[4] = {1, 2, 3, 4};
    shmem_int_put(x, v, 4, shmem_my_pe()); /* race */
#ifndef RACY
    shmem_quiet();
#endif
    int s = x[3]; /* race */
    shmem_finalize();
    return s == 77;
}
