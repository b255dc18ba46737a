/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Channel and NUMA node of what a call moved. The kernel is asked for the node of the page that a call
 * begins at; where the machine has one node, it is not asked. A page's answer holds for the 2 MiB around
 * it, and for this thread: pages that one PE touches first lie on one node.
 */
#include "events/events.h"

#include <errno.h>
#include <linux/mempolicy.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST_NODES    1024 /* the kernel's own limit */
#define REGION_SHIFT  21
#define REGIONS       256  /* remembered by each thread */
#define MOST_CHANNELS 8

static _Thread_local struct {
    uintptr_t region; /* + 1 */
    int node;
} regions[REGIONS];

/* Whether pages may lie on several nodes. */
static bool has_nodes(void)
{
    static int nodes = -1;
    unsigned long mask[MOST_NODES / (8 * sizeof(unsigned long))] = {0};
    if (__atomic_load_n(&nodes, __ATOMIC_RELAXED) < 0) {
        int count = 0;
        if (syscall(SYS_get_mempolicy, NULL, mask, (unsigned long)MOST_NODES, NULL,
                    (unsigned long)MPOL_F_MEMS_ALLOWED) == 0)
            for (size_t i = 0; i < sizeof mask / sizeof *mask; i++)
                count += __builtin_popcountl(mask[i]);
        __atomic_store_n(&nodes, count, __ATOMIC_RELAXED);
    }
    return __atomic_load_n(&nodes, __ATOMIC_RELAXED) > 1;
}

/* -1: the kernel does not say. */
static int node_of(void *address)
{
    uintptr_t region = ((uintptr_t)address >> REGION_SHIFT) + 1;
    int node = -1;
    if (regions[region % REGIONS].region == region)
        return regions[region % REGIONS].node;
    if (syscall(SYS_move_pages, 0, 1UL, &address, NULL, &node, 0) != 0 || node < 0)
        return -1;
    regions[region % REGIONS].region = region;
    regions[region % REGIONS].node = node;
    return node;
}

static const char *near_place(void *address)
{
    unsigned cpu, own;
    int kept = errno, node = has_nodes() ? node_of(address) : -1;
    const char *name = "shmem bytes, mapped memory";
    if (node >= 0 && syscall(SYS_getcpu, &cpu, &own, NULL) == 0)
        name = (unsigned)node == own ? "shmem bytes, mapped memory, same NUMA node"
                                     : "shmem bytes, mapped memory, other NUMA node";
    errno = kept;
    return name;
}

/* By the network's title. Names stay where they are: systems keep their addresses. */
static const char *far_place(int pe)
{
    static char names[MOST_CHANNELS][64];
    char channel[SHMEM_MAX_NAME_LEN], name[64];
    pshmemx_provider("put", 1, NULL, pe, channel);
    snprintf(name, sizeof name, "shmem bytes, %.40s", channel);
    for (int i = 0; i < MOST_CHANNELS; i++) {
        if (!names[i][0])
            memcpy(names[i], name, sizeof name);
        if (strcmp(names[i], name) == 0)
            return names[i];
    }
    return "shmem bytes, other channels";
}

const char *events_place(int pe, const void *place)
{
    void *near = place ? pshmem_ptr(place, pe) : NULL;
    return near ? near_place(near) : far_place(pe);
}
