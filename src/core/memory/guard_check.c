/* SPDX-License-Identifier: BSD-3-Clause
 * See guard_check.h.
 */
#include "core/memory/guard_check.h"

#include "base/log.h"
#include "core/memory/address_text.h"
#include "core/memory/blocks.h"
#include "core/memory/space.h"

#include <stdio.h>
#include <string.h>

static void report_damage(const struct sheaf_guard_damage *damage, const char *call)
{
    char what[SHEAF_ADDRESS_TEXT], since[160] = "";
    if (damage->since.name) {
        snprintf(since, sizeof since, " since %s", damage->since.name);
        sheaf_address_add_call(since, sizeof since, " at ", (uintptr_t)damage->since.site, "");
    }
    sheaf_address_describe(damage->byte, what, sizeof what);
    if (damage->count == 1)
        sheaf_fatal("SH118 %s: a byte of this PE that no block holds has been written%s: it is %s", call,
                    since, what);
    sheaf_fatal("SH118 %s: %zu bytes of this PE that no block holds have been written%s: the first is %s",
                call, damage->count, since, what);
}

void sheaf_guard_check(const char *call)
{
    struct sheaf_guard_damage damage;
    bool is_last = strstr(call, "finalize") != NULL;
    if (sheaf_blocks_find_damage(is_last, &damage) || sheaf_space_find_damage(is_last, &damage))
        report_damage(&damage, call);
}
