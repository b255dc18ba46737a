/* SPDX-License-Identifier: BSD-3-Clause
 * See survival.h.
 */
#include "survive/interface/survival.h"

bool sheaf_survival_none_is_gone(uint32_t lock_name)
{
    (void)lock_name;
    return false;
}

bool sheaf_survival_none_is_respawned(void)
{
    return false;
}

static const struct sheaf_survival uninitialized = {.members_stay = true,
                                                   .is_respawned = sheaf_survival_none_is_respawned,
                                                   .is_gone = sheaf_survival_none_is_gone};

const struct sheaf_survival *sheaf_survival = &uninitialized;
