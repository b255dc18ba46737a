/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One connection of the ring: what it has said, what it is to be told, whole messages in and out. For
 * watch_ring.c, under its lock, which decides what a message means.
 */
#ifndef SHEAF_BOOT_RING_WATCH_LINK_H
#define SHEAF_BOOT_RING_WATCH_LINK_H

#include "boot/ring/token.h"
#include "boot/ring/watch_parcel.h"

#include <stdint.h>
#include <sys/types.h>

/* Beside the words of watch_ring.h. */
enum {
    SHEAF_WATCH_HELLO = 16,
    SHEAF_WATCH_WELCOME,
    SHEAF_WATCH_PIECE_OF_PARCEL, /* its bytes follow */
    SHEAF_WATCH_TAKEN            /* the last one has been taken in */
};

/* All that ever travels, but for a parcel's own bytes. Hosts of one job are alike: no byte is swapped. */
struct sheaf_watch_message {
    struct sheaf_token token; /* of HELLO and WELCOME */
    uint32_t word;
    int32_t node;             /* the sender's */
    int32_t pe;               /* of ENDING: who ends the job; of a piece: bytes of the parcel behind it */
    int32_t how;              /* see boot/end/end.h; of a piece: its bytes, which follow */
};

enum sheaf_watch_stage {
    SHEAF_WATCH_FREE,
    SHEAF_WATCH_LISTENING,
    SHEAF_WATCH_CONNECTING, /* to the next node */
    SHEAF_WATCH_GREETING,   /* HELLO sent, WELCOME awaited */
    SHEAF_WATCH_GUEST,      /* accepted, HELLO awaited */
    SHEAF_WATCH_JOINED
};

struct sheaf_watch_link {
    enum sheaf_watch_stage stage;
    int fd;
    int node;          /* the other side's */
    bool is_outgoing;  /* I connected */
    int place;         /* to this one of the other's addresses */
    bool is_held;      /* its end is news */
    int end_pe;        /* whose end of the job the other side knows of; -1: nobody's */
    uint64_t since_ns; /* when it was made */
    size_t filled;     /* bytes of in */
    struct sheaf_watch_message in;
    struct sheaf_watch_parcels parcels;
    struct sheaf_watch_queue out; /* messages and pieces that the kernel has not taken */
};

/* Closes it. */
void sheaf_watch_link_drop(struct sheaf_watch_link *link);

/* What to poll for. */
short sheaf_watch_link_events(const struct sheaf_watch_link *link);

/* Sends, and what waits before it, as far as the kernel takes it; false when the connection has ended. */
bool sheaf_watch_link_post(struct sheaf_watch_link *link, const struct sheaf_watch_message *message);
bool sheaf_watch_link_flush(struct sheaf_watch_link *link);

/* Sends a parcel, as the other side takes it. node: of this side. */
bool sheaf_watch_link_post_parcel(struct sheaf_watch_link *link, int node, const void *bytes,
                                  uint32_t length);

/* Takes in what has come, up to the end of a message or a parcel. */
enum sheaf_watch_heard {
    SHEAF_WATCH_HEARD_NOTHING,
    SHEAF_WATCH_HEARD_SOME,    /* there may be more */
    SHEAF_WATCH_HEARD_MESSAGE, /* in */
    SHEAF_WATCH_HEARD_PARCEL,  /* parcels.in, which the caller takes out */
    SHEAF_WATCH_HEARD_END,     /* of the connection, in order */
    SHEAF_WATCH_HEARD_ERROR    /* errno */
};
enum sheaf_watch_heard sheaf_watch_link_hear(struct sheaf_watch_link *link);

/* For a message about parcels on a connection that has joined; false: it is none, or cannot be. */
bool sheaf_watch_link_heed_parcels(struct sheaf_watch_link *link, int node, size_t largest);

#endif
