/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Chooses the NUMA node of this PE's pages. Other PEs may touch a page first, which would put it on their
 * node. The kernel keeps the choice made here with the job's file, for all processes that map it.
 */
#include "image/image_internal.h"

#include "base/log.h"
#include "base/os/nodes.h"
#include "base/os/os.h"

#include <errno.h>
#include <string.h>

static int prefer_node(int node)
{
    if (sheaf_nodes_prefer(node, sheaf_image.heap, sheaf_image.heap_length) != 0)
        return -1;
    for (int i = 0; i < sheaf_executable.count && sheaf_image.data; i++)
        if (sheaf_nodes_prefer(node, sheaf_executable.ranges[i].start,
                               sheaf_executable.ranges[i].length) != 0)
            return -1;
    return 0;
}

static bool has_choice(void)
{
    return sheaf_nodes_count(sheaf_nodes_read("has_memory")) > 1 && !sheaf_nodes_policy_is_set();
}

void sheaf_image_place_space_on_node(void *start, size_t length)
{
    SHEAF_KEEP_ERRNO;
    int node = has_choice() ? sheaf_nodes_own() : -1;
    if (node >= 0)
        sheaf_nodes_prefer(node, start, length);
}

void sheaf_image_place_on_node(void)
{
    if (!has_choice())
        return;
    SHEAF_KEEP_ERRNO;
    int node = sheaf_nodes_own();
    if (node < 0 || prefer_node(node) != 0)
        sheaf_debug("symmetric memory is placed by first touch: its NUMA node is not known, or cannot be "
                    "chosen: %s",
                    strerror(errno));
}
