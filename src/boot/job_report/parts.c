/* SPDX-License-Identifier: BSD-3-Clause
 * See parts.h.
 */
#include "boot/job_report/parts.h"

#include "boot/world/world.h"
#include "report/part.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES ((size_t)256 << 20) /* of all parts: some 1 KiB for each PE is usual */

struct part {
    char *bytes;
    size_t length;
};
static struct part *parts; /* by node; NULL until one is kept */
static int count;
static size_t all_bytes;

void sheaf_parts_clear(void)
{
    for (int node = 0; parts && node < sheaf_boot.nodes; node++)
        free(parts[node].bytes);
    free(parts);
    parts = NULL;
    count = 0;
    all_bytes = 0;
}

void sheaf_parts_keep(int node, const char *bytes, size_t length)
{
    if (!parts)
        parts = calloc((size_t)sheaf_boot.nodes, sizeof *parts);
    if (!parts || parts[node].bytes || length == 0 || length > MOST_BYTES - all_bytes)
        return;
    parts[node].bytes = malloc(length);
    if (!parts[node].bytes)
        return;
    memcpy(parts[node].bytes, bytes, length);
    parts[node].length = length;
    all_bytes += length;
    count++;
}

bool sheaf_parts_are_complete(void)
{
    return count == sheaf_boot.nodes - 1;
}

const char *sheaf_parts_of(int node, size_t *length)
{
    *length = parts ? parts[node].length : 0;
    return parts ? parts[node].bytes : NULL;
}

static void join(struct sheaf_report *report, int node, int32_t *pes)
{
    struct sheaf_report_part part = {0, pes, sheaf_boot_host_of(sheaf_boot_leader_of(node))};
    const struct part *got = parts ? &parts[node] : NULL;
    for (int pe = 0; pe < sheaf_boot.npes; pe++)
        if (sheaf_boot_node_of(pe) == node)
            pes[part.npes++] = pe;
    if (!got || !got->bytes || sheaf_report_unpack(report, &part, got->bytes, got->length) != 0)
        sheaf_report_add_unknown(report, &part);
}

void sheaf_parts_join(struct sheaf_report *report)
{
    int32_t *pes = malloc((size_t)sheaf_boot.npes * sizeof *pes);
    for (int node = 0; pes && node < sheaf_boot.nodes; node++)
        if (node != sheaf_boot.node)
            join(report, node, pes);
    free(pes);
}
