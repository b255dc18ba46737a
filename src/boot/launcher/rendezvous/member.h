/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A process at a rendezvous that is not the root: reaches it, shows the secret, and waits for the
 * others.
 */
#ifndef SHEAF_BOOT_LAUNCHER_RENDEZVOUS_MEMBER_H
#define SHEAF_BOOT_LAUNCHER_RENDEZVOUS_MEMBER_H

#include "boot/launcher/rendezvous/plan.h"
#include "hosts/channel.h"

/* 0, with the connection to the root; or -1 with the reason printed, here or by another process of
 * this host. */
int sheaf_member_join(struct sheaf_rendezvous_plan *plan, struct sheaf_channel *root, int *root_pe,
                      int *lowest_near);

#endif
