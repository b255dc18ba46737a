/* SPDX-License-Identifier: BSD-3-Clause
 * See guest.h.
 */
#include "boot/launcher/rendezvous/guest.h"

#include "base/clock.h"
#include "base/times.h"

#include <string.h>

void sheaf_guest_open(struct sheaf_guest *guest, int fd, bool is_local)
{
    *guest = (struct sheaf_guest){.since_ns = sheaf_clock_ns(), .is_local = is_local};
    sheaf_channel_open(&guest->channel, fd, sizeof(struct sheaf_message), SHEAF_MESSAGE_JOINS,
                       sheaf_times.host_unanswered);
}

static enum sheaf_guest_state close_guest(struct sheaf_guest *guest)
{
    sheaf_channel_close(&guest->channel);
    return SHEAF_GUEST_CLOSED;
}

static enum sheaf_guest_state refuse_guest(struct sheaf_guest *guest, enum sheaf_refusal refusal,
                                           enum sheaf_refusal *why)
{
    sheaf_message_send(&guest->channel, SHEAF_MESSAGE_REFUSED, refusal, NULL, 0);
    sheaf_channel_close(&guest->channel);
    *why = refusal;
    return SHEAF_GUEST_REFUSED;
}

static enum sheaf_guest_state read_hello(struct sheaf_guest *guest, const struct sheaf_hello *hello,
                                         const char *secret, enum sheaf_refusal *why)
{
    bool has_secret = secret[0] != '\0';
    if (memcmp(hello->magic, SHEAF_HELLO_MAGIC, sizeof hello->magic) != 0)
        return close_guest(guest);
    if (hello->has_secret != has_secret)
        return refuse_guest(guest, has_secret ? SHEAF_REFUSED_WITHOUT_SECRET : SHEAF_REFUSED_ROOT_HAS_NONE,
                            why);
    if (!has_secret && !guest->is_local)
        return refuse_guest(guest, SHEAF_REFUSED_NEITHER, why);
    if (!sheaf_challenge_make(&guest->challenges.root))
        return close_guest(guest);
    guest->challenges.member = hello->challenge;
    guest->has_greeted = true;
    sheaf_message_send(&guest->channel, SHEAF_MESSAGE_CHALLENGE, 0, &guest->challenges.root,
                       sizeof guest->challenges.root);
    return SHEAF_GUEST_WAITS;
}

static enum sheaf_guest_state read_join(struct sheaf_guest *guest, const struct sheaf_join *join,
                                        const char *secret, enum sheaf_refusal *why)
{
    struct sheaf_proof proof;
    guest->joining = join->joining;
    sheaf_proof_of_member(secret, &guest->challenges, &guest->joining, &proof);
    if (!sheaf_proof_is_equal(&join->proof, &proof))
        return refuse_guest(guest, SHEAF_REFUSED_SECRET, why);
    sheaf_proof_of_root(secret, &guest->challenges, &guest->joining, &proof);
    sheaf_message_send(&guest->channel, SHEAF_MESSAGE_WELCOME, 0, &proof, sizeof proof);
    guest->joining.host[sizeof guest->joining.host - 1] = '\0';
    return SHEAF_GUEST_PROVEN;
}

enum sheaf_guest_state sheaf_guest_hear(struct sheaf_guest *guest, const char *secret,
                                        enum sheaf_refusal *why)
{
    struct sheaf_channel *channel = &guest->channel;
    enum sheaf_received received = sheaf_channel_receive(channel);
    if (received == SHEAF_RECEIVED_NOTHING && channel->error == 0)
        return SHEAF_GUEST_WAITS;
    const struct sheaf_message *message = sheaf_message_of(channel);
    bool is_whole = received == SHEAF_RECEIVED_MESSAGE;
    if (is_whole && message->kind == SHEAF_MESSAGE_HELLO && !guest->has_greeted &&
        message->bytes == sizeof(struct sheaf_hello))
        return read_hello(guest, (const struct sheaf_hello *)channel->body, secret, why);
    if (is_whole && message->kind == SHEAF_MESSAGE_JOIN && guest->has_greeted &&
        message->bytes == sizeof(struct sheaf_join))
        return read_join(guest, (const struct sheaf_join *)channel->body, secret, why);
    return close_guest(guest);
}
