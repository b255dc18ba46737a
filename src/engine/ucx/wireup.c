/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Connections that break while they are made. If a TCP connection ends before UCX 1.13 has sent its first
 * message, UCX fails that message. Its own function for this considers that impossible, and ends the
 * process by an assertion. So when a PE was killed, others that were connecting to it died too. That
 * function's entry in the table of symbols is changed to a function of ours, which leaves such messages
 * alone: a few hundred bytes each, for which nothing waits. UCX goes on and reports the connection as
 * lost.
 */
#include "engine/ucx/ucx.h"

#include <stdint.h>
#include <string.h>

/* The pointer to a request's function is within its first MOST_BYTES bytes. In a UCX with another layout
 * it is not found, and nothing changes. */
#define MOST_BYTES 232

typedef void fail_function(void *request, ucs_status_t status);
static fail_function *real_fail;
static const void *progress; /* ucp_wireup_msg_progress, the function of messages that make a connection */

static bool makes_connection(const char *request)
{
    for (size_t at = 0; at < MOST_BYTES; at += sizeof progress)
        if (memcmp(request + at, &progress, sizeof progress) == 0)
            return true;
    return false;
}

static void fail_request(void *request, ucs_status_t status)
{
    if (!makes_connection(request))
        real_fail(request, status);
}

void sheaf_ucx_survive_broken_wireup(void)
{
    if (real_fail)
        return;
    progress = sheaf_ucx_symbol("ucp_wireup_msg_progress");
    real_fail = (fail_function *)sheaf_ucx_symbol("ucp_request_send_state_ff");
    if (progress && real_fail)
        sheaf_ucx_hook("ucp", "ucp_request_send_state_ff", (void *)fail_request);
}
