/* SPDX-License-Identifier: BSD-3-Clause
 * See counters.h.
 */
#include "core/access/route.h"
#include "core/access/counters.h"

#include "boot/boot.h"
#include "core/access/context.h"
#include "core/access/checked.h"
#include "core/pe/job.h"
#include "image/imports.h"

bool sheaf_counters_are_on;
bool sheaf_counters_are_linked;

static struct sheaf_counts of_default;
static uint64_t arrived_alone; /* for a job of one PE without a control area */

static uint64_t *arrived_at(int slot)
{
    return sheaf_job.control ? &sheaf_control_pe(sheaf_job.control, slot)->arrived : &arrived_alone;
}

void sheaf_counters_init(void)
{
    of_default = (struct sheaf_counts){0, 0};
    sheaf_store_relaxed(arrived_at(sheaf_boot.slot), 0);
    sheaf_counters_are_on = sheaf_image_imports("shmemx_pcntr_", sheaf_counters_are_linked);
}

void sheaf_counters_require(const char *call)
{
    sheaf_job_require(call);
    if (sheaf_counters_are_on)
        return;
    sheaf_counters_are_on = true;
    sheaf_route_close();
}

struct sheaf_counts *sheaf_counters_of(shmem_ctx_t ctx)
{
    if (ctx == SHMEM_CTX_INVALID)
        return NULL;
    return ctx == SHMEM_CTX_DEFAULT ? &of_default : &ctx->counts;
}

uint64_t sheaf_counters_arrived(void)
{
    uint64_t near = sheaf_load_acquire(arrived_at(sheaf_boot.slot));
    if (!sheaf_network)
        return near;
    sheaf_network->progress(true);
    return near + sheaf_network->carried_out();
}

void sheaf_counters_add(shmem_ctx_t ctx, bool is_write, bool is_near, int pe)
{
    struct sheaf_counts *counts = sheaf_counters_of(ctx);
    __atomic_fetch_add(is_write ? &counts->writes : &counts->reads, 1, __ATOMIC_RELAXED);
    if (is_write && is_near)
        __atomic_fetch_add(arrived_at(sheaf_boot_slot_of(pe)), 1, __ATOMIC_RELEASE);
}

uint64_t *sheaf_counters_add_late(shmem_ctx_t ctx, bool is_near, int pe)
{
    if (sheaf_likely(!sheaf_counters_are_on))
        return NULL;
    sheaf_counters_add(ctx, true, false, pe);
    return is_near ? arrived_at(sheaf_boot_slot_of(pe)) : NULL;
}
