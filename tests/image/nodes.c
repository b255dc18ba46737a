/* SPDX-License-Identifier: BSD-3-Clause
 *
 * On a machine with several NUMA nodes each PE's heap and variables lie on its own node (the nearest one
 * with memory), also where another PE touches them first; a memory policy that somebody has set decides
 * instead.
 *
 *     test-image-nodes                        skipped where one node alone has memory
 *     test-image-nodes span COUNT             so many nodes must hold the PEs' memory
 *     test-image-nodes on NODE                all of it must lie there
 *     test-image-nodes bind NODE COMMAND...   runs the command, its memory bound to the node
 */
#include "check.h"

#include <linux/mempolicy.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE  4096
#define PAGES 300 /* more than a huge page holds of the heap, whatever lies before them */

static char variables[PAGES][PAGE];
static long holders[64]; /* on PE 0: PEs whose memory lies on that node */

static int node_of(const void *address)
{
    int node = -1;
    CHECK(syscall(SYS_get_mempolicy, &node, NULL, 0UL, address, MPOL_F_NODE | MPOL_F_ADDR) == 0);
    return node;
}

static int own_node(void)
{
    static __thread char page[2 * PAGE];
    char *inside = page + PAGE;
    *(volatile char *)inside = 1;
    return node_of(inside);
}

static int nodes_with_memory(void)
{
    char line[64] = "";
    FILE *file = fopen("/sys/devices/system/node/has_memory", "r");
    if (!file)
        return 1;
    char *got = fgets(line, sizeof line, file);
    fclose(file);
    return got && strpbrk(line, ",-") ? 2 : 1;
}

/* The next PE touches them first. */
static void touch_next(char *heap)
{
    int next = (shmem_my_pe() + 1) % shmem_n_pes();
    for (int page = 0; page < PAGES; page++) {
        shmem_char_p(&variables[page][7], (char)page, next);
        shmem_char_p(&heap[page * PAGE + 7], (char)page, next);
    }
    shmem_barrier_all();
}

static void check_pages(const char *heap, int node)
{
    for (int page = 0; page < PAGES; page++) {
        CHECK_EQ(heap[page * PAGE + 7], (char)page);
        CHECK_EQ(node_of(&heap[page * PAGE]), node);
        CHECK_EQ(node_of(&variables[page][7]), node);
    }
}

static int run_bound(int node, char **command)
{
    unsigned long mask = 1UL << node;
    if (syscall(SYS_set_mempolicy, MPOL_BIND, &mask, 8 * sizeof mask + 1) != 0) {
        perror("set_mempolicy");
        return TEST_STATUS_SKIPPED;
    }
    execvp(command[0], command);
    perror(command[0]);
    return TEST_STATUS_FAILED;
}

int main(int argc, char **argv)
{
    const char *mode = argc > 2 ? argv[1] : "";
    int number = argc > 2 ? atoi(argv[2]) : 0, span = 0;
    if (strcmp(mode, "bind") == 0)
        return run_bound(number, argv + 3);
    shmem_init();
    if (nodes_with_memory() < 2)
        TEST_SKIP("one NUMA node alone has memory");
    char *heap = shmem_align(PAGE, (size_t)PAGES * PAGE);
    int node = strcmp(mode, "on") == 0 ? number : own_node();
    touch_next(heap);
    check_pages(heap, node);
    shmem_long_atomic_inc(&holders[node], 0);
    shmem_barrier_all();
    for (int i = 0; i < 64; i++)
        span += shmem_long_g(&holders[i], 0) > 0;
    if (strcmp(mode, "span") == 0)
        CHECK_EQ(span, number);
    if (shmem_my_pe() == 0)
        printf("nodes: the PEs' memory lies on %d\n", span);
    return test_finish();
}
