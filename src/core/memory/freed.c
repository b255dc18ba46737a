/* SPDX-License-Identifier: BSD-3-Clause
 * See freed.h.
 */
#include "core/memory/freed.h"

static struct sheaf_freed kept[SHEAF_FREED_KEPT];
static size_t count; /* ever noted */

void sheaf_freed_note(const struct sheaf_freed *block)
{
    kept[count++ % SHEAF_FREED_KEPT] = *block;
}

bool sheaf_freed_find(size_t offset, struct sheaf_freed *block)
{
    for (size_t age = 1; age <= count && age <= SHEAF_FREED_KEPT; age++) {
        const struct sheaf_freed *at = &kept[(count - age) % SHEAF_FREED_KEPT];
        if (offset >= at->offset && offset - at->offset < at->size) {
            *block = *at;
            return true;
        }
    }
    return false;
}

void sheaf_freed_forget(void)
{
    count = 0;
}
