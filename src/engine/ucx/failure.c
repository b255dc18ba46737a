/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What did not work, in one phrase, to the layers above, which end the job.
 */
#include "engine/ucx/ucx.h"

#include "base/atomic.h"
#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>

/* A PE that leaves closes its connections, after the last barrier; so a connection that breaks with
 * nothing under way is a failure only when this PE has not come to its own end soon after. */
#define GRACE (3 * SHEAF_SECOND)

static struct {
    int pe;
    ucs_status_t status;
    uint64_t deadline; /* 0: none is lost */
} lost;

void sheaf_ucx_failed(int pe, const char *what, ucs_status_t status)
{
    char why[320];
    const char *transports = getenv("UCX_TLS"), *devices = getenv("UCX_NET_DEVICES");
    int used = snprintf(why, sizeof why, "%s: %s (UCX)", what, sheaf_ucx.ucs_status_string(status));
    if (status == UCS_ERR_UNREACHABLE)
        snprintf(why + used, sizeof why - (size_t)used, " with UCX_TLS=%.60s, UCX_NET_DEVICES=%.60s",
                 transports ? transports : "(not set)", devices ? devices : "(not set)");
    if (sheaf_load_acquire(&sheaf_ucx_state.has_dead_host))
        sheaf_ucx_state.job.host_failed(pe, why);
    sheaf_ucx_state.job.failed(pe, why);
}

void sheaf_ucx_lost(struct sheaf_ucx_peer *peer, ucs_status_t status)
{
    peer->is_lost = true;
    if (sheaf_load_relaxed(&sheaf_ucx_state.is_stopping))
        return;
    if (!sheaf_ucx_is_idle(peer) || sheaf_load_acquire(&sheaf_ucx_state.has_dead_host))
        sheaf_ucx_failed(peer->pe, "connection", status);
    if (sheaf_load_relaxed(&lost.deadline))
        return;
    lost.pe = peer->pe;
    lost.status = status;
    sheaf_store_release(&lost.deadline, sheaf_clock_ns() + GRACE);
}

bool sheaf_ucx_check_lost(void)
{
    uint64_t deadline = sheaf_load_acquire(&lost.deadline);
    if (sheaf_likely(deadline == 0))
        return false;
    if (sheaf_clock_ns() > deadline && !sheaf_load_relaxed(&sheaf_ucx_state.is_stopping))
        sheaf_ucx_failed(lost.pe, "connection", lost.status);
    return true;
}

void sheaf_ucx_forget_lost(void)
{
    sheaf_store_release(&lost.deadline, 0);
}
