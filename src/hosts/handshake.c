/* SPDX-License-Identifier: BSD-3-Clause
 * See handshake.h.
 */
#include "hosts/handshake.h"

#include "base/clock.h"
#include "base/times.h"

#include <errno.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

bool sheaf_tokens_make(struct sheaf_tokens *tokens)
{
    return getrandom(tokens, sizeof *tokens, 0) == sizeof *tokens;
}

static const char *parse_token(const char *text, struct sheaf_token *token)
{
    int used = 0;
    for (size_t i = 0; i < sizeof token->bytes; i++, text += used)
        if (sscanf(text, "%2hhx%n", &token->bytes[i], &used) != 1 || used != 2)
            return NULL;
    return text;
}

const char *sheaf_tokens_parse(const char *text, struct sheaf_tokens *tokens)
{
    const char *rest = parse_token(text, &tokens->hello);
    return rest && *rest == ' ' ? parse_token(rest + 1, &tokens->welcome) : NULL;
}

static int print_token(char *text, const struct sheaf_token *token)
{
    int used = 0;
    for (size_t i = 0; i < sizeof token->bytes; i++)
        used += sprintf(text + used, "%02x", token->bytes[i]);
    return used;
}

void sheaf_tokens_print(char text[SHEAF_TOKENS_TEXT], const struct sheaf_tokens *tokens)
{
    int used = print_token(text, &tokens->hello);
    text[used] = ' ';
    print_token(text + used + 1, &tokens->welcome);
}

bool sheaf_token_is_equal(const void *one, const void *other)
{
    const struct sheaf_token *first = one, *second = other;
    volatile unsigned char differences = 0;
    for (size_t i = 0; i < sizeof first->bytes; i++)
        differences |= first->bytes[i] ^ second->bytes[i];
    return differences == 0;
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

bool sheaf_handshake_send(int fd, const struct sheaf_greeting *greeting)
{
    return send(fd, greeting, sizeof *greeting, MSG_NOSIGNAL | MSG_DONTWAIT) == sizeof *greeting;
}

enum sheaf_handshake_state sheaf_handshake_receive(struct sheaf_handshake *handshake, uint32_t word,
                                                   const struct sheaf_token *token)
{
    struct sheaf_greeting *received = &handshake->received;
    while (handshake->filled < sizeof *received) {
        ssize_t got = recv(handshake->fd, (char *)received + handshake->filled,
                           sizeof *received - handshake->filled, MSG_DONTWAIT);
        if (got < 0 && (errno == EAGAIN || errno == EINTR))
            return SHEAF_HANDSHAKE_WAITS;
        if (got <= 0)
            return SHEAF_HANDSHAKE_FAILED;
        handshake->filled += (size_t)got;
    }
    bool is_token = sheaf_token_is_equal(&received->token, token);
    return is_token && received->word == word ? SHEAF_HANDSHAKE_PROVEN : SHEAF_HANDSHAKE_FAILED;
}

bool sheaf_handshake_is_late(const struct sheaf_handshake *handshake)
{
    return sheaf_clock_ns() - handshake->since_ns > sheaf_times.guest_silent;
}
