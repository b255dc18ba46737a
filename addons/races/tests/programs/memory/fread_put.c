/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: fread into symmetric memory.
 */
#include <shmem.h>
#include <stdio.h>
static char line[80];
int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    if (me == 1) {
        FILE *f = fopen("/proc/self/stat", "r");
        if (!f || fread(line, 1, 40, f) < 10) return 1; /* race */
        fclose(f);
    }
#ifndef RACY
    shmem_barrier_all();
#endif
    char mine[80];
    if (me == 0)
        shmem_getmem(mine, line, 20, 1); /* race */
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
