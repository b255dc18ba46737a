/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How long the kernel has worked on a CPU: for calls, interrupts and what these put off, for whomever. The
 * kernel itself looks every 50 us what the CPU does; its own account (/proc/stat) looks every 1 to 10 ms, which
 * in a measurement of 0.4 s is wrong by a tenth. Idle time does not count.
 */
#ifndef KERNEL_TIME_H
#define KERNEL_TIME_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define KERNEL_LOOK_NS 49999 /* no divisor of what is measured; 20 looks a ms take 1 to 2 % of the CPU */

struct kernel_time {
    int descriptor;
    struct perf_event_mmap_page *page; /* of records of 8 bytes, one a look that found the kernel at work */
    size_t length;
};

/* false where the kernel does not let this process look: it takes root, or perf_event_paranoid below 1. */
static inline bool kernel_time_open(struct kernel_time *time, int cpu)
{
    struct perf_event_attr what;
    memset(&what, 0, sizeof what);
    what.size = sizeof what;
    what.type = PERF_TYPE_SOFTWARE;
    what.config = PERF_COUNT_SW_CPU_CLOCK;
    what.sample_period = KERNEL_LOOK_NS;
    what.exclude_user = what.exclude_idle = 1;
    time->descriptor = (int)syscall(SYS_perf_event_open, &what, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
    if (time->descriptor < 0)
        return false;
    time->length = (size_t)sysconf(_SC_PAGESIZE) * 2;
    time->page = mmap(NULL, time->length, PROT_READ, MAP_SHARED, time->descriptor, 0); /* read only: never full */
    if (time->page != MAP_FAILED)
        return true;
    close(time->descriptor);
    return false;
}

static inline double kernel_time_ns(const struct kernel_time *time)
{
    uint64_t bytes = __atomic_load_n(&time->page->data_head, __ATOMIC_ACQUIRE);
    return (double)(bytes / sizeof(struct perf_event_header)) * KERNEL_LOOK_NS;
}

static inline void kernel_time_close(struct kernel_time *time)
{
    munmap(time->page, time->length);
    close(time->descriptor);
}

#endif
