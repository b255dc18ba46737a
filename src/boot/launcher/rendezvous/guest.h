/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Processes that have connected to this one, until they have shown the secret: of what they say nothing is
 * used but what the proof is made of. The root has guests, and the branch of each host (branch.h).
 */
#ifndef SHEAF_BOOT_LAUNCHER_RENDEZVOUS_GUEST_H
#define SHEAF_BOOT_LAUNCHER_RENDEZVOUS_GUEST_H

#include "boot/launcher/rendezvous/contact.h"
#include "boot/launcher/rendezvous/message.h"
#include "boot/launcher/rendezvous/proof.h"
#include "hosts/channel.h"

#include <stdbool.h>

struct sheaf_guest {
    struct sheaf_channel channel; /* not open: there is none */
    uint64_t since_ns;
    bool is_local, has_greeted;
    struct sheaf_challenges challenges;
    struct sheaf_joining joining; /* of one that is proven */
};

void sheaf_guest_open(struct sheaf_guest *guest, int fd, bool is_local);

/* Takes in one message and answers it: the next is read at the next look. welcome: the value of the
 * WELCOME. */
enum sheaf_guest_state {
    SHEAF_GUEST_WAITS,
    SHEAF_GUEST_CLOSED,
    SHEAF_GUEST_REFUSED, /* and closed; it was told why */
    SHEAF_GUEST_PROVEN   /* and welcomed: joining is what it says of itself */
};
enum sheaf_guest_state sheaf_guest_hear(struct sheaf_guest *guest, const char *secret, int welcome,
                                        enum sheaf_refusal *why);

/* A proven process is told that all have connected without it. */
void sheaf_guest_tell_late(struct sheaf_channel *channel, const struct sheaf_joining *joining,
                           const struct sheaf_rendezvous_plan *plan);

/* All that are at this process, before the job starts. */
struct sheaf_guests {
    const struct sheaf_rendezvous_plan *plan;
    struct sheaf_listeners *listeners;
    int welcome;
    struct sheaf_guest *guest;
    int most, refused;                   /* refused: with another secret */
    char refused_from[INET6_ADDRSTRLEN]; /* the last one */
    bool lacks_files;
    uint64_t paused_until_ns;
    int places[SHEAF_CONTACTS]; /* of listeners in the poll set */
};

/* How many descriptors may have to be polled; guests for that many processes are made: false without
 * memory. */
size_t sheaf_guests_most(const struct sheaf_rendezvous_plan *plan);
bool sheaf_guests_open(struct sheaf_guests *guests);
void sheaf_guests_close(struct sheaf_guests *guests); /* not the listeners */

/* look is to be called again after 100 ms at the latest: guests may be late. admit takes the channel of a
 * proven guest, or leaves it; false ends the look. */
void sheaf_guests_watch(struct sheaf_guests *guests, struct sheaf_poll_set *set);
void sheaf_guests_look(struct sheaf_guests *guests, const struct sheaf_poll_set *set,
                       bool (*admit)(void *user, struct sheaf_guest *guest), void *user);

#endif
