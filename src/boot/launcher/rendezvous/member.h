/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A process at a rendezvous that is not the root: reaches the root, or the branch of its host, and shows
 * the secret.
 */
#ifndef SHEAF_BOOT_LAUNCHER_RENDEZVOUS_MEMBER_H
#define SHEAF_BOOT_LAUNCHER_RENDEZVOUS_MEMBER_H

#include "boot/launcher/rendezvous/branch.h"

/* 0: parent has let it in, and is the root where there is a listener, at which this process is to be the
 * branch of its host. Or -1 with the reason printed. */
int sheaf_member_join(struct sheaf_rendezvous_plan *plan, struct sheaf_parent *parent,
                      struct sheaf_listeners *listeners);

#endif
