/* SPDX-License-Identifier: BSD-3-Clause
 * See cache.h.
 */
#include "base/os/cache.h"

#include "base/os/os.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CACHES = 10 };

#if !defined(__x86_64__)
struct sheaf_cache sheaf_cache_of_processor(void)
{
    return (struct sheaf_cache){0, 1};
}
#endif

static bool read_field(const char *folder, int index, const char *field, char *text, size_t size)
{
    char path[256];
    return snprintf(path, sizeof path, "%s/index%d/%s", folder, index, field) < (int)sizeof path &&
           sheaf_os_read_file(path, text, size) > 0;
}

/* A map of processors: digits of four each, in groups between commas. */
static int count_cpus(const char *map)
{
    int cpus = 0;
    for (; *map; map++) {
        char digit[] = {*map, '\0'};
        cpus += __builtin_popcount((unsigned)strtoul(digit, NULL, 16));
    }
    return cpus > 0 ? cpus : 1;
}

/* "32768K" */
static size_t parse_size(const char *text)
{
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    int shift = *end == 'K' ? 10 : *end == 'M' ? 20 : 0;
    return number > SIZE_MAX >> shift ? 0 : (size_t)number << shift;
}

struct sheaf_cache sheaf_cache_of_folder(const char *folder)
{
    struct sheaf_cache last = {0, 1};
    int last_level = 0;
    char text[4096];
    for (int index = 0; index < MOST_CACHES; index++) {
        if (!read_field(folder, index, "level", text, sizeof text))
            break;
        int level = atoi(text);
        if (level <= last_level || !read_field(folder, index, "type", text, sizeof text) ||
            strncmp(text, "Instruction", 11) == 0 ||
            !read_field(folder, index, "size", text, sizeof text))
            continue;
        last_level = level;
        last.bytes = parse_size(text);
        last.cpus = read_field(folder, index, "shared_cpu_map", text, sizeof text) ? count_cpus(text) : 1;
    }
    return last;
}

struct sheaf_cache sheaf_cache_last(void)
{
    char folder[64];
    int cpu = sched_getcpu();
    snprintf(folder, sizeof folder, "/sys/devices/system/cpu/cpu%d/cache", cpu < 0 ? 0 : cpu);
    struct sheaf_cache last = sheaf_cache_of_folder(folder);
    return last.bytes > 0 ? last : sheaf_cache_of_processor();
}
