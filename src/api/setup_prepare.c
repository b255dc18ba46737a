/* SPDX-License-Identifier: BSD-3-Clause
 * See setup.h.
 */
#include "api/setup.h"

#include "coll/coll.h"
#include "snapshot/snapshot.h"
#include "survive/choose.h"

int sheaf_setup_prepare(const struct sheaf_settings *settings)
{
    bool failed = sheaf_survive_choose() != 0 || sheaf_coll_prepare(settings) != 0 ||
                  sheaf_snapshot_prepare(settings) != 0;
    return failed ? -1 : 0;
}
