/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A put as messages: up to 8 bytes in the header, else fragments. All data that a message brings to
 * symmetric memory is stored here too.
 */
#include "engine/message/stream/operation.h"

#include "base/atomic.h"

#include <string.h>

/* A word is stored at once, so a PE that waits for a variable never sees half of one. */
void sheaf_msg_store(unsigned char *dest, const void *source, size_t bytes)
{
    uint64_t word;
    uint32_t half;
    if (bytes == 8 && (uintptr_t)dest % 8 == 0) {
        memcpy(&word, source, 8);
        sheaf_store_relaxed((uint64_t *)dest, word);
    } else if (bytes == 4 && (uintptr_t)dest % 4 == 0) {
        memcpy(&half, source, 4);
        sheaf_store_relaxed((uint32_t *)dest, half);
    } else if (bytes > 0 && dest != source) { /* the transport has stored long data there already */
        memcpy(dest, source, bytes);
    }
}

struct sheaf_msg_word sheaf_msg_word(const void *source, size_t bytes)
{
    struct sheaf_msg_word word = {.bytes = bytes};
    sheaf_msg_store((unsigned char *)&word.value, source, bytes);
    return word;
}

static size_t part_of(const struct sheaf_msg_deferred *put, size_t offset)
{
    return sheaf_msg_next_part(put->peer->longest, put->is_continued ? 0 : put->peer->last_part,
                               put->bytes - offset);
}

/* The header holds the data, so source is not needed any more. Its end is counted nevertheless: that slows
 * a program that puts faster than the network carries. */
static void start_put_word(struct sheaf_msg_worker *worker, const struct sheaf_msg_deferred *put,
                           size_t *remaining)
{
    struct sheaf_msg_operation *operation = sheaf_msg_operation_get(worker, put->peer);
    operation->header.put_word = (struct sheaf_msg_put_word){
        {sheaf_msg_remote(put->peer, put->dest)}, sheaf_msg_word(put->source, put->bytes)};
    sheaf_msg_operation_count(operation, remaining);
    sheaf_msg_count_sent(worker, put->peer);
    sheaf_msg_send_operation(operation, put->peer->link, SHEAF_MSG_PUT_WORD, NULL, 0);
}

void sheaf_msg_start_put(struct sheaf_msg_worker *worker, const struct sheaf_msg_deferred *put,
                         size_t *remaining)
{
    if (put->bytes > 0 && put->bytes <= sizeof(uint64_t)) {
        start_put_word(worker, put, remaining);
        return;
    }
    uint64_t address = sheaf_msg_remote(put->peer, put->dest);
    for (size_t offset = 0, part; offset < put->bytes; offset += part) {
        struct sheaf_msg_operation *operation = sheaf_msg_operation_get(worker, put->peer);
        part = part_of(put, offset);
        bool is_last = offset + part == put->bytes && !put->is_continued;
        operation->header.put = (struct sheaf_msg_put){address + offset};
        sheaf_msg_operation_count(operation, remaining);
        if (is_last)
            sheaf_msg_count_sent(worker, put->peer);
        sheaf_msg_send_operation(operation, put->peer->link,
                                 is_last ? SHEAF_MSG_PUT : SHEAF_MSG_PUT_PART,
                                 (const char *)put->source + offset, part);
    }
}
