/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The NUMA policy of a space's pages is the one that its kind names, on whichever PE asks, and the pages lie
 * where it says, on every node that has memory; a space that comes after it at the same place does not
 * inherit that.
 */
#include "check.h"

#include <shmemx.h>

#include <errno.h>
#include <linux/mempolicy.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Several huge pages: the kernel may give private memory these, and spread them whole. */
#define BYTES      (8L << 20)
#define STEP       17 /* pages from one that is looked at to the next: an odd number meets all nodes */
#define MOST_NODES 64

static uint64_t nodes; /* with memory, a bit each */

static int policy_of(void *address)
{
    int mode = -1;
    if (syscall(SYS_get_mempolicy, &mode, NULL, 0UL, address, (unsigned long)MPOL_F_ADDR) != 0 &&
        (errno == ENOSYS || errno == EPERM))
        TEST_SKIP("the kernel does not tell a page's policy");
    return mode;
}

static int node_of(void *address)
{
    int node = -1;
    syscall(SYS_get_mempolicy, &node, NULL, 0UL, address, (unsigned long)(MPOL_F_NODE | MPOL_F_ADDR));
    return node;
}

/* The pages, which this PE is the first to touch: on the node expected, or with -1 on all by turns. */
static void check_pages(char *block, int expected)
{
    bool are_spread = false;
    memset(block, 1, BYTES);
    for (long i = 0; i < BYTES; i += STEP * sysconf(_SC_PAGESIZE)) {
        if (expected >= 0)
            CHECK_EQ(node_of(block + i), expected);
        are_spread |= node_of(block + i) != node_of(block);
    }
    if (expected < 0)
        CHECK_EQ(are_spread, __builtin_popcountll(nodes) > 1);
}

/* The kernel says "0-1,3". */
static uint64_t read_nodes(void)
{
    char line[200] = "", *at = line;
    uint64_t found = 0;
    FILE *file = fopen("/sys/devices/system/node/has_memory", "r");
    if (file && !fgets(line, sizeof line, file))
        line[0] = '\0';
    if (file)
        fclose(file);
    while (*at >= '0' && *at <= '9') {
        long first = strtol(at, &at, 10), last = *at == '-' ? strtol(at + 1, &at, 10) : first;
        for (long node = first; node <= last && node < MOST_NODES; node++)
            found |= (uint64_t)1 << node;
        at += *at == ',';
    }
    return found;
}

static void check_kind(const char *kind, int mode)
{
    shmemx_space_t space;
    CHECK_EQ(shmemx_space_create(SHMEM_TEAM_WORLD, kind, 2 * BYTES, &space), 0);
    char *block = shmemx_space_malloc(space, BYTES);
    CHECK(block);
    if (mode != MPOL_DEFAULT)
        check_pages(block, mode == MPOL_BIND ? atoi(strchr(kind, ':') + 1) : -1);
    shmem_barrier_all();
    for (int pe = 0; pe < shmem_n_pes(); pe++)
        if (shmem_ptr(block, pe))
            CHECK_EQ(policy_of(shmem_ptr(block, pe)), mode);
    shmem_putmem(block, "x", 1, (shmem_my_pe() + 1) % shmem_n_pes());
    shmem_barrier_all();
    CHECK_EQ(*block, 'x');
    shmemx_space_destroy(space);
}

int main(void)
{
    if (access("/sys/devices/system/node/node0", F_OK) != 0)
        return printf("skipped: no NUMA nodes are told\n"), TEST_STATUS_SKIPPED;
    shmem_init();
    int plain = policy_of(&(int){0});
    nodes = read_nodes();
    for (int node = 0; node < MOST_NODES; node++) {
        char kind[16];
        snprintf(kind, sizeof kind, "numa:%d", node);
        if (nodes >> node & 1)
            check_kind(kind, MPOL_BIND);
    }
    check_kind("interleave", MPOL_INTERLEAVE);
    if (access("/sys/devices/system/node/node1", F_OK) != 0)
        check_kind("default", plain);
    check_kind("numa:0", MPOL_BIND);
    return test_finish();
}
