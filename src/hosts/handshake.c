/* SPDX-License-Identifier: BSD-3-Clause
 * See handshake.h.
 */
#include "hosts/handshake.h"

#include "base/clock.h"
#include "base/sha256.h"
#include "base/times.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

bool sheaf_token_make(struct sheaf_token *token)
{
    return getrandom(token, sizeof *token, 0) == sizeof *token;
}

const char *sheaf_token_parse(const char *text, struct sheaf_token *token)
{
    int used = 0;
    for (size_t i = 0; i < sizeof token->bytes; i++, text += used)
        if (sscanf(text, "%2hhx%n", &token->bytes[i], &used) != 1 || used != 2)
            return NULL;
    return text;
}

void sheaf_token_print(char text[SHEAF_TOKEN_TEXT], const struct sheaf_token *token)
{
    int used = 0;
    for (size_t i = 0; i < sizeof token->bytes; i++)
        used += sprintf(text + used, "%02x", token->bytes[i]);
}

bool sheaf_token_is_equal(const void *one, const void *other)
{
    return sheaf_proof_bytes_are_equal(one, other, sizeof(struct sheaf_token));
}

void sheaf_handshake_begin(struct sheaf_handshake *handshake, int fd)
{
    *handshake = (struct sheaf_handshake){
        .is_open = true, .fd = fd, .place = -1, .since_ns = sheaf_clock_ns()};
}

void sheaf_handshake_close(struct sheaf_handshake *handshake)
{
    if (handshake->is_open)
        close(handshake->fd);
    handshake->is_open = false;
}

static bool send_bytes(const struct sheaf_handshake *handshake, const void *bytes, size_t length)
{
    return send(handshake->fd, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)length;
}

bool sheaf_handshake_challenge(struct sheaf_handshake *handshake)
{
    return sheaf_token_make(&handshake->listener) &&
           send_bytes(handshake, &handshake->listener, sizeof handshake->listener);
}

struct sheaf_token sheaf_handshake_prove(const struct sheaf_handshake *handshake,
                                         const struct sheaf_greeting *greeting,
                                         const struct sheaf_token *secret)
{
    unsigned char digest[SHEAF_SHA256_BYTES];
    struct sheaf_token proof;
    struct {
        struct sheaf_token listener;
        struct sheaf_greeting greeting; /* without its proof */
    } text = {handshake->listener, *greeting};
    memset(&text.greeting.proof, 0, sizeof text.greeting.proof);
    sheaf_hmac_sha256(secret, sizeof *secret, &text, sizeof text, digest);
    memcpy(&proof, digest, sizeof proof);
    return proof;
}

bool sheaf_handshake_send(struct sheaf_handshake *handshake, struct sheaf_greeting greeting,
                          const struct sheaf_token *secret)
{
    if (greeting.word == SHEAF_HELLO && !sheaf_token_make(&handshake->caller))
        return false;
    greeting.challenge = handshake->caller;
    greeting.proof = sheaf_handshake_prove(handshake, &greeting, secret);
    return send_bytes(handshake, &greeting, sizeof greeting);
}

/* PROVEN: all bytes are there. */
static enum sheaf_handshake_state receive_bytes(struct sheaf_handshake *handshake, void *bytes,
                                                size_t length)
{
    while (handshake->filled < length) {
        ssize_t got = recv(handshake->fd, (char *)bytes + handshake->filled, length - handshake->filled,
                           MSG_DONTWAIT);
        if (got < 0 && (errno == EAGAIN || errno == EINTR))
            return SHEAF_HANDSHAKE_WAITS;
        if (got <= 0)
            return SHEAF_HANDSHAKE_FAILED;
        handshake->filled += (size_t)got;
    }
    handshake->filled = 0;
    return SHEAF_HANDSHAKE_PROVEN;
}

enum sheaf_handshake_state sheaf_handshake_receive_challenge(struct sheaf_handshake *handshake)
{
    return receive_bytes(handshake, &handshake->listener, sizeof handshake->listener);
}

enum sheaf_handshake_state sheaf_handshake_receive(struct sheaf_handshake *handshake, uint32_t word,
                                                   const struct sheaf_token *secret)
{
    struct sheaf_greeting *received = &handshake->received;
    enum sheaf_handshake_state state = receive_bytes(handshake, received, sizeof *received);
    if (state != SHEAF_HANDSHAKE_PROVEN)
        return state;
    bool is_ours = word == SHEAF_HELLO || sheaf_token_is_equal(&received->challenge, &handshake->caller);
    struct sheaf_token proof = sheaf_handshake_prove(handshake, received, secret);
    bool is_proven = sheaf_token_is_equal(&received->proof, &proof);
    if (!is_proven || !is_ours || received->word != word)
        return SHEAF_HANDSHAKE_FAILED;
    handshake->caller = received->challenge;
    return SHEAF_HANDSHAKE_PROVEN;
}

bool sheaf_handshake_is_late(const struct sheaf_handshake *handshake)
{
    return sheaf_clock_ns() - handshake->since_ns > sheaf_times.guest_silent;
}
