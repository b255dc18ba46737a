/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the engine's operations cost, run by hand: test-engine-speed [polling|computing|overlap].
 * PE 0 measures; PE 1 polls the engine meanwhile, or computes without calling it, or (overlap)
 * sleeps; what PE 0 computes has processor 0, everything else shares processor 1.
 */
#include "harness.h"

#include <sched.h>
#include <string.h>

static const char *mode = "polling";
static uint64_t result;
static sheaf_engine_context *context;

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *times, int count)
{
    qsort(times, (size_t)count, sizeof *times, compare);
    return times[count / 2];
}

/* Ends after limit seconds even before count calls. */
static void report_within(double limit, const char *what, size_t bytes, void (*call)(size_t),
                          int count)
{
    static double times[20000];
    for (int i = 0; i < count / 10 + 2; i++)
        call(bytes);
    double start = now();
    for (int i = 0; i < count; i++) {
        double begin = now();
        call(bytes);
        times[i] = now() - begin;
        if (now() - start >= limit)
            count = i + 1;
    }
    double middle = median(times, count);
    printf("%-12s %8zu B  %9.2f us  p10 %9.2f  p90 %9.2f  %8.1f MB/s\n", what, bytes, middle * 1e6,
           times[count / 10] * 1e6, times[count * 9 / 10] * 1e6, (double)bytes / middle * 1e-6);
    fflush(stdout);
}

static void report(const char *what, size_t bytes, void (*call)(size_t), int count)
{
    report_within(2, what, bytes, call, count);
}

static void put_quiet(size_t bytes)
{
    far_put(context, 1, heap, heap + HEAP_BYTES / 2, bytes);
    far_quiet(context, SHEAF_EVERY_PE);
}

static void put_nbi_burst(size_t bytes)
{
    for (int i = 0; i < 64; i++)
        far_put_nbi(context, 1, heap + 64 * i, heap + HEAP_BYTES / 2, bytes / 64);
    far_quiet(context, SHEAF_EVERY_PE);
}

static void get(size_t bytes)
{
    far_get(context, 1, heap + HEAP_BYTES / 2, heap, bytes);
}

static void fetch_add(size_t bytes)
{
    struct sheaf_amo_call call = {SHEAF_AMO_ADD, (unsigned)bytes, heap, 1, 0, false};
    far_amo(context, 1, &call, &result);
}

static void put_blocks(size_t bytes)
{
    struct sheaf_blocks blocks = {(ptrdiff_t)bytes * 2, (ptrdiff_t)bytes * 2, bytes, 1 << 20};
    while (blocks.count * bytes > 1 << 20)
        blocks.count /= 2;
    far_put_row(context, 1, heap, heap + HEAP_BYTES / 2, &blocks);
    far_quiet(context, SHEAF_EVERY_PE);
}

static void get_blocks(size_t bytes)
{
    struct sheaf_blocks blocks = {(ptrdiff_t)bytes * 2, (ptrdiff_t)bytes * 2, bytes, 1 << 20};
    while (blocks.count * bytes > 1 << 20)
        blocks.count /= 2;
    far_get_row(context, 1, heap + HEAP_BYTES / 2, heap, &blocks);
}

/* There and back: PE 1 answers in answer_messages(). */
static void message(size_t bytes)
{
    size_t in = 0, out = 0;
    engine->receive(1, 2, 0, heap, bytes, &in);
    engine->send(1, 1, 0, heap + HEAP_BYTES / 2, bytes, &out);
    finish(NULL, &in);
    finish(NULL, &out);
}

static void answer_messages(size_t bytes)
{
    size_t in = 0, out = 0;
    engine->receive(0, 1, 0, heap, bytes, &in);
    finish(NULL, &in);
    engine->send(0, 2, 0, heap + HEAP_BYTES / 2, bytes, &out);
    finish(NULL, &out);
}

static void measure(void)
{
    static const size_t sizes[] = {8, 64, 1024, 4096, 16384, 65536, 262144, 1 << 20, 4 << 20};
    report("fetch_add", 8, fetch_add, 5000);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        report("get", sizes[i], get, sizes[i] < 65536 ? 5000 : 500);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        report("put+quiet", sizes[i], put_quiet, sizes[i] < 65536 ? 5000 : 500);
    report("64 put_nbi", 512, put_nbi_burst, 1000);
    for (size_t bytes = 8; bytes <= 65536; bytes *= 8) {
        report("put_blocks", bytes, put_blocks, 100);
        report("get_blocks", bytes, get_blocks, 100);
    }
}

static void measure_messages(void)
{
    static const size_t sizes[] = {8, 4096, 65536, 1 << 20};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int count = sizes[i] < 65536 ? 2000 : 200;
        barrier();
        if (me == 0)
            report_within(60, "2 messages", sizes[i], message, count);
        for (int k = 0; me == 1 && k < count + count / 10 + 2; k++)
            answer_messages(sizes[i]);
    }
}

static double time_overlap(size_t bytes, bool is_get, double computing)
{
    double begin = now();
    if (is_get)
        far_get_nbi(context, 1, heap + HEAP_BYTES / 2, heap, bytes);
    else
        far_put_nbi(context, 1, heap, heap + HEAP_BYTES / 2, bytes);
    compute(computing);
    far_quiet(context, SHEAF_EVERY_PE);
    return now() - begin;
}

static double median_overlap(size_t bytes, bool is_get, double computing)
{
    double times[101];
    for (int i = 0; i < 50; i++)
        time_overlap(bytes, is_get, computing);
    for (int i = 0; i < 101; i++)
        times[i] = time_overlap(bytes, is_get, computing);
    return median(times, 101);
}

/* The share of what is computed that does not add to the total, when as much is computed as the
 * operation takes alone. */
static void measure_overlap(void)
{
    for (size_t bytes = 8; bytes <= 4 << 20; bytes *= bytes == 512 ? 8 : 4)
        for (int is_get = 0; is_get < 2; is_get++) {
            double alone = median_overlap(bytes, is_get, 0);
            double with = median_overlap(bytes, is_get, alone);
            printf("%s_nbi %8zu B  %9.2f us alone, %9.2f with as much computed: overlap %3.0f %%\n",
                   is_get ? "get" : "put", bytes, alone * 1e6, with * 1e6,
                   100 * (2 * alone - with) / alone);
            fflush(stdout);
        }
}

static void bind_to(int cpu)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    sched_setaffinity(0, sizeof set, &set);
}

static void body(void)
{
    volatile uint64_t *done = (uint64_t *)data;
    memset(heap, 1, HEAP_BYTES);
    if (strcmp(mode, "overlap") == 0 && me == 0)
        bind_to(0);
    barrier();
    if (strcmp(mode, "messages") == 0) {
        measure_messages();
    } else if (me == 0) {
        if (strcmp(mode, "overlap") == 0)
            measure_overlap();
        else
            measure();
        struct sheaf_amo_call call = {SHEAF_AMO_SET, 8, data, 1, 0, false};
        far_amo(NULL, 1, &call, NULL);
    } else {
        bool computes = strcmp(mode, "computing") == 0, sleeps = strcmp(mode, "overlap") == 0;
        while (!*done && me == 1) {
            if (!computes)
                engine->progress(false);
            if (sleeps)
                engine->sleep(NULL, false, 100000000);
        }
    }
}

int main(int argc, char **argv)
{
    if (argc > 1)
        mode = argv[1];
    if (strcmp(mode, "overlap") == 0)
        bind_to(1);
    return run_pes(2, body);
}
