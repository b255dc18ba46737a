/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The processor's last-level cache, as the kernel tells it; where /sys is missing as the processor
 * does. And where a process runs: socket, NUMA node and cache.
 */
#ifndef SHEAF_BASE_OS_CACHE_H
#define SHEAF_BASE_OS_CACHE_H

#include <stddef.h>
#include <stdint.h>

struct sheaf_cache {
    size_t bytes; /* 0 where nobody tells */
    int cpus;     /* that share it, at least 1; those of the machine, whoever may use them */
};

/* Of the processor that this thread runs on. */
struct sheaf_cache sheaf_cache_last(void);

/* Its two sources; folder is that of a processor's caches under /sys. */
struct sheaf_cache sheaf_cache_of_folder(const char *folder);
struct sheaf_cache sheaf_cache_of_processor(void);

/* Where a process may run, from the outside in: the lowest processor of the one socket, NUMA node and
 * last-level cache that all its processors belong to. -1: they belong to several, or nobody tells. */
enum { SHEAF_DOMAIN_SOCKET, SHEAF_DOMAIN_NODE, SHEAF_DOMAIN_CACHE, SHEAF_DOMAIN_LEVELS };
struct sheaf_domains {
    int32_t first[SHEAF_DOMAIN_LEVELS];
};

/* Of these processors, a bit each in SHEAF_CPU_WORDS words: from a folder such as /sys/devices/system. */
struct sheaf_domains sheaf_domains_read(const char *folder, const uint64_t *processors);

/* The same from a text: the processors of one domain, a slash, those of the next: "0-15/16-31". Returns 0;
 * -1 where the text is none, or a processor stands in it twice. */
int sheaf_domains_parse(const char *text, const uint64_t *processors, struct sheaf_domains *domains);

#endif
