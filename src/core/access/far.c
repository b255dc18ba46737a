/* SPDX-License-Identifier: BSD-3-Clause
 * See far.h.
 */
#include "core/access/far.h"

#include "base/keep_errno.h"
#include "boot/boot.h"
#include "core/pe/job.h"

#include <stdio.h>

bool sheaf_far_reaches_near;
__thread bool sheaf_far_outlives_deaths;

/* For the status board. Of a quiet of all PEs it names one PE that the quiet waits for. */
void sheaf_far_describe(const void *object, char *text, size_t size)
{
    const struct sheaf_far_call *far = object;
    int pe = far->pe == SHEAF_EVERY_PE ? sheaf_network->busy_with(far->stream) : far->pe;
    if (pe >= 0)
        snprintf(text, size, "PE %d on host %s", pe, sheaf_boot_host_of(pe));
}

void sheaf_far_perform(shmem_ctx_t ctx, const struct sheaf_amo_call *amo, void *result, bool nbi,
                       int pe)
{
    struct sheaf_far_call far;
    sheaf_far_begin(&far, ctx, pe);
    sheaf_record_far(amo->bytes);
    while (!sheaf_network->amo(far.stream, pe, amo, result, nbi ? NULL : &far.left))
        sheaf_wait_step(&far.wait);
    sheaf_far_finish(&far);
}

static void quiet_pe(shmem_ctx_t ctx, int pe)
{
    struct sheaf_far_call far;
    sheaf_far_begin(&far, ctx, pe);
    sheaf_network->quiet(far.stream, pe, &far.left);
    sheaf_far_finish(&far);
}

/* Completes the network's atomic operations on near PEs before a store of this processor. */
static void quiet_near_pes(shmem_ctx_t ctx)
{
    for (int slot = 0; slot < sheaf_boot.node_npes; slot++)
        quiet_pe(ctx, sheaf_boot_pe_at(slot));
}

void sheaf_far_fence(shmem_ctx_t ctx)
{
    SHEAF_KEEP_ERRNO;
    sheaf_job_require("shmem_fence");
    sheaf_network->fence(sheaf_context_stream(ctx));
    if (sheaf_unlikely(sheaf_far_reaches_near))
        quiet_near_pes(ctx);
}

void sheaf_far_quiet(shmem_ctx_t ctx)
{
    SHEAF_KEEP_ERRNO;
    sheaf_job_require("shmem_quiet");
    quiet_pe(ctx, SHEAF_EVERY_PE);
}

void sheaf_far_quiet_pe(shmem_ctx_t ctx, int pe)
{
    SHEAF_KEEP_ERRNO;
    quiet_pe(ctx, pe);
}
