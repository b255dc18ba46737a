/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What PEs tell each other before communication is up: see boot.h. Near PEs find it in the control
 * area, far ones ask the launcher.
 */
#ifndef SHEAF_BOOT_MAIL_H
#define SHEAF_BOOT_MAIL_H

#include "boot/launcher.h"

/* At each initialization, on all PEs alike, with the launcher of a job of several nodes, else NULL:
 * what was said before the last finalization is forgotten. */
void sheaf_mail_open(const struct sheaf_launcher *launcher);

#endif
