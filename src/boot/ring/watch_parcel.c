/* SPDX-License-Identifier: BSD-3-Clause
 * See watch_parcel.h.
 */
#include "boot/ring/watch_parcel.h"

#include <stdlib.h>
#include <string.h>

bool sheaf_watch_parcels_add(struct sheaf_watch_parcels *parcels, const void *bytes, uint32_t length)
{
    struct sheaf_watch_queue *waiting = &parcels->waiting;
    if (length == 0 || length > INT32_MAX ||
        sheaf_watch_queue_length(waiting) > SHEAF_WATCH_MOST_WAITING ||
        !sheaf_watch_queue_reserve(waiting, sizeof length + length))
        return false;
    sheaf_watch_queue_put(waiting, &length, sizeof length);
    sheaf_watch_queue_put(waiting, bytes, length);
    return true;
}

const char *sheaf_watch_parcels_next(struct sheaf_watch_parcels *parcels, int32_t *length, int32_t *left)
{
    struct sheaf_watch_queue *waiting = &parcels->waiting;
    if (parcels->is_under_way || sheaf_watch_queue_length(waiting) == 0)
        return NULL;
    if (parcels->rest == 0)
        memcpy(&parcels->rest, sheaf_watch_queue_take(waiting, sizeof parcels->rest), sizeof parcels->rest);
    *length = parcels->rest < SHEAF_WATCH_PIECE ? (int32_t)parcels->rest : SHEAF_WATCH_PIECE;
    parcels->rest -= (uint32_t)*length;
    *left = (int32_t)parcels->rest;
    parcels->is_under_way = true;
    return sheaf_watch_queue_take(waiting, (size_t)*length);
}

bool sheaf_watch_parcels_expect(struct sheaf_watch_parcels *parcels, int32_t length, int32_t left,
                                size_t largest)
{
    if (length < 1 || length > SHEAF_WATCH_PIECE || left < 0)
        return false;
    size_t all = (size_t)length + (size_t)left;
    if (parcels->in && all != parcels->in_length - parcels->in_filled)
        return false;
    if (!parcels->in) {
        parcels->in = all <= largest ? malloc(all) : NULL;
        parcels->in_length = all;
        parcels->in_filled = 0;
    }
    parcels->piece_left = (size_t)length;
    return parcels->in != NULL;
}

char *sheaf_watch_parcels_place(struct sheaf_watch_parcels *parcels, size_t *room)
{
    *room = parcels->piece_left;
    return parcels->in + parcels->in_filled;
}

bool sheaf_watch_parcels_take(struct sheaf_watch_parcels *parcels, size_t length)
{
    parcels->in_filled += length;
    parcels->piece_left -= length;
    return parcels->piece_left == 0;
}

void sheaf_watch_parcels_free(struct sheaf_watch_parcels *parcels)
{
    sheaf_watch_queue_free(&parcels->waiting);
    free(parcels->in);
    *parcels = (struct sheaf_watch_parcels){0};
}
