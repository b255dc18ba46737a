/* SPDX-License-Identifier: BSD-3-Clause
 * See processor.h.
 */
#include "base/pace/processor.h"

#include "base/clock.h"

#include <poll.h>
#include <sched.h>

struct sheaf_pace sheaf_pace_here;

void sheaf_processor_yield(void)
{
    uint64_t begin = sheaf_clock_ns();
    sched_yield();
    sheaf_pace_yielded(&sheaf_pace_here, sheaf_clock_ns() - begin);
}

static struct timespec time_of(uint64_t ns)
{
    return (struct timespec){(time_t)(ns / SHEAF_SECOND), (long)(ns % SHEAF_SECOND)};
}

bool sheaf_processor_nap(int descriptor, uint64_t ns)
{
    struct pollfd event = {descriptor, POLLIN, 0};
    struct timespec time = time_of(ns);
    uint64_t begin = sheaf_clock_ns(), ran = sheaf_clock_process_ns();
    if (ppoll(&event, 1, &time, NULL) != 0)
        return true;
    sheaf_pace_napped(&sheaf_pace_here, ns, sheaf_clock_ns() - begin, sheaf_clock_process_ns() - ran);
    return false;
}

void sheaf_processor_sleep(uint64_t ns)
{
    struct timespec time = time_of(ns);
    nanosleep(&time, NULL);
}
