/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: a put over pages that begins and ends inside words.
 */
#include <shmem.h>
#include <string.h>
static char bytes[9000];
int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    char src[5000];
    memset(src, me + 1, sizeof src);
    if (me == 0)
        shmem_putmem(bytes + 4093, src, 4501, 1); /* race */
    else {
        bytes[4092] = 1;
        bytes[8594] = 2;
#ifdef RACY
        bytes[8593] = 3; /* race */
#endif
    }
    shmem_barrier_all();
    shmem_finalize();
    return bytes[1] == 77;
}
