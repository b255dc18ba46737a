/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory: touched data counts once, not once per PE that maps it and not twice for having been
 * copied into the image. Measured as the proportional set size (Pss), summed over the PEs.
 */
#include "check.h"

#include <string.h>

#define DATA_BYTES (32 << 20)
#define HEAP_BYTES (32 << 20)
#define OWN_KIB    (12 * 1024) /* program, libc, tables: far more than a hello needs */

static char in_data[DATA_BYTES] = {1};

static long pss_kib(void)
{
    char line[256];
    long value = -1;
    FILE *file = fopen("/proc/self/smaps_rollup", "r");
    if (!file)
        TEST_SKIP("no /proc/self/smaps_rollup");
    while (fgets(line, sizeof line, file))
        if (strncmp(line, "Pss:", 4) == 0)
            value = atol(line + 4);
    fclose(file);
    CHECK(value >= 0);
    return value;
}

/* Sum over all PEs, the same on all. */
static long total_pss_kib(void)
{
    static long mine, sum;
    shmem_barrier_all();
    mine = pss_kib();
    shmem_barrier_all();
    CHECK_EQ(shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &mine, 1), 0);
    return sum;
}

int main(void)
{
    memset(in_data, 7, sizeof in_data);
    shmem_init();
    int npes = shmem_n_pes();
    char *heap = shmem_malloc(HEAP_BYTES);
    CHECK(heap != NULL);
    CHECK_EQ(in_data[DATA_BYTES - 1], 7);
    memset(heap, 9, HEAP_BYTES);
    long bound = npes * ((DATA_BYTES + HEAP_BYTES) / 1024 + OWN_KIB);
    long before = total_pss_kib();
    CHECK(before > npes * ((DATA_BYTES + HEAP_BYTES) / 1024) * 9 / 10);
    if (before > bound)
        printf("Pss %ld KiB, bound %ld KiB\n", before, bound);
    CHECK(before <= bound);
    long sum = 0;
    for (int pe = 0; pe < npes; pe++) {
        const char *data = shmem_ptr(in_data, pe), *blocks = shmem_ptr(heap, pe);
        for (int i = 0; i < DATA_BYTES; i += 4096)
            sum += data[i] + blocks[i];
    }
    CHECK_EQ(sum, (long)npes * 16 * (DATA_BYTES / 4096));
    long after = total_pss_kib();
    if (after > bound)
        printf("Pss %ld KiB once all windows were read, bound %ld KiB\n", after, bound);
    CHECK(after <= bound);
    return test_finish();
}
