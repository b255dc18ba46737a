/* SPDX-License-Identifier: BSD-3-Clause
 * See attempts.h.
 */
#include "hosts/attempts.h"

#include "base/times.h"

#include <stdio.h>
#include <sys/socket.h>

/* What a launcher hands over is text that anybody of the job wrote: more addresses than a host has are not
 * looked at. */
void sheaf_attempts_begin(struct sheaf_attempts *attempts, const char *text,
                          const struct sheaf_greeting *hello)
{
    char address[INET6_ADDRSTRLEN];
    int port, used;
    const char *at = sheaf_token_parse(text, &attempts->secret);
    attempts->hello = *hello;
    attempts->hello.word = SHEAF_HELLO;
    for (int i = 0; at && i < SHEAF_INTERFACES; i++, at += used) {
        if (sscanf(at, " %45s %d%n", address, &port, &used) != 2 || port < 1 || port > 65535)
            break;
        struct sheaf_attempt *attempt = &attempts->at[i];
        int fd = attempt->handshake.is_open ? -1 : sheaf_interface_connect(address, port);
        if (fd < 0)
            continue;
        sheaf_interface_keep_asking(fd, sheaf_times.host_unanswered);
        sheaf_handshake_begin(&attempt->handshake, fd);
        attempt->is_connected = attempt->is_greeted = false;
    }
}

void sheaf_attempts_close(struct sheaf_attempts *attempts)
{
    for (int i = 0; i < SHEAF_INTERFACES; i++)
        sheaf_handshake_close(&attempts->at[i].handshake);
}

void sheaf_attempts_watch(struct sheaf_attempts *attempts, struct sheaf_poll_set *set)
{
    for (struct sheaf_attempt *attempt = attempts->at; attempt < attempts->at + SHEAF_INTERFACES; attempt++)
        if (attempt->handshake.is_open)
            attempt->handshake.place =
                sheaf_poll_set_add(set, attempt->handshake.fd, attempt->is_connected ? POLLIN : POLLOUT);
}

static bool note_connected(struct sheaf_attempt *attempt)
{
    int error = 0;
    socklen_t length = sizeof error;
    attempt->is_connected =
        getsockopt(attempt->handshake.fd, SOL_SOCKET, SO_ERROR, &error, &length) == 0 && error == 0;
    return attempt->is_connected;
}

/* Answers the challenge, once it has come. */
static enum sheaf_handshake_state greet(const struct sheaf_attempts *attempts,
                                        struct sheaf_attempt *attempt)
{
    enum sheaf_handshake_state state = sheaf_handshake_receive_challenge(&attempt->handshake);
    if (state != SHEAF_HANDSHAKE_PROVEN)
        return state;
    attempt->is_greeted = sheaf_handshake_send(&attempt->handshake, attempts->hello, &attempts->secret);
    return attempt->is_greeted ? SHEAF_HANDSHAKE_WAITS : SHEAF_HANDSHAKE_FAILED;
}

/* Whether WELCOME has come. */
static bool read_attempt(struct sheaf_attempts *attempts, struct sheaf_attempt *attempt)
{
    enum sheaf_handshake_state state = SHEAF_HANDSHAKE_FAILED;
    if (attempt->is_greeted)
        state = sheaf_handshake_receive(&attempt->handshake, SHEAF_WELCOME, &attempts->secret);
    else if (attempt->is_connected)
        state = greet(attempts, attempt);
    else if (note_connected(attempt))
        state = SHEAF_HANDSHAKE_WAITS;
    if (state == SHEAF_HANDSHAKE_FAILED)
        sheaf_handshake_close(&attempt->handshake);
    return state == SHEAF_HANDSHAKE_PROVEN;
}

int sheaf_attempts_read(struct sheaf_attempts *attempts, const struct sheaf_poll_set *set,
                        struct sheaf_greeting *welcome)
{
    for (int i = 0; i < SHEAF_INTERFACES; i++) {
        struct sheaf_handshake *handshake = &attempts->at[i].handshake;
        if (!handshake->is_open || !sheaf_poll_set_events(set, handshake->place, handshake->fd) ||
            !read_attempt(attempts, &attempts->at[i]))
            continue;
        *welcome = handshake->received;
        handshake->is_open = false;
        sheaf_attempts_close(attempts);
        return handshake->fd;
    }
    return -1;
}
