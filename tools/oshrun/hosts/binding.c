/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Orders the usable CPUs so that neighbours in the machine are neighbours in the list. The order comes
 * from hwloc when the system has it (found at run time, so that nothing depends on it), otherwise from
 * sysfs.
 */
#include "oshrun/hosts/binding.h"

#include "base/os/nodes.h"
#include "base/os/os.h"
#include "base/settings/names.h"
#include "oshrun/command/say.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* A CPU. CPUs of one core have the same core number, and cores are numbered in order. */
struct cpu {
    int cpu;
    long core;
};

/* The first fields of an object in hwloc 2's binary interface (libhwloc.so.15). */
struct hwloc_object {
    int type;
    char *subtype;
    unsigned os_index;
    char *name;
    uint64_t total_memory;
    void *attributes;
    int depth;
    unsigned logical_index;
    struct hwloc_object *next_cousin, *previous_cousin, *parent;
};
enum { HWLOC_CORE = 2, HWLOC_PU = 3 };

struct hwloc {
    int (*init)(void **topology);
    int (*load)(void *topology);
    void (*destroy)(void *topology);
    int (*type_depth)(void *topology, int type);
    unsigned (*count)(void *topology, int depth);
    struct hwloc_object *(*object)(void *topology, int depth, unsigned index);
};

static bool load_symbol(void *library, const char *name, void *function)
{
    *(void **)function = dlsym(library, name);
    return *(void **)function != NULL;
}

static bool load_hwloc(struct hwloc *hwloc)
{
    void *library = dlopen("libhwloc.so.15", RTLD_NOW | RTLD_LOCAL);
    return library && load_symbol(library, "hwloc_topology_init", &hwloc->init) &&
           load_symbol(library, "hwloc_topology_load", &hwloc->load) &&
           load_symbol(library, "hwloc_topology_destroy", &hwloc->destroy) &&
           load_symbol(library, "hwloc_get_type_depth", &hwloc->type_depth) &&
           load_symbol(library, "hwloc_get_nbobjs_by_depth", &hwloc->count) &&
           load_symbol(library, "hwloc_get_obj_by_depth", &hwloc->object);
}

/* hwloc's variables while the topology is loaded, unless the user has set them. It prints a dozen lines
 * about data of the machine that it finds implausible (such as the firmware's distances), and continues:
 * no reader of a job's output can do anything about it. Its plugins look for devices that are no
 * processors, by libraries for XML, OpenCL and X11: 2 of 8 ms of processor time of a launch. */
static const struct setting {
    const char *name, *value;
} settings[] = {{"HWLOC_HIDE_ERRORS", "2"}, {"HWLOC_PLUGINS_PATH", "/dev/null"}};
#define SETTINGS (sizeof settings / sizeof *settings)

/* Returns 0 with a topology that hwloc->destroy takes. */
static int load_topology(const struct hwloc *hwloc, void **topology)
{
    bool chosen[SETTINGS];
    for (unsigned i = 0; i < SETTINGS; i++) {
        chosen[i] = getenv(settings[i].name) != NULL;
        setenv(settings[i].name, settings[i].value, 0);
    }
    int failed = hwloc->init(topology);
    if (!failed && (failed = hwloc->load(*topology)) != 0)
        hwloc->destroy(*topology);
    for (unsigned i = 0; i < SETTINGS; i++)
        if (!chosen[i])
            unsetenv(settings[i].name);
    return failed;
}

static int cpus_by_hwloc(const cpu_set_t *usable, struct cpu *cpus)
{
    struct hwloc hwloc;
    void *topology;
    int found = 0;
    if (!load_hwloc(&hwloc) || load_topology(&hwloc, &topology) != 0)
        return 0;
    int depth = hwloc.type_depth(topology, HWLOC_PU), core_depth = hwloc.type_depth(topology, HWLOC_CORE);
    unsigned count = depth > 0 ? hwloc.count(topology, depth) : 0;
    for (unsigned i = 0; i < count && found < CPU_SETSIZE; i++) {
        const struct hwloc_object *unit = hwloc.object(topology, depth, i), *core = unit;
        if (unit->os_index >= CPU_SETSIZE || !CPU_ISSET(unit->os_index, usable))
            continue;
        while (core && core->depth > core_depth)
            core = core->parent;
        bool has_core = core_depth > 0 && core;
        cpus[found++] = (struct cpu){(int)unit->os_index,
                                     has_core ? (long)core->logical_index : (long)i};
    }
    hwloc.destroy(topology);
    return found;
}

static int by_core(const void *a, const void *b)
{
    const struct cpu *left = a, *right = b;
    if (left->core != right->core)
        return left->core < right->core ? -1 : 1;
    return left->cpu - right->cpu;
}

static long sysfs_number(int cpu, const char *name)
{
    char path[96], text[32];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/%s", cpu, name);
    return sheaf_os_read_file(path, text, sizeof text) > 0 ? atol(text) : -1;
}

/* Without sysfs each CPU counts as a core, in the order of their numbers. */
static int cpus_by_sysfs(const cpu_set_t *usable, struct cpu *cpus)
{
    int found = 0;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (!CPU_ISSET(cpu, usable))
            continue;
        long package = sysfs_number(cpu, "physical_package_id"), core = sysfs_number(cpu, "core_id");
        cpus[found++] = (struct cpu){cpu, core < 0 ? cpu : package * 65536 + core};
    }
    qsort(cpus, (size_t)found, sizeof *cpus, by_core);
    return found;
}

/* The index where core number `core` of the ordered list begins; cores counts them. */
static int core_start(const struct cpu *cpus, int count, int core)
{
    int seen = -1;
    for (int i = 0; i < count; i++) {
        if (i == 0 || cpus[i].core != cpus[i - 1].core)
            seen++;
        if (seen == core)
            return i;
    }
    return count;
}

static int count_cores(const struct cpu *cpus, int count)
{
    int cores = 0;
    for (int i = 0; i < count; i++)
        cores += i == 0 || cpus[i].core != cpus[i - 1].core;
    return cores;
}

/* Gives each PE its CPUs: with more PEs than cores a share of the CPUs, otherwise whole cores. */
static void choose_cpus(const struct options *options, const struct cpu *cpus, int count,
                        cpu_set_t *sets)
{
    int cores = count_cores(cpus, count), npes = options->npes;
    bool by_cpu = npes > cores;
    int units = by_cpu ? count : cores;
    for (int pe = 0; pe < npes; pe++) {
        int first = (int)((long)pe * units / npes), end = (int)((long)(pe + 1) * units / npes);
        if (options->binding == BIND_CORE)
            end = first + 1;
        int from = by_cpu ? first : core_start(cpus, count, first);
        int to = by_cpu ? end : core_start(cpus, count, end);
        CPU_ZERO(&sets[pe]);
        for (int i = from; i < to; i++)
            CPU_SET(cpus[i].cpu, &sets[pe]);
    }
}

static bool wants_isolated(const struct options *options)
{
    const char *value = sheaf_program_setting(&options->programs[0], "SHEAF_LOW_JITTER");
    return value && options->binding != BIND_NONE &&
           sheaf_names_find(sheaf_low_jitter_names, value) == SHEAF_LOW_JITTER_ON;
}

/* The isolated CPUs (isolcpus=). An ordinary process does not run on them, but may ask for them where
 * its cpuset allows it. */
static int isolated_cpus(cpu_set_t *isolated)
{
    char list[4096];
    cpu_set_t own;
    CPU_ZERO(isolated);
    if (sheaf_os_read_file("/sys/devices/system/cpu/isolated", list, sizeof list) <= 0)
        return 0;
    struct sheaf_nodes set = sheaf_nodes_parse(list);
    for (int cpu = 0; cpu < CPU_SETSIZE && cpu < SHEAF_NODE_WORDS * 64; cpu++)
        if (set.bits[cpu / 64] >> cpu % 64 & 1)
            CPU_SET(cpu, isolated);
    if (sched_getaffinity(0, sizeof own, &own) || sched_setaffinity(0, sizeof *isolated, isolated))
        return 0;
    bool is_known = sched_getaffinity(0, sizeof *isolated, isolated) == 0;
    sched_setaffinity(0, sizeof own, &own);
    return is_known ? CPU_COUNT(isolated) : 0;
}

void sheaf_binding_use_isolated(struct options *options)
{
    cpu_set_t isolated;
    int count = wants_isolated(options) ? isolated_cpus(&isolated) : 0;
    options->uses_isolated = count >= options->npes;
    if (options->uses_isolated)
        options->usable_cpus = count;
    else if (count && !options->quiet)
        sheaf_say("SHEAF_LOW_JITTER=on: %d PEs get ordinary processors: the kernel has %d isolated ones",
                  options->npes, count);
}

static bool usable_cpus(const struct options *options, cpu_set_t *usable)
{
    return options->uses_isolated ? isolated_cpus(usable) >= options->npes
                                  : sched_getaffinity(0, sizeof *usable, usable) == 0;
}

cpu_set_t *sheaf_binding_choose(const struct options *options)
{
    cpu_set_t usable;
    struct cpu cpus[CPU_SETSIZE];
    if (options->binding == BIND_NONE)
        return NULL;
    if (options->npes > options->usable_cpus) {
        if (options->binding == BIND_CORE && !options->quiet)
            fprintf(stderr, "oshrun: not bound: %d PEs on %d CPUs\n", options->npes,
                    options->usable_cpus);
        return NULL;
    }
    /* A single PE's share is all CPUs that it has without binding. */
    if (options->npes == 1 && options->binding == BIND_AUTO && !options->uses_isolated)
        return NULL;
    if (!usable_cpus(options, &usable))
        return NULL;
    int count = cpus_by_hwloc(&usable, cpus);
    if (!count)
        count = cpus_by_sysfs(&usable, cpus);
    if (count < options->npes)
        return NULL;
    cpu_set_t *sets = calloc((size_t)options->npes, sizeof *sets);
    if (sets)
        choose_cpus(options, cpus, count, sets);
    return sets;
}
