/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a PE costs in memory: page tables and resident bytes after shmem_init, and after a page of
 * static data and a page of the heap of every PE have been touched. Run it by hand at the numbers
 * of PEs that matter:  oshcc bench/node/memory.c -o memory && oshrun -n 64 ./memory
 */
#include <shmem.h>

#include <stdio.h>
#include <string.h>

#define PAGE 4096

static char data[2 * PAGE];

/* A line "key: number kB" of a file of /proc, in KiB; -1 without it. */
static long kib(const char *file, const char *key)
{
    char line[256];
    long value = -1;
    FILE *in = fopen(file, "r");
    while (in && value < 0 && fgets(line, sizeof line, in))
        if (strncmp(line, key, strlen(key)) == 0)
            sscanf(line + strlen(key), ": %ld", &value);
    if (in)
        fclose(in);
    return value;
}

static void print(const char *when, int pes)
{
    printf("%4d PEs, %-22s page tables %5ld KiB, resident %5ld KiB, its share %5ld KiB per PE\n",
           pes, when, kib("/proc/self/status", "VmPTE"), kib("/proc/self/status", "VmRSS"),
           kib("/proc/self/smaps_rollup", "Pss"));
}

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), pes = shmem_n_pes();
    char *heap = shmem_malloc(PAGE);
    if (!heap)
        shmem_global_exit(1);
    shmem_barrier_all();
    if (me == 0)
        print("after init", pes);
    shmem_barrier_all();
    for (int pe = 0; pe < pes; pe++) {
        shmem_char_p(heap, 1, pe);
        shmem_char_p(data + PAGE, 1, pe);
    }
    shmem_barrier_all();
    if (me == 0)
        print("two pages of each PE", pes);
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
