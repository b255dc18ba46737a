/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where the kernel gives shared memory huge pages, the heap has them: under what its owner touches first,
 * and under what another PE does.
 */
#include "check.h"

#include <string.h>

#define HUGE_PAGE ((size_t)2 << 20)
#define LENGTH    (4 * HUGE_PAGE)

static int kernel_has_them(void)
{
    char line[128] = "";
    FILE *file = fopen("/sys/kernel/mm/transparent_hugepage/shmem_enabled", "r");
    if (!file)
        return 0;
    char *got = fgets(line, sizeof line, file);
    fclose(file);
    return got && !strstr(line, "[never]") && !strstr(line, "[deny]");
}

/* KiB under huge pages in the mapping that holds the address. */
static long huge_kib(const char *address)
{
    char line[256];
    unsigned long from, to;
    long kib = 0;
    int inside = 0;
    FILE *file = fopen("/proc/self/smaps", "r");
    CHECK(file != NULL);
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "%lx-%lx ", &from, &to) == 2)
            inside = from <= (unsigned long)address && (unsigned long)address < to;
        else if (inside)
            sscanf(line, "ShmemPmdMapped: %ld", &kib);
    }
    fclose(file);
    return kib;
}

static void read_all(const volatile char *block)
{
    for (size_t i = 0; i < LENGTH; i += 4096)
        CHECK_EQ(block[i], 1);
}

int main(void)
{
    shmem_init();
    int next = (shmem_my_pe() + 1) % shmem_n_pes();
    if (!kernel_has_them())
        TEST_SKIP("this kernel gives shared memory no huge pages (shmem_enabled)");
    char *mine = shmem_align(HUGE_PAGE, LENGTH), *theirs = shmem_align(HUGE_PAGE, LENGTH);
    memset(mine, 1, LENGTH);
    long own = huge_kib(mine);
    CHECK(own * 1024 >= (long)LENGTH);
    memset(shmem_ptr(theirs, next), 1, LENGTH);
    shmem_barrier_all();
    read_all(theirs);
    CHECK(huge_kib(theirs) - own >= (long)LENGTH / 1024);
    return test_finish();
}
