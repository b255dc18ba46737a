/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The loop of stream.h on AArch64: pairs of registers stored without a place in the cache (STNP).
 * These stores have the order of all others there: a release, or a barrier, orders them.
 */
#if defined(__aarch64__)

#include "base/stream.h"

static bool is_everywhere(void)
{
    return true;
}

static void by_stnp(char *dest, const char *source, size_t bytes)
{
    const char *end = source + bytes;
    __atomic_thread_fence(__ATOMIC_RELEASE);
    while (source != end)
        __asm__ volatile("prfm pldl1strm, [%1, #1024]\n\t"
                         "prfm pldl1strm, [%1, #1088]\n\t"
                         "ldp q0, q1, [%1]\n\t"
                         "ldp q2, q3, [%1, #32]\n\t"
                         "ldp q4, q5, [%1, #64]\n\t"
                         "ldp q6, q7, [%1, #96]\n\t"
                         "stnp q0, q1, [%0]\n\t"
                         "stnp q2, q3, [%0, #32]\n\t"
                         "stnp q4, q5, [%0, #64]\n\t"
                         "stnp q6, q7, [%0, #96]\n\t"
                         "add %0, %0, %2\n\t"
                         "add %1, %1, %2"
                         : "+r"(dest), "+r"(source)
                         : "I"(SHEAF_STREAM_STEP)
                         : "memory", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7");
    __atomic_thread_fence(__ATOMIC_RELEASE);
}

const struct sheaf_stream_way sheaf_stream_ways[] = {
    {"stnp", is_everywhere, by_stnp},
    {NULL, NULL, NULL},
};

#else
typedef int sheaf_not_aarch64; /* a file may not be empty */
#endif
