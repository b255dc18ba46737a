/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Whether this processor can do what SHEAF_COPY=stream or vector asks for: where the test runs, not where it was
 * built.
 */
#ifndef TEST_STREAMS_H
#define TEST_STREAMS_H

#include "check.h"

#include <string.h>

/* Before shmem_init(), which refuses it. */
static inline void skip_where_nothing_streams(void)
{
#ifdef __x86_64__
    const char *copy = getenv("SHEAF_COPY");
    if (copy && strcmp(copy, "memcpy") != 0 && !__builtin_cpu_supports("avx2"))
        TEST_SKIP("copies stream with AVX2, which this processor does not have");
#else
    const char *copy = getenv("SHEAF_COPY");
    if (copy && strcmp(copy, "vector") == 0)
        TEST_SKIP("vector copies are x86-64's");
#endif
}

#endif
