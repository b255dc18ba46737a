/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The sockets of a rendezvous: where the root listens, how others reach it, and the file or text
 * that tells them. A local socket (Unix, without a file) is for processes of the same host, and the
 * kernel says whose process is at its other end.
 */
#ifndef SHEAF_BOOT_LAUNCHER_RENDEZVOUS_CONTACT_H
#define SHEAF_BOOT_LAUNCHER_RENDEZVOUS_CONTACT_H

#include "boot/launcher/rendezvous/invitation.h"
#include "boot/launcher/rendezvous/plan.h"

#include <stdbool.h>

/* Where a member finds the root by plan, whose secret comes from the invitation where there is one.
 * Returns NULL, or in words why there is nothing yet. */
const char *sheaf_contacts_find(struct sheaf_rendezvous_plan *plan,
                                struct sheaf_contacts *contacts);

/* Adds those that take long to find, the addresses of a host's name: once the others have been tried. */
const char *sheaf_contacts_resolve(const struct sheaf_rendezvous_plan *plan,
                                   struct sheaf_contacts *contacts);

/* A connection that does not block, made within so long; -1 and errno. EPERM: another user's
 * process listens at the local socket. */
int sheaf_contact_connect(const struct sheaf_contact *contact, uint64_t most_ns);

/* Of the root. All zero: none. */
struct sheaf_listeners {
    int count;
    int fd[SHEAF_CONTACTS];
    bool is_local[SHEAF_CONTACTS];
    uint64_t file_inode; /* of the file with the invitation; 0: there is none */
};

/* By plan, which has a port or a file; the file is written. 0, or -1 with the reason printed: nothing is
 * open then. */
int sheaf_listeners_open(struct sheaf_listeners *listeners, struct sheaf_rendezvous_plan *plan);

/* Listens at the local socket of this host. False, with errno. */
bool sheaf_listeners_open_local(struct sheaf_listeners *listeners, const struct sheaf_contact *local,
                                const struct sheaf_rendezvous_plan *plan);

/* Listens locally and on all interfaces of the job, with a new secret. text tells others how to come. 0, or
 * -1 and errno. */
int sheaf_listeners_invite(struct sheaf_listeners *listeners, int backlog, char text[SHEAF_INVITATION]);

/* Removes the file: whoever comes later finds none. */
void sheaf_listeners_remove_file(struct sheaf_listeners *listeners,
                                 const struct sheaf_rendezvous_plan *plan);

/* Closes them, and removes the file. */
void sheaf_listeners_close(struct sheaf_listeners *listeners,
                           const struct sheaf_rendezvous_plan *plan);

/* Whether a process of this user is at the other end of a local socket. */
bool sheaf_contact_is_own(int fd);

#endif
