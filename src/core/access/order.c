/* SPDX-License-Identifier: BSD-3-Clause
 * See order.h.
 */
#include "core/access/order.h"

#include "core/access/chaos/chaos.h"
#include "core/access/copy/copier.h"

bool sheaf_order_waits = true;

void sheaf_order_choose(void)
{
    sheaf_order_waits = sheaf_network != NULL || sheaf_copier_is_on() || sheaf_chaos_is_on;
}

void sheaf_quiet_of_living(void)
{
    sheaf_far_bears_deaths = true;
    sheaf_quiet_before_sync();
    sheaf_far_bears_deaths = false;
}

void sheaf_order_fence(shmem_ctx_t context)
{
    if (sheaf_chaos_is_on)
        sheaf_chaos_fence(context);
    if (sheaf_copier_is_on())
        sheaf_copier_drain();
    if (sheaf_network)
        sheaf_far_fence(context);
}

void sheaf_order_quiet(shmem_ctx_t context)
{
    if (sheaf_chaos_is_on)
        sheaf_chaos_quiet(context, SHEAF_EVERY_PE);
    if (sheaf_copier_is_on())
        sheaf_copier_drain();
    if (sheaf_network)
        sheaf_far_quiet(context);
}
