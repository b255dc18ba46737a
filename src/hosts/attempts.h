/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The connecting side of connections between hosts: another host is tried at all its addresses at once,
 * and the first that proves itself (handshake.h) stays. An attempt lasts until the other side or the
 * kernel ends it: who gave up earlier might have been welcomed meanwhile. No locks: one thread at a time.
 */
#ifndef SHEAF_HOSTS_ATTEMPTS_H
#define SHEAF_HOSTS_ATTEMPTS_H

#include "hosts/handshake.h"
#include "hosts/interface.h"
#include "hosts/poll_set.h"

/* All zero: none. */
struct sheaf_attempts {
    struct sheaf_token secret; /* the other host's */
    struct sheaf_greeting hello;
    struct sheaf_attempt {
        struct sheaf_handshake handshake;
        bool is_connected;
        bool is_greeted; /* its challenge has come, and HELLO has been sent */
    } at[SHEAF_INTERFACES];
};

/* text: as the other host's sheaf_listeners_open() wrote it, or anything that another PE wrote. hello: its
 * node, purpose and note are sent. Begins at the addresses that are not tried already. */
void sheaf_attempts_begin(struct sheaf_attempts *attempts, const char *text,
                          const struct sheaf_greeting *hello);
void sheaf_attempts_close(struct sheaf_attempts *attempts);

/* read returns the descriptor of the connection that is welcomed, and closes all others. -1: none. */
void sheaf_attempts_watch(struct sheaf_attempts *attempts, struct sheaf_poll_set *set);
int sheaf_attempts_read(struct sheaf_attempts *attempts, const struct sheaf_poll_set *set,
                        struct sheaf_greeting *welcome);

#endif
