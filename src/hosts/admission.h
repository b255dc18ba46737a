/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The listening side of connections between hosts: who connects is a guest until it has proven that it
 * has the token (handshake.h), and then the user's, or closed. README.md states what a stranger can do
 * here. The ring of leaders (boot/ring) and the mesh of agents (boot/replicated_log) have one each, and so
 * have containers of one host that meet (boot/containers). No locks: one thread at a time.
 */
#ifndef SHEAF_HOSTS_ADMISSION_H
#define SHEAF_HOSTS_ADMISSION_H

#include "hosts/handshake.h"
#include "hosts/interface.h"
#include "hosts/poll_set.h"

#define SHEAF_GUESTS            16   /* at once, and one more for each host that may connect */
#define SHEAF_ADMISSION_ADDRESS 1024 /* bytes of text that say how to connect */

struct sheaf_admission_user {
    /* Whether the node, which has proven itself, may have this connection now. */
    bool (*expects)(const struct sheaf_greeting *hello);
    /* It has been welcomed, and the descriptor is the user's. May close the admission. */
    void (*admitted)(int fd, const struct sheaf_greeting *hello);
};

/* All zero: closed. */
struct sheaf_admission {
    int listeners;
    int listening[SHEAF_INTERFACES];
    int places[SHEAF_INTERFACES]; /* in the poll set */
    struct sheaf_token secret;
    const struct sheaf_admission_user *user;
    struct sheaf_greeting welcome; /* the user sets its node and its note */
    struct sheaf_handshake *guests;
    int most_guests;
    uint64_t paused_until_ns; /* no descriptor was free */
};

/* Listens for so many hosts on the interfaces that the job uses. address is for these hosts, and secret.
 * 0, or -1 with errno. */
int sheaf_admission_open(struct sheaf_admission *admission, int hosts,
                         const struct sheaf_admission_user *user, char address[SHEAF_ADMISSION_ADDRESS]);

/* The same on listeners of the user's, which are the admission's from then on, with a secret of the user's;
 * most: so many may connect. 0, or -1 with errno. */
int sheaf_admission_open_on(struct sheaf_admission *admission, const int *listeners, int count, int most,
                            const struct sheaf_token *secret, const struct sheaf_admission_user *user);
void sheaf_admission_close(struct sheaf_admission *admission);
bool sheaf_admission_is_open(const struct sheaf_admission *admission);

/* How many descriptors it may have to poll for. */
size_t sheaf_admission_most(const struct sheaf_admission *admission);

/* read is to be called again after 100 ms at the latest: guests may be late, and pauses end. */
void sheaf_admission_watch(struct sheaf_admission *admission, struct sheaf_poll_set *set);
void sheaf_admission_read(struct sheaf_admission *admission, const struct sheaf_poll_set *set);

#endif
