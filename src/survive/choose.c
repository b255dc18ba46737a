/* SPDX-License-Identifier: BSD-3-Clause
 * See choose.h.
 */
#include "survive/choose.h"

#include "boot/boot.h"
#include "boot/replicated_log/agent_client.h"
#include "survive/failed.h"
#include "survive/tables.h"

int sheaf_survive_choose(void)
{
    static bool is_first = true;
    if (sheaf_failure_init() != 0)
        return -1;
    sheaf_failure_is_outside = sheaf_boot.is_respawned && is_first;
    is_first = false;
    sheaf_survival = !sheaf_failure_is_reported ? &sheaf_survival_plain
                     : sheaf_agent_is_used()    ? &sheaf_survival_several_hosts
                                                : &sheaf_survival_one_host;
    sheaf_failed_init();
    return 0;
}
