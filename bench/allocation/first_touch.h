/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What touch.c and ../limits/touch.c share: TOUCH_MIB of memory (1 GiB without it), one byte of each page written,
 * TOUCH_TIMES times, and the medians reported: the time, and of PE 0 the processor time and page faults. Behind
 * bench.h or limits/limit.h.
 */
#ifndef BENCH_FIRST_TOUCH_H
#define BENCH_FIRST_TOUCH_H

#include <sys/resource.h>
#include <unistd.h>

struct touch {
    int done, times;
    long faults_before;
    double start_ns, start_cpu_ns;
    double took_ns[BENCH_MAX_BATCHES], took_cpu_ns[BENCH_MAX_BATCHES], faults[BENCH_MAX_BATCHES];
};

static inline double touch_cpu_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static inline size_t touch_bytes(void)
{
    return (size_t)bench_setting("TOUCH_MIB", 1024) << 20;
}

static inline void touch_begin(struct touch *touch)
{
    memset(touch, 0, sizeof *touch);
    touch->times = (int)bench_setting("TOUCH_TIMES", 3);
    if (touch->times < 1 || touch->times > BENCH_MAX_BATCHES)
        touch->times = 3;
}

static inline int touch_goes_on(const struct touch *touch)
{
    return touch->done < touch->times;
}

static inline long touch_faults(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt + usage.ru_majflt;
}

static inline void touch_start(struct touch *touch)
{
    touch->faults_before = touch_faults();
    touch->start_cpu_ns = touch_cpu_ns();
    touch->start_ns = bench_now_ns();
}

/* PE 0's own part ends; it may wait for others before touch_stop(). */
static inline void touch_own_end(struct touch *touch)
{
    touch->took_cpu_ns[touch->done] = touch_cpu_ns() - touch->start_cpu_ns;
}

static inline void touch_stop(struct touch *touch)
{
    touch->took_ns[touch->done] = bench_now_ns() - touch->start_ns;
    touch->faults[touch->done++] = (double)(touch_faults() - touch->faults_before);
}

static inline void touch_end(struct touch *touch, const char *what)
{
    char faults[96], processor[96];
    snprintf(faults, sizeof faults, "%s, page faults", what);
    snprintf(processor, sizeof processor, "%s, processor", what);
    bench_report(what, touch_bytes(), bench_median(touch->took_ns, touch->times), "ns");
    bench_report(processor, touch_bytes(), bench_median(touch->took_cpu_ns, touch->times), "ns");
    bench_report(faults, touch_bytes(), bench_median(touch->faults, touch->times), "faults");
}

static inline void touch_pages(char *memory)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (size_t at = 0; at < touch_bytes(); at += page)
        *(volatile char *)(memory + at) = 1;
}

#endif
