/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where the end of a job begins, from whichever file the reason comes.
 */
#include "oshrun/supervise/supervise.h"

#include "base/clock.h"

void sheaf_supervise_end(struct supervisor *supervisor, int status, int culprit, uint64_t grace_ns)
{
    if (supervisor->phase != RUNNING)
        return;
    supervisor->phase = GRACE;
    supervisor->status = status;
    supervisor->culprit = culprit;
    supervisor->has_failed = status != 0;
    if (status != 0)
        sheaf_record_keep(supervisor);
    supervisor->deadline = sheaf_clock_ns() + grace_ns;
}
