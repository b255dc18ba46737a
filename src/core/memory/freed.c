/* SPDX-License-Identifier: BSD-3-Clause
 * See freed.h.
 */
#include "core/memory/freed.h"

bool sheaf_freed_find(const struct sheaf_freed_list *list, uintptr_t address, struct sheaf_freed *block)
{
    for (size_t age = 1; age <= list->count && age <= SHEAF_FREED_REMEMBERED; age++) {
        const struct sheaf_freed *at = &list->last[(list->count - age) % SHEAF_FREED_REMEMBERED];
        if (address >= at->start && address - at->start < at->size) {
            *block = *at;
            return true;
        }
    }
    return false;
}

void sheaf_freed_forget(struct sheaf_freed_list *list, const void *start, size_t bytes)
{
    for (size_t i = 0; i < SHEAF_FREED_REMEMBERED; i++)
        if (list->last[i].start - (uintptr_t)start < bytes)
            list->last[i].size = 0;
}
