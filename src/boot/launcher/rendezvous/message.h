/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The messages of a rendezvous: a head, and a body of as many bytes as it says. Hosts of one job
 * are alike: no byte is swapped.
 */
#ifndef SHEAF_BOOT_LAUNCHER_RENDEZVOUS_MESSAGE_H
#define SHEAF_BOOT_LAUNCHER_RENDEZVOUS_MESSAGE_H

#include "hosts/channel.h"

#include <stdint.h>

enum sheaf_message_kind {
    SHEAF_MESSAGE_HELLO = 1, /* to the root: struct sheaf_hello */
    SHEAF_MESSAGE_CHALLENGE, /* from it: struct sheaf_challenge */
    SHEAF_MESSAGE_REFUSED,   /* value: enum sheaf_refusal */
    SHEAF_MESSAGE_JOIN,      /* to the root: struct sheaf_join */
    SHEAF_MESSAGE_WELCOME,   /* from it: struct sheaf_proof */
    SHEAF_MESSAGE_START, /* all are there. value: the lowest rank on the receiver's host; pe: the
                            root's */
    SHEAF_MESSAGE_END,   /* the job does not start. Body: why; value: enum sheaf_end_reason */
    SHEAF_MESSAGE_FENCE, /* to the root: the entries (key_values.h) of the sender since its last fence */
    SHEAF_MESSAGE_RELEASE, /* from it: of each rank a uint32_t, and as many bytes of entries */
    SHEAF_MESSAGE_ABORT,   /* in both directions: the job ends, value is its status */
    SHEAF_MESSAGE_CLOSE    /* in both directions: the sender ends in order */
};

/* Why a process may not join, before it has shown the secret. */
enum sheaf_refusal {
    SHEAF_REFUSED_NO_REASON,
    SHEAF_REFUSED_WITHOUT_SECRET, /* the root has one, the process none */
    SHEAF_REFUSED_ROOT_HAS_NONE,  /* the other way round */
    SHEAF_REFUSED_NEITHER,        /* and they are not of one user on one host */
    SHEAF_REFUSED_SECRET          /* they differ */
};

/* The number of the line that the receiver prints. */
enum sheaf_end_reason {
    SHEAF_END_SILENT = 0, /* another process of its host does */
    SHEAF_END_MISSING = 408,
    SHEAF_END_MISMATCH = 410,
    SHEAF_END_DEATH = 609
};

struct sheaf_message {
    uint32_t bytes; /* of the body */
    uint32_t kind;
    int32_t value;
    int32_t pe; /* of START */
};
_Static_assert(sizeof(struct sheaf_message) <= SHEAF_CHANNEL_HEAD, "heads of channels");

#define SHEAF_MESSAGE_TEXT   600               /* bytes of an END's body at most */
#define SHEAF_MESSAGE_JOINS  1024              /* of any body before START */
#define SHEAF_MESSAGE_FENCES ((size_t)1 << 20) /* of what one process puts before a fence */

/* Without effect on a channel that is not open. */
void sheaf_message_send(struct sheaf_channel *channel, enum sheaf_message_kind kind, int value,
                        const void *body, size_t bytes);

/* Prints why the job does not start. */
void sheaf_message_print_end(enum sheaf_end_reason reason, const char *text);

static inline const struct sheaf_message *sheaf_message_of(const struct sheaf_channel *channel)
{
    return (const struct sheaf_message *)channel->head;
}

#endif
