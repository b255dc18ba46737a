/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Noticing that a host dies. watch.h has a thread in each PE, which watches its neighbour on the node and
 * the launcher; the lowest PE of each node is also in a ring of hosts (ring.h), which that thread
 * serves. SHEAF_FAILURE_DETECTOR=off: no ring.
 */
#ifndef SHEAF_BOOT_END_WATCH_HOSTS_H
#define SHEAF_BOOT_END_WATCH_HOSTS_H

#include "boot/ring/ring.h"

#include <stdbool.h>
#include <stdint.h>

/* At each initialization: publish before a fence of all PEs, hold after it. Between hold and
 * release the end of a host ends the job. Without effect on other PEs than a node's lowest. Never
 * fails: what cannot be watched is said at debug level. */
void sheaf_watch_hosts_publish(void);
void sheaf_watch_hosts_hold(void);
void sheaf_watch_hosts_release(void);

/* For the thread: what to poll for, for how long at most (-1: for ever), what came of it, on which node;
 * and what there is to do at every turn. */
size_t sheaf_watch_hosts_gather(struct pollfd fds[SHEAF_RING_POLLS]);
int sheaf_watch_hosts_timeout(void);
enum sheaf_ring_news sheaf_watch_hosts_read(const struct pollfd *fds, size_t count, int *node);
void sheaf_watch_hosts_tend(void);

/* Where agents see hosts die (boot/replicated_log) there is no ring: tell ends all other processes of the
 * job, which PE pe has ended with this status. */
void sheaf_watch_hosts_set_agent(void (*tell)(int pe, int status));
bool sheaf_watch_hosts_has_agent(void);

/* Between hold and release. */
bool sheaf_watch_hosts_is_held(void);

/* Takes in what neighbours say for so long, or until one says that the job ends. */
void sheaf_watch_hosts_listen(uint64_t ns);

/* Tells the neighbours whose claim counts here, and how the job ends (exit_claim.h); false where they
 * cannot be told. Then: whether both neighbours have left or know by themselves that PE pe ends the job. */
bool sheaf_watch_hosts_tell_claim(void);
bool sheaf_watch_hosts_is_over(int pe);

#endif
