/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The first process of a host that comes to a rendezvous elsewhere is the host's branch: the others of the
 * host, its leaves, connect to it by a local socket, and it alone has a connection to the root. So the root
 * has one connection and one message for a host, not for a process. Before the job starts the branch lets
 * in the leaves, and passes on what they and the root say; afterwards see rendezvous.c.
 */
#ifndef SHEAF_BOOT_LAUNCHER_RENDEZVOUS_BRANCH_H
#define SHEAF_BOOT_LAUNCHER_RENDEZVOUS_BRANCH_H

#include "boot/launcher/rendezvous/contact.h"
#include "boot/launcher/rendezvous/root.h"
#include "hosts/channel.h"

/* The process to which this one has connected: the root, or its host's branch. */
struct sheaf_parent {
    struct sheaf_channel channel;
    int rank; /* from START on */
    char name[64]; /* for messages; "": as the plan calls the root */
};

/* Waits until all have come, letting in leaves by the listener, which is closed then; without one this is a
 * leaf itself. leaves: size of them, all zero; those that are in the job follow each other from 0 on.
 * Returns how many, or -1 with the reason printed, here or by another process of this host. */
int sheaf_branch_await_start(const struct sheaf_rendezvous_plan *plan, struct sheaf_parent *parent,
                             struct sheaf_listeners *listeners, struct sheaf_rendezvous_peer *leaves,
                             int *lowest_near);

#endif
