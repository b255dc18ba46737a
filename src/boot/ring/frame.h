/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Frames on a connection of the ring: bytes of any length, cut into pieces, one of which is under way at a
 * time. The next goes when the receiver has said that it took the last one: so the kernel of a receiver
 * that is stopped is never full, and its host does not seem to be gone. For ring.c, under its lock.
 */
#ifndef SHEAF_BOOT_RING_FRAME_H
#define SHEAF_BOOT_RING_FRAME_H

#include "hosts/channel.h"

#include <stdint.h>

/* A fresh connection's window is 64 KiB. */
#define SHEAF_FRAME_PIECE 16384

struct sheaf_frames {
    struct sheaf_send_queue waiting; /* lengths, and each one's bytes */
    uint32_t rest;                   /* of the one that is being sent */
    bool is_under_way;               /* a piece that the receiver has not confirmed */
    char *in;                        /* that is being received; NULL: none */
    size_t in_length, in_filled;
};

/* To be sent; false where too much waits already. */
bool sheaf_frames_add(struct sheaf_frames *frames, const void *bytes, uint32_t length);

/* The next piece, which is under way then: its length, and how much of the frame is left behind it.
 * NULL: none may be sent. Valid until the next call. */
const char *sheaf_frames_next(struct sheaf_frames *frames, uint32_t *length, int32_t *left);

/* A piece has come, with so much of its frame behind it. False where that cannot be: nothing more of this
 * sender is to be believed. The frame is whole where in_filled is in_length; the caller takes it out. */
bool sheaf_frames_receive(struct sheaf_frames *frames, const char *bytes, uint32_t length, int32_t left,
                          size_t largest);

void sheaf_frames_free(struct sheaf_frames *frames);

#endif
