/* SPDX-License-Identifier: BSD-3-Clause
 * See space_kind.h.
 */
#include "core/space_kind.h"

#include "base/os/nodes.h"

#include <stdlib.h>
#include <string.h>

static bool read_node(const char *text, int *node)
{
    char *end;
    long value = strtol(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || value >= SHEAF_NODE_WORDS * 64)
        return false;
    *node = (int)value;
    return true;
}

void sheaf_space_read_kind(const char *kind, struct sheaf_space_wish *wish, struct sheaf_space_reason *why)
{
    if (wish->length == 0)
        sheaf_space_explain(why, "its size is 0");
    else if (strcmp(kind, "default") == 0)
        wish->kind = SHEAF_SPACE_DEFAULT;
    else if (strcmp(kind, "atomics:network") == 0)
        wish->by_network = true;
    else if (strcmp(kind, "huge") == 0)
        wish->kind = SHEAF_SPACE_HUGE;
    else if (strcmp(kind, "interleave") == 0)
        wish->kind = SHEAF_SPACE_INTERLEAVE;
    else if (strncmp(kind, "numa:", 5) == 0 && read_node(kind + 5, &wish->node))
        wish->kind = SHEAF_SPACE_NUMA;
    else if (strncmp(kind, "file:", 5) == 0 && kind[5] != '\0')
        *wish = (struct sheaf_space_wish){.kind = SHEAF_SPACE_FILE, .path = kind + 5,
                                          .length = wish->length, .rank = wish->rank, .size = wish->size};
    else
        sheaf_space_explain(why, "expected default, huge, numa:NODE, interleave, atomics:network or "
                                 "file:PATH");
}
