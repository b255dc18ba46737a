/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: snprintf, strcat, strncmp, strchr, memchr, strnlen of libc, on memory that is put and got.
 */
#include <shmem.h>
#include <stdio.h>
#include <string.h>
static char name[64], found[64], answer[64]; static int ready, told;
int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    if (me == 0) {
        char mine[64];
        snprintf(mine, sizeof mine, "PE %d says: nothing", me);
        shmem_putmem(name, mine, strnlen(mine, 63) + 1, 1); /* race */
#ifndef RACY
        shmem_fence();
#endif
        shmem_int_p(&ready, 1, 1);
        shmem_int_wait_until(&told, SHMEM_CMP_EQ, 1);
        shmem_getmem(mine, answer, 20, 1); /* race */
        if (mine[0] == 'x') return 1;
    } else {
        shmem_int_wait_until(&ready, SHMEM_CMP_EQ, 1);
        const char *colon = strchr(name, ':'); /* race */
        if (colon && strncmp(name, "PE 0", 4) == 0) /* race */
            strcat(found, colon); /* race */
        if (memchr(name, 'z', 10)) return 1; /* race */
        snprintf(answer, sizeof answer, "%zu bytes", strlen(found)); /* race */
#ifndef RACY
        shmem_quiet();
#endif
        shmem_int_p(&told, 1, 0);
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
