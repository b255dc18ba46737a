/* SPDX-License-Identifier: BSD-3-Clause
 * See exit_claim.h.
 */
#include "boot/end/exit_claim.h"

#include "base/atomic.h"
#include "boot/end/wake_pipe.h"
#include "boot/world/world.h"
#include "image/image.h"

#include <stdlib.h>

static bool is_leaving;
static void (*heard_failure)(bool is_here);

void sheaf_exit_claim_set_heard(void (*heard)(bool is_here))
{
    heard_failure = heard;
}

static void hear(int how, bool is_here)
{
    if (heard_failure && (how & 0xff) != 0)
        heard_failure(is_here);
}

static struct sheaf_control *area(void)
{
    return sheaf_image.job;
}

static uint64_t claim_of(int pe, int how)
{
    return ((uint64_t)pe + 1) << 32 | (uint32_t)how;
}

static bool claim(int how)
{
    uint64_t nobody = 0;
    if (!sheaf_image.job)
        return true;
    if (!__atomic_compare_exchange_n(&area()->exit_claim, &nobody, claim_of(sheaf_boot.pe, how), false,
                                     __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        return false;
    hear(how, true);
    return true;
}

bool sheaf_exit_claim_end(int status)
{
    return claim(status & 0xff);
}

bool sheaf_exit_claim_failure(void)
{
    return claim(SHEAF_EXIT_FAILED | EXIT_FAILURE);
}

bool sheaf_exit_claim_is_made(void)
{
    return sheaf_image.job && sheaf_load_acquire(&area()->exit_claim) != 0;
}

bool sheaf_exit_claim_is_announced(void)
{
    return sheaf_image.job && sheaf_load_acquire(&area()->exit_requested) != 0;
}

void sheaf_exit_claim_read(int *pe, int *how)
{
    uint64_t claim = sheaf_load_acquire(&area()->exit_claim);
    *pe = sheaf_control_exit_pe(claim);
    *how = (int)(uint32_t)claim;
}

void sheaf_exit_claim_announce(void)
{
    struct sheaf_control *control = area();
    sheaf_store_release(&control->exit_requested, 1);
    for (int slot = 0; slot < control->npes; slot++)
        if (slot != sheaf_boot.job_slot)
            sheaf_wake_pipe_wake(sheaf_control_pe(control, slot));
    sheaf_wake_pipe_wake_own();
}

void sheaf_exit_claim_adopt(int pe, int how)
{
    uint64_t theirs = claim_of(pe, how), ours = sheaf_load_acquire(&area()->exit_claim);
    while (ours == 0 || sheaf_control_exit_pe(ours) > pe)
        if (__atomic_compare_exchange_n(&area()->exit_claim, &ours, theirs, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE)) {
            hear(how, false);
            sheaf_exit_claim_announce();
            return;
        }
}

void sheaf_exit_claim_leave(void)
{
    __atomic_store_n(&is_leaving, true, __ATOMIC_RELEASE);
    sheaf_wake_pipe_wake_own();
}

bool sheaf_exit_claim_is_leaving(void)
{
    return __atomic_load_n(&is_leaving, __ATOMIC_ACQUIRE);
}
