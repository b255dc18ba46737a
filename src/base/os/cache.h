/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The processor's last-level cache, as the kernel tells it; where /sys is missing as the processor
 * does.
 */
#ifndef SHEAF_BASE_OS_CACHE_H
#define SHEAF_BASE_OS_CACHE_H

#include <stddef.h>

struct sheaf_cache {
    size_t bytes; /* 0 where nobody tells */
    int cpus;     /* that share it, at least 1; those of the machine, whoever may use them */
};

/* Of the processor that this thread runs on. */
struct sheaf_cache sheaf_cache_last(void);

/* Its two sources; folder is that of a processor's caches under /sys. */
struct sheaf_cache sheaf_cache_of_folder(const char *folder);
struct sheaf_cache sheaf_cache_of_processor(void);

#endif
