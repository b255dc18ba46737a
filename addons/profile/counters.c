/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the kernel and the processor count of the PE, in user mode; what a machine does not let be
 * counted keeps the reason.
 */
#include "profile/internal.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct {
    const char *name;
    uint32_t type;
    uint64_t config;
} wanted[PROFILE_COUNTERS] = {
    {"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    {"cache misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
    {"CPU time (ns)", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
    {"migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
    {"page faults", UINT32_MAX, 0},
    {"voluntary switches", UINT32_MAX, 1},
    {"involuntary switches", UINT32_MAX, 2},
};
static int descriptors[PROFILE_COUNTERS];
static struct rusage first;

static int open_counter(uint32_t type, uint64_t config)
{
    struct perf_event_attr attributes = {.type = type,
                                         .size = sizeof attributes,
                                         .config = config,
                                         .exclude_kernel = 1,
                                         .exclude_hv = 1,
                                         .inherit = 1};
    return (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

void profile_counters_start(void)
{
    getrusage(RUSAGE_SELF, &first);
    for (int i = 0; i < PROFILE_COUNTERS; i++) {
        struct profile_counter *counter = &profile.header->counters[i];
        strncpy(counter->name, wanted[i].name, sizeof counter->name - 1);
        descriptors[i] = -1;
        if (wanted[i].type == UINT32_MAX)
            continue;
        descriptors[i] = open_counter(wanted[i].type, wanted[i].config);
        counter->error = descriptors[i] < 0 ? errno : 0;
    }
}

static uint64_t of_kernel(const struct rusage *now, uint64_t which)
{
    if (which == 0)
        return (uint64_t)(now->ru_minflt - first.ru_minflt + now->ru_majflt - first.ru_majflt);
    return (uint64_t)(which == 1 ? now->ru_nvcsw - first.ru_nvcsw
                                 : now->ru_nivcsw - first.ru_nivcsw);
}

void profile_counters_read(void)
{
    struct rusage now;
    getrusage(RUSAGE_SELF, &now);
    for (int i = 0; i < PROFILE_COUNTERS; i++) {
        struct profile_counter *counter = &profile.header->counters[i];
        if (wanted[i].type == UINT32_MAX)
            counter->value = of_kernel(&now, wanted[i].config);
        else if (descriptors[i] >= 0 && read(descriptors[i], &counter->value,
                                             sizeof counter->value) != sizeof counter->value)
            counter->error = errno ? errno : EIO;
    }
}
