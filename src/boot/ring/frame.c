/* SPDX-License-Identifier: BSD-3-Clause
 * See frame.h.
 */
#include "boot/ring/frame.h"

#include <stdlib.h>
#include <string.h>

bool sheaf_frames_add(struct sheaf_frames *frames, const void *bytes, uint32_t length)
{
    struct sheaf_send_queue *waiting = &frames->waiting;
    return length > 0 && length <= INT32_MAX &&
           sheaf_send_queue_length(waiting) <= SHEAF_CHANNEL_MOST_WAITING &&
           sheaf_send_queue_put(waiting, &length, sizeof length, bytes, length);
}

const char *sheaf_frames_next(struct sheaf_frames *frames, uint32_t *length, int32_t *left)
{
    struct sheaf_send_queue *waiting = &frames->waiting;
    if (frames->is_under_way || sheaf_send_queue_length(waiting) == 0)
        return NULL;
    if (frames->rest == 0)
        memcpy(&frames->rest, sheaf_send_queue_take(waiting, sizeof frames->rest), sizeof frames->rest);
    *length = frames->rest < SHEAF_FRAME_PIECE ? frames->rest : SHEAF_FRAME_PIECE;
    frames->rest -= *length;
    *left = (int32_t)frames->rest;
    frames->is_under_way = true;
    return sheaf_send_queue_take(waiting, *length);
}

bool sheaf_frames_receive(struct sheaf_frames *frames, const char *bytes, uint32_t length, int32_t left,
                          size_t largest)
{
    if (length < 1 || left < 0)
        return false;
    size_t all = (size_t)length + (size_t)left;
    if (frames->in && all != frames->in_length - frames->in_filled)
        return false;
    if (!frames->in) {
        frames->in = all <= largest ? malloc(all) : NULL;
        frames->in_length = all;
        frames->in_filled = 0;
    }
    if (!frames->in)
        return false;
    memcpy(frames->in + frames->in_filled, bytes, length);
    frames->in_filled += length;
    return true;
}

void sheaf_frames_free(struct sheaf_frames *frames)
{
    sheaf_send_queue_free(&frames->waiting);
    free(frames->in);
    *frames = (struct sheaf_frames){.in = NULL};
}
