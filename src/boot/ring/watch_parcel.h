/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Parcels on a connection of the ring: bytes of any length, cut into pieces, one of which is under way at a
 * time. The next goes when the receiver has said that it took the last one: so the kernel of a receiver
 * that is stopped is never full, and its host does not seem to be gone. For watch_ring.c, under its lock.
 */
#ifndef SHEAF_BOOT_RING_WATCH_PARCEL_H
#define SHEAF_BOOT_RING_WATCH_PARCEL_H

#include "boot/ring/watch_queue.h"

#include <stdint.h>

/* A fresh connection's window is 64 KiB. */
#define SHEAF_WATCH_PIECE 16384
#define SHEAF_WATCH_MOST_WAITING ((size_t)64 << 20) /* bytes that a receiver does not take */

struct sheaf_watch_parcels {
    struct sheaf_watch_queue waiting; /* lengths, and each one's bytes */
    uint32_t rest;                    /* of the one that is being sent */
    bool is_under_way;                /* a piece that the receiver has not confirmed */
    char *in;                         /* that is being received; NULL: none */
    size_t in_length, in_filled;
    size_t piece_left;                /* bytes of the piece that have not come; 0: none is expected */
};

/* To be sent; false where too much waits already. */
bool sheaf_watch_parcels_add(struct sheaf_watch_parcels *parcels, const void *bytes, uint32_t length);

/* The next piece, which is under way then: its length, and how much of the parcel is left behind it.
 * NULL: none may be sent. Valid until the next call. */
const char *sheaf_watch_parcels_next(struct sheaf_watch_parcels *parcels, int32_t *length,
                                     int32_t *left);

/* A piece is announced; false where that cannot be: nothing more of this sender is to be believed. */
bool sheaf_watch_parcels_expect(struct sheaf_watch_parcels *parcels, int32_t length, int32_t left,
                                size_t largest);

/* Where the piece's bytes go, and how many at most; then how many have come. True: that was the last
 * of the piece; of the parcel where in_filled is in_length. */
char *sheaf_watch_parcels_place(struct sheaf_watch_parcels *parcels, size_t *room);
bool sheaf_watch_parcels_take(struct sheaf_watch_parcels *parcels, size_t length);

void sheaf_watch_parcels_free(struct sheaf_watch_parcels *parcels);

#endif
