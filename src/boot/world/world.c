/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See world.h. From the tables in the control area, and arithmetic where a job has one node.
 */
#include "boot/world/world.h"

#include "base/log.h"
#include "image/image.h"

struct sheaf_boot sheaf_boot = {.npes = 1, .nodes = 1, .node_npes = 1, .host_npes = 1, .launcher = "none"};

int sheaf_boot_pe_at(int slot)
{
    if (sheaf_boot.nodes == 1)
        return slot;
    return sheaf_control_pe(sheaf_image.control, slot)->world_pe;
}

int sheaf_boot_node_of(int pe)
{
    return sheaf_boot.nodes == 1 ? 0 : sheaf_control_location(sheaf_image.control, pe)->node;
}

int sheaf_boot_slot_of(int pe)
{
    return sheaf_boot.nodes == 1 ? pe : sheaf_control_location(sheaf_image.control, pe)->slot;
}

int sheaf_boot_host_node_of(int pe)
{
    if (sheaf_boot.nodes == 1)
        return 0;
    return sheaf_load_acquire(&sheaf_control_node(sheaf_image.control, sheaf_boot_node_of(pe))->host_node);
}

int sheaf_boot_leader_of(int node)
{
    return sheaf_boot.nodes == 1 ? 0 : sheaf_control_node(sheaf_image.control, node)->leader;
}

const char *sheaf_boot_host_of(int pe)
{
    int node = sheaf_boot.has_control ? sheaf_boot_node_of(pe) : -1;
    if (node == sheaf_boot.node) {
        const char *container = sheaf_control_pe(sheaf_image.control, sheaf_boot_slot_of(pe))->own_host;
        if (*container)
            return container;
    }
    if (sheaf_boot.has_control)
        return sheaf_control_host(sheaf_image.control, sheaf_boot_node_of(pe));
    return "this host";
}

void sheaf_boot_say_missed(int pe, const char *host, int pid)
{
    sheaf_error("SH609 PE %d on host %s (process %d) has died before all PEs were connected: "
                "the job ends", pe, host, pid);
}
