/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How many processors and how much memory this process may really use: by its affinity mask, its NUMA
 * nodes and its cgroup, versions 1 and 2. See os.h.
 */
#include "base/os/os.h"

#include "base/os/nodes.h"

#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

/* Whether a list such as "cpu,cpuacct" has name: "cpuset" is another. */
static bool has_name(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; at; at = strchr(at, ',')) {
        at += *at == ',';
        size_t word = strcspn(at, ",:");
        if (word == length && memcmp(at, name, length) == 0)
            return true;
    }
    return false;
}

/* Where this process's cgroup has its files for a controller: version 2's one tree, or version
 * 1's tree of that controller. */
static bool cgroup_folder(const char *controller, char *folder, size_t size, bool *unified)
{
    char text[4096];
    if (sheaf_os_read_file("/proc/self/cgroup", text, sizeof text) < 0) {
        /* In a container of its own the files are at the root. */
        *unified = true;
        snprintf(folder, size, "/sys/fs/cgroup");
        return true;
    }
    bool found = false;
    char *rest; /* a program's own strtok() is not disturbed */
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        char *names = strchr(line, ':'), *path = names ? strchr(names + 1, ':') : NULL;
        if (!path)
            continue;
        *path++ = '\0';
        if (*++names == '\0') {
            if (found)
                continue;
            *unified = true;
            snprintf(folder, size, "/sys/fs/cgroup%s", path);
            found = true;
        } else if (has_name(names, controller)) {
            *unified = false;
            snprintf(folder, size, "/sys/fs/cgroup/%s%s", controller, path);
            return true;
        }
    }
    return found;
}

/* The smallest positive number that read_one finds in folder and the folders above it. */
static double smallest_limit(const char *controller, double (*read_one)(const char *, bool))
{
    char folder[PATH_MAX];
    bool unified = false;
    double smallest = 0;
    if (!cgroup_folder(controller, folder, sizeof folder, &unified))
        return 0;
    while (strlen(folder) >= strlen("/sys/fs/cgroup")) {
        double limit = read_one(folder, unified);
        if (limit > 0 && (smallest <= 0 || limit < smallest))
            smallest = limit;
        char *slash = strrchr(folder, '/');
        if (!slash)
            break;
        *slash = '\0';
    }
    return smallest;
}

static double read_number(const char *folder, const char *file)
{
    char path[PATH_MAX + 64], text[64];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    return sheaf_os_read_file(path, text, sizeof text) > 0 ? atof(text) : 0;
}

static double read_cpu_quota(const char *folder, bool unified)
{
    double quota = 0, period = 0;
    if (!unified) {
        quota = read_number(folder, "cpu.cfs_quota_us");
        period = read_number(folder, "cpu.cfs_period_us");
    } else {
        char path[PATH_MAX + 64], text[64];
        snprintf(path, sizeof path, "%s/cpu.max", folder);
        if (sheaf_os_read_file(path, text, sizeof text) <= 0 ||
            sscanf(text, "%lf %lf", &quota, &period) != 2)
            return 0;
    }
    return quota > 0 && period > 0 ? quota / period : 0;
}

static double read_memory_limit(const char *folder, bool unified)
{
    double limit = read_number(folder, unified ? "memory.max" : "memory.limit_in_bytes");
    return limit < 9e18 ? limit : 0;
}

static double read_memory_left(const char *folder, bool unified)
{
    double limit = read_memory_limit(folder, unified);
    double used = read_number(folder, unified ? "memory.current" : "memory.usage_in_bytes");
    if (limit <= 0)
        return 0;
    return limit > used ? limit - used : 1;
}

int sheaf_os_usable_cpus(void)
{
    int cpus = (int)sysconf(_SC_NPROCESSORS_ONLN);
    size_t size = CPU_ALLOC_SIZE(8192);
    cpu_set_t *mask = CPU_ALLOC(8192);
    if (mask && sched_getaffinity(0, size, mask) == 0)
        cpus = CPU_COUNT_S(size, mask);
    CPU_FREE(mask);
    return sheaf_os_within_quota(cpus);
}

int sheaf_os_within_quota(int cpus)
{
    double quota = smallest_limit("cpu", read_cpu_quota);
    if (quota > 0 && quota < cpus)
        cpus = (int)(quota + 0.999);
    return cpus > 0 ? cpus : 1;
}

/* Less than the machine's where this process may have some nodes' memory alone. */
static double within_nodes(double machine, uint64_t (*of_nodes)(struct sheaf_nodes))
{
    struct sheaf_nodes all = sheaf_nodes_read("has_memory");
    struct sheaf_nodes mine = sheaf_nodes_both(all, sheaf_nodes_allowed());
    if (sheaf_nodes_count(mine) == sheaf_nodes_count(all))
        return machine;
    double theirs = (double)of_nodes(mine);
    return theirs > 0 && theirs < machine ? theirs : machine;
}

/* Without /proc the kernel tells how much memory there is, but not how much of it is cache and could
 * be had: nothing is refused then that the machine could hold. */
static double machine_memory(const char *key)
{
    uint64_t kilobytes = 0;
    struct sysinfo info;
    if (sheaf_os_read_key("/proc/meminfo", key, &kilobytes))
        return (double)kilobytes * 1024;
    return sysinfo(&info) == 0 ? (double)info.totalram * info.mem_unit : 0;
}

static size_t smaller_memory(const char *key, uint64_t (*of_nodes)(struct sheaf_nodes),
                             double (*read_one)(const char *, bool))
{
    double machine = within_nodes(machine_memory(key), of_nodes);
    double limit = smallest_limit("memory", read_one);
    return (size_t)(limit > 0 && limit < machine ? limit : machine);
}

size_t sheaf_os_memory_total(void)
{
    return smaller_memory("MemTotal", sheaf_nodes_memory, read_memory_limit);
}

size_t sheaf_os_memory_available(void)
{
    return smaller_memory("MemAvailable", sheaf_nodes_memory_available, read_memory_left);
}
