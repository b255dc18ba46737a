/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Time as nanoseconds: of CLOCK_MONOTONIC, which all processes of a machine share, and the processor
 * time of this process.
 */
#ifndef SHEAF_BASE_CLOCK_H
#define SHEAF_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

#define SHEAF_MILLISECOND UINT64_C(1000000)
#define SHEAF_SECOND      UINT64_C(1000000000)

static inline uint64_t sheaf_clock_read(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * SHEAF_SECOND + (uint64_t)now.tv_nsec;
}

static inline uint64_t sheaf_clock_ns(void)
{
    return sheaf_clock_read(CLOCK_MONOTONIC);
}

/* For which all threads of this process have run. */
static inline uint64_t sheaf_clock_process_ns(void)
{
    return sheaf_clock_read(CLOCK_PROCESS_CPUTIME_ID);
}

#endif
