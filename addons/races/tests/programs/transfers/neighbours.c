/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: bytes of one word, of two PEs.
 */
#include <shmem.h>
#include <stdint.h>
#include <string.h>
static union { uint64_t w; unsigned char c[8]; uint16_t h[4]; } u;
int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    if (me == 0) {
        shmem_uchar_p(&u.c[1], 7, 1);
        shmem_short_p((short *)&u.h[2], 9, 1); /* race */
    } else {
        u.c[0] = 1;
        u.c[2] = 2;
        u.h[3] = 5;
#ifdef RACY
        u.c[5] = 4; /* race */
#endif
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
