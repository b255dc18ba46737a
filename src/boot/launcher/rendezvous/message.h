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
    SHEAF_MESSAGE_WELCOME,   /* from it: struct sheaf_proof. value: 0, or a branch's rank and 1 */
    SHEAF_MESSAGE_LEAF,      /* a branch to the root: struct sheaf_joining of a process that has come to the
                                branch. value: its number there, from 1 */
    SHEAF_MESSAGE_LEAF_LOST, /* likewise, before START: the one of that number has died */
    SHEAF_MESSAGE_START, /* all are there. value: the lowest rank on the receiver's host; pe: the sender's
                            rank. Body, for a branch: struct sheaf_leaf_start of each that is in the job */
    SHEAF_MESSAGE_END,   /* the job does not start. Body: why; value: enum sheaf_end_reason; pe: 0, or to a
                            branch: the number of the one that this is for */
    SHEAF_MESSAGE_FENCE,   /* upwards: struct sheaf_fenced and the entries (key_values.h), of each rank */
    SHEAF_MESSAGE_RELEASE, /* downwards: of each rank a uint32_t, and as many bytes of entries */
    SHEAF_MESSAGE_DIED,    /* upwards, while the job runs: the rank that has died, as value */
    SHEAF_MESSAGE_ABORT,   /* in both directions: the job ends, value is its status */
    SHEAF_MESSAGE_CLOSE    /* in both directions: the sender ends in order, or has no root any more */
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
    int32_t pe; /* of START and END */
};
_Static_assert(sizeof(struct sheaf_message) <= SHEAF_CHANNEL_HEAD, "heads of channels");

struct sheaf_leaf_start {
    int32_t number, lowest_near;
};

/* Of one rank in a fence; as many bytes follow. */
struct sheaf_fenced {
    uint32_t rank, bytes;
};

#define SHEAF_MESSAGE_TEXT   600               /* bytes of an END's body at most */
#define SHEAF_MESSAGE_JOINS  1024              /* of any body before START, but a branch's START */
#define SHEAF_MESSAGE_FENCES ((size_t)1 << 20) /* of what one process puts before a fence */

/* The most bytes of a body of which each of so many ranks has a part. */
size_t sheaf_message_most(int ranks);

/* Without effect on a channel that is not open. */
void sheaf_message_send(struct sheaf_channel *channel, enum sheaf_message_kind kind, int value,
                        const void *body, size_t bytes);

/* An END: number as pe above. */
void sheaf_message_send_end(struct sheaf_channel *channel, enum sheaf_end_reason reason, int number,
                            const char *text);

/* Prints why the job does not start. */
void sheaf_message_print_end(enum sheaf_end_reason reason, const char *text);

static inline const struct sheaf_message *sheaf_message_of(const struct sheaf_channel *channel)
{
    return (const struct sheaf_message *)channel->head;
}

#endif
