/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Time as nanoseconds of CLOCK_MONOTONIC, which all processes of a machine share.
 */
#ifndef SHEAF_BASE_CLOCK_H
#define SHEAF_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

#define SHEAF_MILLISECOND UINT64_C(1000000)
#define SHEAF_SECOND      UINT64_C(1000000000)

static inline uint64_t sheaf_clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * SHEAF_SECOND + (uint64_t)now.tv_nsec;
}

#endif
