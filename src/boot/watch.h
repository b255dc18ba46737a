/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Mostly a thread, which sleeps until something dies that the job cannot do without: the launcher's
 * daemon on this host, or the next PE of this node. Launchers end a job whose PE died; not all of
 * them.
 */
#ifndef SHEAF_BOOT_WATCH_H
#define SHEAF_BOOT_WATCH_H

#include "boot/launcher.h"

#include <stdbool.h>

/* With the control area mapped. A statically linked program must not fork while it has threads
 * (image/fork.c): there a signal tells of the launcher's end, and other PEs' are left to it. */
void sheaf_watch_start(const struct sheaf_launcher *launcher);

/* From now on whatever ends does so in order. */
void sheaf_watch_stop(void);
bool sheaf_watch_is_stopped(void);

/* The thread looks again what there is to watch; whether there is one. */
void sheaf_watch_wake(void);
bool sheaf_watch_is_there(void);

/* Whether there is such a process. */
bool sheaf_watch_is_alive(int pid);

/* The launcher is gone: the first caller says so, all end this process. */
_Noreturn void sheaf_watch_lost_launcher(const char *how);

#endif
