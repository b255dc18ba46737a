/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The conversation with the launcher that started this process, if it is not oshrun: open from the first
 * initialization until this process ends, or asks the launcher to end the job.
 */
#ifndef SHEAF_BOOT_LAUNCHER_CONNECTION_H
#define SHEAF_BOOT_LAUNCHER_CONNECTION_H

#include "boot/launcher/launcher.h"

#include <stdbool.h>

/* When the library is loaded: the one that the environment shows, or NULL. */
void sheaf_connection_set_launcher(const struct sheaf_launcher *launcher);
const struct sheaf_launcher *sheaf_connection_launcher(void);

/* Asks the launcher who this is. 0, or -1 with the reason printed. */
int sheaf_connection_open(void);
bool sheaf_connection_is_open(void);

/* From now on nothing but abort and close is said to the launcher. */
void sheaf_connection_forget(void);

/* As struct sheaf_launcher has them; close and end: any thread, one of them once. */
void sheaf_connection_abort(int status);
void sheaf_connection_close(void);
void sheaf_connection_end(void);

/* The launcher is gone: the first caller says so, all end this process. */
_Noreturn void sheaf_connection_lost(const char *how);

#endif
