/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: strlen, strncpy, strcmp of what was put.
 */
#include <shmem.h>
#include <string.h>
static char name[32], copy[32]; static long ready;
int main(void) {
    shmem_init();
    if (shmem_my_pe() == 0) {
        char mine[32];
        strcpy(mine, "sheaf of grain");
        shmem_char_put(name, mine, strlen(mine) + 1, 1); /* race */
#ifndef RACY
        shmem_fence();
#endif
        shmem_long_atomic_set(&ready, 1, 1);
    } else {
        shmem_long_wait_until(&ready, SHMEM_CMP_EQ, 1);
        strncpy(copy, name, sizeof copy); /* race */
        if (strcmp(copy, "nothing") == 0) return 1;
        memmove(copy + 1, copy, 10);
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
