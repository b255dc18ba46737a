/* SPDX-License-Identifier: BSD-3-Clause
 * See cache.h.
 */
#include "base/os/cache.h"

#include "base/os/nodes.h"
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

static bool has_cpu(const uint64_t *set, unsigned long cpu)
{
    return set[cpu / 64] >> cpu % 64 & 1;
}

static int lowest_cpu(const uint64_t *set)
{
    for (int word = 0; word < SHEAF_CPU_WORDS; word++)
        if (set[word])
            return word * 64 + __builtin_ctzll(set[word]);
    return -1;
}

/* Adds "0-3,8" to the set. Returns the first letter behind it; NULL where it is no list, or a processor is
 * in the set already. */
static const char *parse_cpus(const char *text, uint64_t *set)
{
    for (;;) {
        char *end;
        if (*text < '0' || *text > '9')
            return NULL;
        unsigned long first = strtoul(text, &end, 10), last = first;
        if (*end == '-' && end[1] >= '0' && end[1] <= '9')
            last = strtoul(end + 1, &end, 10);
        if (last < first || last >= SHEAF_CPU_WORDS * 64)
            return NULL;
        for (unsigned long cpu = first; cpu <= last; cpu++) {
            if (has_cpu(set, cpu))
                return NULL;
            set[cpu / 64] |= (uint64_t)1 << cpu % 64;
        }
        if (*end != ',')
            return end;
        text = end + 1;
    }
}

/* The lowest processor of a file's list; -1 where the list lacks one of these processors. */
static int domain_of_list(const char *path, const uint64_t *processors)
{
    char text[4096];
    uint64_t list[SHEAF_CPU_WORDS] = {0};
    if (sheaf_os_read_file(path, text, sizeof text) <= 0 || !parse_cpus(text, list))
        return -1;
    for (int word = 0; word < SHEAF_CPU_WORDS; word++)
        if (processors[word] & ~list[word])
            return -1;
    return lowest_cpu(list);
}

static int find_numa_domain(const char *folder, const uint64_t *processors)
{
    char path[256], online[4096];
    snprintf(path, sizeof path, "%s/node/online", folder);
    struct sheaf_nodes nodes = sheaf_nodes_parse(
        sheaf_os_read_file(path, online, sizeof online) > 0 ? online : "");
    for (int node = 0, domain; node < SHEAF_NODE_WORDS * 64; node++) {
        if (!sheaf_nodes_has(&nodes, node))
            continue;
        snprintf(path, sizeof path, "%s/node/node%d/cpulist", folder, node);
        if ((domain = domain_of_list(path, processors)) >= 0)
            return domain;
    }
    return -1;
}

static int find_cache_domain(const char *folder, int cpu, const uint64_t *processors)
{
    char path[256], text[64];
    int last = -1;
    snprintf(path, sizeof path, "%s/cpu/cpu%d/cache", folder, cpu);
    for (int index = 0, most = 0; index < MOST_CACHES; index++) {
        if (!read_field(path, index, "level", text, sizeof text))
            break;
        if (atoi(text) > most) {
            most = atoi(text);
            last = index;
        }
    }
    if (last < 0)
        return -1;
    snprintf(path, sizeof path, "%s/cpu/cpu%d/cache/index%d/shared_cpu_list", folder, cpu, last);
    return domain_of_list(path, processors);
}

/* Linux before 5.2 has the socket's list under its old name alone. */
struct sheaf_domains sheaf_domains_read(const char *folder, const uint64_t *processors)
{
    struct sheaf_domains domains = {{-1, -1, -1}};
    char path[256];
    int cpu = lowest_cpu(processors);
    if (cpu < 0)
        return domains;
    snprintf(path, sizeof path, "%s/cpu/cpu%d/topology/package_cpus_list", folder, cpu);
    domains.first[SHEAF_DOMAIN_SOCKET] = domain_of_list(path, processors);
    if (domains.first[SHEAF_DOMAIN_SOCKET] < 0) {
        snprintf(path, sizeof path, "%s/cpu/cpu%d/topology/core_siblings_list", folder, cpu);
        domains.first[SHEAF_DOMAIN_SOCKET] = domain_of_list(path, processors);
    }
    domains.first[SHEAF_DOMAIN_NODE] = find_numa_domain(folder, processors);
    domains.first[SHEAF_DOMAIN_CACHE] = find_cache_domain(folder, cpu, processors);
    return domains;
}

int sheaf_domains_parse(const char *text, const uint64_t *processors, struct sheaf_domains *domains)
{
    uint64_t before[SHEAF_CPU_WORDS] = {0}, all[SHEAF_CPU_WORDS] = {0};
    *domains = (struct sheaf_domains){{-1, -1, -1}};
    for (const char *next = text;; next++) {
        bool has_all = true;
        next = parse_cpus(next, all);
        if (!next || (*next != '/' && *next))
            return -1;
        for (int word = 0; word < SHEAF_CPU_WORDS; word++) {
            has_all &= (processors[word] & ~(all[word] & ~before[word])) == 0;
            before[word] = all[word] & ~before[word]; /* of this domain */
        }
        if (has_all)
            for (int level = 0; level < SHEAF_DOMAIN_LEVELS; level++)
                domains->first[level] = lowest_cpu(before);
        memcpy(before, all, sizeof all);
        if (!*next)
            return 0;
    }
}
