/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A thread that sleeps until something dies that the job cannot do without: the launcher's daemon on this
 * host, the next PE of this node, or another host (watch_hosts.h). Launchers end a job whose PE died; not
 * all of them.
 */
#ifndef SHEAF_BOOT_END_WATCH_H
#define SHEAF_BOOT_END_WATCH_H

#include "boot/launcher/launcher.h"

/* With the control area mapped. A statically linked program must not fork while it has threads
 * (image/fork.c): there a signal tells of the launcher's end, and other PEs' are left to it. */
void sheaf_watch_start(const struct sheaf_launcher *launcher);

/* The task that the thread does before it sleeps. words: the wake words (wake_pipe.h) since the last
 * time. Returns in how many ms it has to do it again, whatever comes; -1: when something does. Before
 * the start. */
void sheaf_watch_set_task(int (*task)(unsigned words));

#endif
