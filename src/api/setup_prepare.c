/* SPDX-License-Identifier: BSD-3-Clause
 * See setup.h.
 */
#include "api/setup.h"

#include "coll/coll.h"
#include "snapshot/snapshot.h"

int sheaf_setup_prepare(const struct sheaf_settings *settings)
{
    return sheaf_coll_prepare(settings) != 0 || sheaf_snapshot_prepare(settings) != 0 ? -1 : 0;
}
