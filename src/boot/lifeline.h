/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What becomes of a job when something dies that it cannot do without. watch.c has a thread in each
 * PE, which watches its neighbour on the node and the launcher; here the lowest PE of each node is
 * also in a ring of hosts (ring.h), which that thread serves. SHEAF_LIFELINE=off: no ring.
 */
#ifndef SHEAF_BOOT_LIFELINE_H
#define SHEAF_BOOT_LIFELINE_H

#include "boot/ring.h"

#include <stdbool.h>

/* At each initialization: publish before a fence of all PEs, hold after it. Between hold and
 * release the end of a host ends the job. Without effect on other PEs than a node's lowest. Never
 * fails: what cannot be watched is said at debug level. */
void sheaf_lifeline_publish(void);
void sheaf_lifeline_hold(void);
void sheaf_lifeline_release(void);

/* For the thread: what to poll for, for how long at most (-1: for ever), and what came of it. */
size_t sheaf_lifeline_gather(struct pollfd fds[SHEAF_RING_LINKS]);
int sheaf_lifeline_timeout(void);
void sheaf_lifeline_look(const struct pollfd *fds, size_t count);

/* Tells other hosts that this PE ends the job, and how (boot/end.h); false where they cannot be told.
 * Then: whether both neighbours have left or know by themselves. */
bool sheaf_lifeline_tell(int pe, int how);
bool sheaf_lifeline_is_over(int pe);

/* Ends the job everywhere, through the launcher and without: this node's other PEs are killed. */
_Noreturn void sheaf_lifeline_end_job(void);

#endif
