/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The machine's NUMA nodes, where it has several: their processors and memory, which of them a job
 * started from the same shell may use, and where its PEs' memory will lie.
 */
#include "machine.h"

#include "base/os/nodes.h"
#include "base/os/os.h"

#include <errno.h>
#include <string.h>

#define MIB (1 << 20)

/* The first line of a node's file; empty without it. */
static void read_line(int node, const char *file, char *text, size_t size)
{
    char path[96];
    snprintf(path, sizeof path, "/sys/devices/system/node/node%d/%s", node, file);
    if (sheaf_os_read_file(path, text, size) < 0)
        *text = '\0';
    text[strcspn(text, "\n")] = '\0';
}

static void print_node(FILE *out, int node, bool has_memory, bool allowed)
{
    char label[32], cpus[512], distances[512];
    struct sheaf_nodes only = {{0}};
    only.bits[node / 64] = (uint64_t)1 << node % 64;
    snprintf(label, sizeof label, "node %d", node);
    read_line(node, "cpulist", cpus, sizeof cpus);
    read_line(node, "distance", distances, sizeof distances);
    fprintf(out, LABEL "%s%s; ", label, *cpus ? "CPUs " : "no CPUs", cpus);
    if (has_memory)
        fprintf(out, "%llu MiB, %llu MiB available%s; ",
                (unsigned long long)(sheaf_nodes_memory(only) / MIB),
                (unsigned long long)(sheaf_nodes_memory_available(only) / MIB),
                allowed ? "" : ", not for this process");
    else
        fprintf(out, "no memory; ");
    fprintf(out, "distances %s\n", distances);
}

static void print_placement(FILE *out)
{
    fprintf(out, LABEL, "NUMA placement");
    if (sheaf_nodes_policy_is_set())
        fprintf(out, "as the memory policy says that was set (numactl, set_mempolicy)\n");
    else if (sheaf_nodes_own() < 0)
        fprintf(out, "where a page is touched first: get_mempolicy: %s\n", strerror(errno));
    else
        fprintf(out, "each PE's memory on its own node, or the nearest that has memory\n");
}

void sheaf_machine_print_nodes(FILE *out)
{
    struct sheaf_nodes online = sheaf_nodes_read("online"), full = sheaf_nodes_read("has_memory");
    struct sheaf_nodes allowed = sheaf_nodes_allowed(), usable = sheaf_nodes_both(full, allowed);
    int count = sheaf_nodes_count(online);
    if (count == 0) {
        fprintf(out, LABEL "not known: no /sys/devices/system/node\n", "NUMA nodes");
        return;
    }
    fprintf(out, LABEL "%d", "NUMA nodes", count);
    if (sheaf_nodes_count(usable) < count)
        fprintf(out, "; memory of %d of them may be used", sheaf_nodes_count(usable));
    fputc('\n', out);
    if (count == 1)
        return;
    for (int node = 0; node < SHEAF_NODE_WORDS * 64; node++)
        if (sheaf_nodes_has(&online, node))
            print_node(out, node, sheaf_nodes_has(&full, node), sheaf_nodes_has(&allowed, node));
    print_placement(out);
}
