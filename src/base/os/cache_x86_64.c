/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What an x86-64 processor tells of its caches, by the instruction CPUID: leaf 4 of Intel's, leaf
 * 0x8000001d of AMD's, in one format.
 */
#if defined(__x86_64__)

#include "base/os/cache.h"

#include <cpuid.h>

enum { INTEL = 4, AMD = (int)0x8000001d, INSTRUCTIONS = 2, MOST_CACHES = 10 };

static struct sheaf_cache of_leaf(unsigned leaf)
{
    struct sheaf_cache last = {0, 1};
    unsigned last_level = 0, eax, ebx, ecx, edx;
    for (unsigned index = 0; index < MOST_CACHES; index++) {
        if (!__get_cpuid_count(leaf, index, &eax, &ebx, &ecx, &edx) || (eax & 31) == 0)
            break;
        unsigned level = eax >> 5 & 7;
        if ((eax & 31) == INSTRUCTIONS || level <= last_level)
            continue;
        last_level = level;
        last.cpus = (int)(eax >> 14 & 0xfff) + 1;
        last.bytes = (size_t)((ebx >> 22) + 1) * ((ebx >> 12 & 0x3ff) + 1) * ((ebx & 0xfff) + 1) *
                     ((size_t)ecx + 1);
    }
    return last;
}

struct sheaf_cache sheaf_cache_of_processor(void)
{
    struct sheaf_cache last = of_leaf(INTEL);
    return last.bytes > 0 ? last : of_leaf((unsigned)AMD);
}

#else
typedef int sheaf_cache_not_x86_64; /* a file may not be empty */
#endif
