/* SPDX-License-Identifier: BSD-3-Clause
 * See rules.h.
 */
#include "engine/ofi/rules.h"

#include "base/log.h"
#include "base/settings/env.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned sheaf_ofi_rules;

#define NAME(enumerator, name) name,
static const char *const names[] = {SHEAF_OFI_RULES_TABLE(NAME) NULL};

int sheaf_ofi_read_rules(void)
{
    char list[128], known[128], *rest = NULL;
    const char *given = sheaf_settings_text("SHEAF_OFI_RULES");
    sheaf_ofi_rules = 0;
    snprintf(list, sizeof list, "%s", given ? given : "");
    for (char *name = strtok_r(list, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
        int rule = sheaf_names_find(names, name);
        if (rule < 0) {
            sheaf_names_print(names, known, sizeof known);
            sheaf_error("SH201 SHEAF_OFI_RULES=%s: there is no rule %s; for tests there are: %s", given,
                        name, known);
            return -1;
        }
        sheaf_ofi_rules |= 1u << rule;
    }
    return 0;
}

static uint64_t next_random(uint64_t *chance)
{
    *chance = *chance * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *chance >> 33;
}

bool sheaf_ofi_is_refused(uint64_t *chance)
{
    return next_random(chance) % 4 == 0;
}

void sheaf_ofi_put_aside(struct sheaf_ofi_shuffled *shuffled, struct sheaf_ofi_receive_buffer *buffer)
{
    shuffled->held[shuffled->count++] = buffer;
}

struct sheaf_ofi_receive_buffer *sheaf_ofi_take_aside(struct sheaf_ofi_shuffled *shuffled, bool all,
                                                      uint64_t *chance)
{
    if (shuffled->count == 0 || (!all && next_random(chance) % 2 == 0))
        return NULL;
    unsigned index = (unsigned)(next_random(chance) % shuffled->count);
    struct sheaf_ofi_receive_buffer *taken = shuffled->held[index];
    shuffled->held[index] = shuffled->held[--shuffled->count];
    return taken;
}
