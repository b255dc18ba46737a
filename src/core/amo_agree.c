/* SPDX-License-Identifier: BSD-3-Clause
 * See amo_agree.h.
 */
#include "core/amo_agree.h"

#include "base/log.h"
#include "core/access/amo_provider.h"
#include "core/access/order.h"
#include "core/access/route.h"
#include "core/pe/job.h"
#include "core/team/note.h"
#include "core/team/sync.h"
#include "survive/door/survival.h"

#include <string.h>

/* What every PE must agree on. */
struct opinion {
    sheaf_amo_set native, uses;
};

static sheaf_amo_set native, uses;

/* Without members that stay the engine has no operations of the network's. */
static bool is_wanted(void)
{
    return sheaf_network && sheaf_survival->members_stay && sheaf_job.settings.atomics != SHEAF_ATOMICS_CPU;
}

static void hear(void *all, int rank, const void *note)
{
    struct opinion *agreed = all, other;
    (void)rank;
    memcpy(&other, note, sizeof other);
    agreed->native &= other.native;
    agreed->uses |= other.uses;
}

/* An operation is the network's where all PEs' networks have it, and used where one PE uses it. */
static struct opinion agree(struct opinion mine)
{
    struct sheaf_team *world = sheaf_team_world();
    struct opinion all = mine;
    sheaf_team_gather(world, &mine, sizeof mine, hear, &all);
    sheaf_sync(world);
    return all;
}

static void explain(const char *why)
{
    char missing[128];
    if (sheaf_job.pe != 0)
        return;
    sheaf_amo_print(sheaf_amo_missing(native, uses), missing, sizeof missing);
    sheaf_warn("SH509 SHEAF_ATOMICS=%s: the network has no %s, nor cswap64 to build it from (%s): atomic "
               "operations stay the processors'; where the program uses none of these, declare what it "
               "uses: SHEAF_ATOMICS_USES or shmemx_atomics_declare()",
               sheaf_atomics_names[sheaf_job.settings.atomics], missing, why);
}

static void decide(sheaf_amo_set own_native, sheaf_amo_set own_uses, const char *why)
{
    struct opinion all = agree((struct opinion){own_native, own_uses});
    native = all.native;
    uses = all.uses;
    sheaf_amo_provider_set(native, uses, sheaf_amo_missing(native, uses) == 0);
    sheaf_route_open_atomics(!sheaf_far_reaches_near);
    if (!sheaf_far_reaches_near)
        explain(why);
}

int sheaf_amo_agree_init(void)
{
    char why[400] = "SHEAF_ATOMICS_NATIVE";
    const struct sheaf_settings *settings = &sheaf_job.settings;
    uses = settings->atomics_uses ? settings->atomics_uses : SHEAF_AMO_ALL;
    sheaf_amo_provider_set(native, uses, false);
    if (!is_wanted()) {
        if (settings->atomics != SHEAF_ATOMICS_CPU)
            sheaf_debug("SHEAF_ATOMICS=%s: there is no network in a job on one host",
                        sheaf_atomics_names[settings->atomics]);
        return 0;
    }
    sheaf_amo_set own = sheaf_network->native_atomics(why, sizeof why);
    decide(own, uses, why);
    return 0;
}

bool sheaf_amo_agree_declare(sheaf_amo_set declared)
{
    sheaf_quiet_before_sync();
    sheaf_sync(sheaf_team_world());
    if (is_wanted())
        decide(native, declared, "as all PEs agree");
    else
        sheaf_amo_provider_set(native, uses = declared, false);
    return sheaf_far_reaches_near;
}
