/* SPDX-License-Identifier: BSD-3-Clause
 * See message.h.
 */
#include "boot/launcher/rendezvous/message.h"

#include "base/log.h"

#include <string.h>

void sheaf_message_send(struct sheaf_channel *channel, enum sheaf_message_kind kind, int value,
                        const void *body, size_t bytes)
{
    const struct sheaf_message head = {.bytes = (uint32_t)bytes, .kind = kind, .value = value};
    if (channel->is_open)
        sheaf_channel_send(channel, &head, body);
}

void sheaf_message_send_end(struct sheaf_channel *channel, enum sheaf_end_reason reason, int number,
                            const char *text)
{
    const struct sheaf_message head = {.bytes = (uint32_t)strlen(text), .kind = SHEAF_MESSAGE_END,
                                       .value = (int32_t)reason, .pe = number};
    if (channel->is_open)
        sheaf_channel_send(channel, &head, text);
}

size_t sheaf_message_most(int ranks)
{
    size_t part = SHEAF_MESSAGE_FENCES + sizeof(struct sheaf_fenced);
    return (size_t)ranks < UINT32_MAX / part ? (size_t)ranks * part : UINT32_MAX;
}

void sheaf_message_print_end(enum sheaf_end_reason reason, const char *text)
{
    switch (reason) {
    case SHEAF_END_SILENT:
        break;
    case SHEAF_END_MISSING:
        sheaf_error("SH408 %s", text);
        break;
    case SHEAF_END_DEATH:
        sheaf_error("SH609 %s", text);
        break;
    default:
        sheaf_error("SH410 %s", text);
        break;
    }
}
