/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A process that has connected to the root, until it has shown the secret: of what it says nothing is used
 * but what the proof is made of.
 */
#ifndef SHEAF_BOOT_LAUNCHER_RENDEZVOUS_GUEST_H
#define SHEAF_BOOT_LAUNCHER_RENDEZVOUS_GUEST_H

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

/* Takes in one message and answers it: the next is read at the next look. */
enum sheaf_guest_state {
    SHEAF_GUEST_WAITS,
    SHEAF_GUEST_CLOSED,
    SHEAF_GUEST_REFUSED, /* and closed; it was told why */
    SHEAF_GUEST_PROVEN   /* and welcomed: joining is what it says of itself */
};
enum sheaf_guest_state sheaf_guest_hear(struct sheaf_guest *guest, const char *secret,
                                        enum sheaf_refusal *why);

#endif
