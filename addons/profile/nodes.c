/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory nodes (NUMA): whether the pages that a call moves to or from lie on the node of the CPU
 * that makes it. Asked of the kernel by system calls alone, which a test answers in its place.
 */
#include "profile/internal.h"

#include <errno.h>
#include <linux/mempolicy.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAX_NODES 1024 /* the kernel's own limit */

void profile_nodes_prepare(void)
{
    unsigned long mask[MAX_NODES / (8 * sizeof(unsigned long))] = {0};
    struct profile_header *header = profile.header;
    if (syscall(SYS_get_mempolicy, NULL, mask, (unsigned long)MAX_NODES, NULL,
                (unsigned long)MPOL_F_MEMS_ALLOWED) != 0) {
        header->nodes_error = (uint32_t)errno;
        return;
    }
    for (size_t i = 0; i < sizeof mask / sizeof *mask; i++)
        header->nodes += (uint32_t)__builtin_popcountl(mask[i]);
}

void profile_nodes_note(struct profile_site *site, const void *address, int pe, uint64_t bytes)
{
    int kept = errno, node = -1;
    unsigned cpu, own;
    void *page = profile_library.ptr(address, pe); /* NULL: another host's */
    if (page && syscall(SYS_getcpu, &cpu, &own, NULL) == 0 &&
        syscall(SYS_move_pages, 0, 1UL, &page, NULL, &node, 0) == 0 && node >= 0)
        site->node_bytes[(unsigned)node != own] += bytes;
    errno = kept;
}
