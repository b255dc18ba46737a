/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: strcpy by way of shmem_ptr, a flag, strlen.
 */
#include <shmem.h>
#include <string.h>
static char text[64]; static int flag;
int main(void) {
    shmem_init();
    if (shmem_my_pe() == 0) {
        char *there = shmem_ptr(text, 1);
        if (there == NULL) return 0;
        strcpy(there, "a message of some length"); /* race */
#ifndef RACY
        shmem_fence();
#endif
        shmem_int_p(&flag, 1, 1);
    } else {
        shmem_int_wait_until(&flag, SHMEM_CMP_EQ, 1);
        if (strlen(text) == 3) return 1; /* race */
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
