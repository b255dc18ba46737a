/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A PE that dies and leaves a core file, after every window has been touched. Run from outside.
 */
#include "check.h"

#include <string.h>

#define TOUCHED (4 << 20)

static char in_bss[TOUCHED];

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    char *heap = shmem_malloc(TOUCHED);
    CHECK(heap != NULL);
    memset(in_bss, me, sizeof in_bss);
    memset(heap, me, TOUCHED);
    shmem_barrier_all();
    long total = 0;
    for (int pe = 0; pe < npes; pe++) {
        const char *theirs = shmem_ptr(heap, pe);
        for (int i = 0; i < TOUCHED; i += 4096)
            total += theirs[i];
    }
    CHECK_EQ(total, (long)npes * (npes - 1) / 2 * (TOUCHED / 4096));
    shmem_barrier_all();
    if (me == npes - 1)
        abort();
    shmem_barrier_all();
    return test_finish();
}
