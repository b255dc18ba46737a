/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The process to which all others connect, before the job starts: it listens, lets in who shows the
 * secret, and knows who is missing.
 */
#ifndef SHEAF_BOOT_LAUNCHER_RENDEZVOUS_ROOT_H
#define SHEAF_BOOT_LAUNCHER_RENDEZVOUS_ROOT_H

#include "boot/launcher/rendezvous/contact.h"
#include "boot/launcher/rendezvous/proof.h"
#include "hosts/channel.h"

/* A process of the job, as the root knows it, or one that has come to a branch. */
struct sheaf_rendezvous_peer {
    struct sheaf_channel channel; /* not open: the root itself, one of a branch's, or one that has not come,
                                     or has died */
    struct sheaf_joining joining;
    bool has_joined;
    int branch, number; /* number > 0: it has come to the branch of that rank, with that number there */
};

/* Waits for all processes on listeners; the file is gone then. peers: of each rank, all zero. 0, or -1 with
 * the reason printed, also by another process of each host: the listeners are closed. */
int sheaf_root_gather(struct sheaf_rendezvous_plan *plan, struct sheaf_listeners *listeners,
                      struct sheaf_rendezvous_peer *peers, int *lowest_near);

#endif
