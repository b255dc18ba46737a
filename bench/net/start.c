/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What starting costs: the longest shmem_init of all PEs, PE 0's shmem_finalize, and the memory of
 * a PE: resident after initialization (the mean), and PE 0's own memory (not shared, not of
 * files) before and after it has put a word to every PE. The runner takes the whole time.
 */
#include "../bench.h"

static double init_ns[BENCH_MAX_PES], resident_kib[BENCH_MAX_PES];
static long word;

/* A line "key: number kB" of /proc/self/status. */
static double status_kib(const char *key)
{
    char line[256];
    double value = 0;
    FILE *in = fopen("/proc/self/status", "r");
    while (in && fgets(line, sizeof line, in))
        if (strncmp(line, key, strlen(key)) == 0)
            sscanf(line + strlen(key), ": %lf", &value);
    if (in)
        fclose(in);
    return value;
}

static void tell_all(void)
{
    double longest = 0, sum = 0;
    for (int pe = 0; pe < bench_pes; pe++) {
        longest = init_ns[pe] > longest ? init_ns[pe] : longest;
        sum += resident_kib[pe];
    }
    bench_report("init", 0, longest, "ns");
    bench_report("resident after init", 0, sum / bench_pes, "KiB");
}

static void tell_state(double before)
{
    double own = status_kib("RssAnon");
    for (int pe = 0; pe < bench_pes; pe++)
        shmem_long_p(&word, 1, pe);
    shmem_quiet();
    bench_report("own memory beyond main", 0, own - before, "KiB");
    bench_report("own memory, all PEs put to", 0, status_kib("RssAnon") - before, "KiB");
}

int main(void)
{
    double own = status_kib("RssAnon"), start = bench_now_ns();
    shmem_init();
    double took = bench_now_ns() - start, resident = status_kib("VmRSS");
    bench_me = shmem_my_pe();
    bench_pes = shmem_n_pes();
    shmem_double_p(&init_ns[bench_me], took, 0);
    shmem_double_p(&resident_kib[bench_me], resident, 0);
    shmem_barrier_all();
    if (bench_me == 0) {
        tell_all();
        tell_state(own);
    }
    shmem_barrier_all();
    start = bench_now_ns();
    shmem_finalize();
    bench_report("finalize", 0, bench_now_ns() - start, "ns");
    return 0;
}
