/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The text by which processes find the root and show it that they belong to the job: a secret, and
 * where the root listens. It is in the file of a rendezvous, and in the identifiers that
 * shmemx_get_uniqueid makes. Knows no sockets.
 */
#ifndef SHEAF_BOOT_LAUNCHER_RENDEZVOUS_INVITATION_H
#define SHEAF_BOOT_LAUNCHER_RENDEZVOUS_INVITATION_H

#include "hosts/interface.h"

#include <stdbool.h>

#define SHEAF_INVITATION 512 /* bytes of the text with its end */
#define SHEAF_CONTACTS   (1 + 2 * SHEAF_INTERFACES)

struct sheaf_contact {
    char address[INET6_ADDRSTRLEN]; /* or the local socket's name */
    int port;                       /* 0: a local socket */
};

struct sheaf_contacts {
    int count;
    struct sheaf_contact at[SHEAF_CONTACTS];
};

struct sheaf_invitation {
    char secret[33];
    char host[64]; /* of the root: this and pid are for messages */
    int pid;
    struct sheaf_contacts contacts;
};

/* Unless it is there already, or there is no room. */
void sheaf_contacts_add(struct sheaf_contacts *contacts, const char *address, int port);

bool sheaf_contact_is_numeric(const char *address);

/* Contacts that have no room in the text are left out. */
void sheaf_invitation_print(const struct sheaf_invitation *invitation, char text[SHEAF_INVITATION]);

/* NULL, or in words what is wrong with the text, which may be anything that ends with NUL. */
const char *sheaf_invitation_parse(const char *text, struct sheaf_invitation *invitation);

#endif
