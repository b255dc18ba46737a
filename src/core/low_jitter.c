/* SPDX-License-Identifier: BSD-3-Clause
 * See low_jitter.h.
 */
#include "core/low_jitter.h"

#include "base/log.h"
#include "base/os/os.h"
#include "base/pace/processor.h"
#include "core/pe/job.h"
#include "image/image.h"

#include <errno.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/utsname.h>

/* As the kernel has it (5.14), whose headers may be older. */
#define POPULATE_WRITE 23

/* Of the stack of the thread that initializes. */
#define STACK_BYTES ((size_t)256 << 10)

/* What cannot be had here, for one line. */
struct missing {
    char text[400];
};

static void note_missing(struct missing *missing, const char *what, int error, const char *remedy)
{
    size_t used = strlen(missing->text);
    snprintf(missing->text + used, sizeof missing->text - used, "%s%s (%s: %s)", used ? ", " : "", what,
             strerror(error), remedy);
}

/* Pages get mapped as by a write; what they hold stays. */
static int map_pages(void *start, size_t length)
{
    uintptr_t page = sheaf_os_page_size(), first = (uintptr_t)start & ~(page - 1);
    size_t bytes = sheaf_round_up((uintptr_t)start + length, page) - first;
    return length ? madvise((void *)first, bytes, POPULATE_WRITE) : 0;
}

/* This PE's own, and as the near PEs' windows show it. */
static int map_pages_everywhere(char *start, size_t length)
{
    int failed = map_pages(start, length), slots = sheaf_image.window ? sheaf_image.control->npes : 0;
    for (int slot = 0; slot < slots && !failed; slot++)
        if (slot != sheaf_image.slot)
            failed = map_pages(start + sheaf_image.base + (uintptr_t)slot * sheaf_image.window_stride,
                               length);
    return failed;
}

static int map_variables(void)
{
    char *start;
    size_t length, file_length;
    int failed = 0;
    for (int i = 0; sheaf_image_data_range(i, &start, &length, &file_length) && !failed; i++)
        failed = sheaf_image.data_is_symmetric ? map_pages_everywhere(start, length)
                                               : map_pages(start, length);
    return failed;
}

static void map_stack(void)
{
    volatile char bytes[STACK_BYTES];
    for (size_t i = 0; i < sizeof bytes; i += 1024)
        bytes[i] = 0;
}

/* Linux before 6.12 stops real-time threads for a part of each second, whether others want to run or
 * not. */
static bool is_throttled(void)
{
    struct utsname kernel;
    char text[32];
    int major = 0, minor = 0;
    bool is_known = uname(&kernel) == 0 && sscanf(kernel.release, "%d.%d", &major, &minor) == 2;
    if (is_known && (major > 6 || (major == 6 && minor >= 12)))
        return false;
    return sheaf_os_read_file("/proc/sys/kernel/sched_rt_runtime_us", text, sizeof text) > 0 &&
           atol(text) >= 0;
}

/* Threads that this one makes have ordinary priority. */
static int take_real_time_priority(void)
{
    struct sched_param lowest = {.sched_priority = sched_get_priority_min(SCHED_FIFO)};
    return sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &lowest);
}

void sheaf_low_jitter_start(void)
{
    struct missing missing = {""};
    if (sheaf_job.settings.low_jitter != SHEAF_LOW_JITTER_ON)
        return;
    prctl(PR_SET_TIMERSLACK, 1UL);
    map_stack();
    if (mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) != 0)
        note_missing(&missing, "locked memory", errno, "ulimit -l unlimited");
    if (map_variables() != 0)
        note_missing(&missing, "memory that is mapped beforehand", errno, "Linux 5.14");
    if (sheaf_pace_here.is_outnumbered)
        note_missing(&missing, "real-time priority", EBUSY, "no more PEs than processors");
    else if (is_throttled())
        note_missing(&missing, "real-time priority", EBUSY, "sysctl kernel.sched_rt_runtime_us=-1");
    else if (take_real_time_priority() != 0)
        note_missing(&missing, "real-time priority", errno, "ulimit -r 1");
    if (missing.text[0] && sheaf_job.pe == 0)
        sheaf_warn("SH209 SHEAF_LOW_JITTER=on works without %s", missing.text);
}

void sheaf_low_jitter_touch(void *block, size_t size)
{
    if (sheaf_unlikely(sheaf_job.settings.low_jitter == SHEAF_LOW_JITTER_ON))
        map_pages_everywhere(block, size);
}
