/* SPDX-License-Identifier: BSD-3-Clause
 * See nodes.h.
 */
#include "base/os/nodes.h"

#include "base/os/os.h"

#include <errno.h>
#include <linux/mempolicy.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FOLDER "/sys/devices/system/node"
#define BITS   (SHEAF_NODE_WORDS * 64)

struct sheaf_nodes sheaf_nodes_parse(const char *list)
{
    struct sheaf_nodes set = {{0}};
    while (*list >= '0' && *list <= '9') {
        char *end;
        long first = strtol(list, &end, 10), last = first;
        if (*end == '-')
            last = strtol(end + 1, &end, 10);
        for (long node = first; node <= last && node < BITS; node++)
            set.bits[node / 64] |= (uint64_t)1 << node % 64;
        list = *end == ',' ? end + 1 : end;
    }
    return set;
}

struct sheaf_nodes sheaf_nodes_read(const char *file)
{
    char path[96], list[4096];
    snprintf(path, sizeof path, FOLDER "/%s", file);
    return sheaf_nodes_parse(sheaf_os_read_file(path, list, sizeof list) > 0 ? list : "");
}

/* The kernel takes the number of bits and one more. */
static long ask_policy(int *mode, struct sheaf_nodes *set, const void *address, unsigned long flags)
{
    SHEAF_KEEP_ERRNO;
    return syscall(SYS_get_mempolicy, mode, set, set ? BITS + 1UL : 0UL, address, flags);
}

struct sheaf_nodes sheaf_nodes_allowed(void)
{
    struct sheaf_nodes allowed, bound = {{0}};
    int mode = MPOL_DEFAULT;
    if (ask_policy(NULL, &allowed, NULL, MPOL_F_MEMS_ALLOWED) != 0)
        memset(&allowed, 0xff, sizeof allowed);
    else if (ask_policy(&mode, &bound, NULL, 0) == 0 && (mode & ~MPOL_MODE_FLAGS) == MPOL_BIND)
        allowed = sheaf_nodes_both(allowed, bound);
    return allowed;
}

int sheaf_nodes_count(struct sheaf_nodes set)
{
    int count = 0;
    for (int i = 0; i < SHEAF_NODE_WORDS; i++)
        count += __builtin_popcountll(set.bits[i]);
    return count;
}

static uint64_t sum(struct sheaf_nodes set, const char *const keys[])
{
    uint64_t kib, all = 0;
    for (int node = 0; node < BITS; node++)
        for (int i = 0; sheaf_nodes_has(&set, node) && keys[i]; i++) {
            char path[96], key[64];
            snprintf(path, sizeof path, FOLDER "/node%d/meminfo", node);
            snprintf(key, sizeof key, "Node %d %s", node, keys[i]);
            if (sheaf_os_read_key(path, key, &kib))
                all += kib * 1024;
        }
    return all;
}

uint64_t sheaf_nodes_memory(struct sheaf_nodes set)
{
    return sum(set, (const char *const[]){"MemTotal", NULL});
}

/* The kernel sums up MemAvailable for the whole machine alone: these are its parts. */
uint64_t sheaf_nodes_memory_available(struct sheaf_nodes set)
{
    return sum(set, (const char *const[]){"MemFree", "Active(file)", "Inactive(file)", "SReclaimable",
                                          NULL});
}

bool sheaf_nodes_policy_is_set(void)
{
    int mode = MPOL_DEFAULT;
    return ask_policy(&mode, NULL, NULL, 0) == 0 && mode != MPOL_DEFAULT && mode != MPOL_LOCAL;
}

int sheaf_nodes_own(void)
{
    size_t length = sheaf_os_page_size();
    char *page = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        return -1;
    int node = -1;
    *(volatile char *)page = 1;
    if (syscall(SYS_get_mempolicy, &node, NULL, 0UL, page, MPOL_F_NODE | MPOL_F_ADDR) != 0)
        node = -1;
    SHEAF_KEEP_ERRNO;
    munmap(page, length);
    return node < BITS ? node : -1;
}

int sheaf_nodes_bind(const struct sheaf_nodes *set, bool by_turns, void *start, uint64_t length)
{
    struct sheaf_nodes nodes = *set;
    int policy = by_turns ? MPOL_INTERLEAVE : MPOL_BIND;
    return (int)syscall(SYS_mbind, start, length, policy, &nodes, BITS + 1UL, 0U);
}

int sheaf_nodes_unbind(void *start, uint64_t length)
{
    return (int)syscall(SYS_mbind, start, length, MPOL_DEFAULT, NULL, 0UL, 0U);
}

int sheaf_nodes_prefer(int node, void *start, uint64_t length)
{
    struct sheaf_nodes set = {{0}};
    set.bits[node / 64] = (uint64_t)1 << node % 64;
    return (int)syscall(SYS_mbind, start, length, MPOL_PREFERRED, &set, BITS + 1UL, 0U);
}
