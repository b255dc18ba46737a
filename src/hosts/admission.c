/* SPDX-License-Identifier: BSD-3-Clause
 * See admission.h.
 */
#include "hosts/admission.h"

#include "base/clock.h"
#include "base/times.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#define MOST_ACCEPTS 32  /* at one look: then what else there is */

static void listen_on_all(struct sheaf_admission *admission, int backlog, char *address)
{
    char interfaces[SHEAF_INTERFACES][INET6_ADDRSTRLEN];
    int count = sheaf_interface_list(interfaces);
    size_t used = SHEAF_TOKEN_TEXT - 1;
    for (int i = 0; i < count; i++) {
        int port = 0, fd = sheaf_interface_listen(interfaces[i], backlog, &port);
        if (fd < 0)
            continue;
        admission->listening[admission->listeners++] = fd;
        used += (size_t)snprintf(address + used, SHEAF_ADMISSION_ADDRESS - used, " %s %d",
                                 interfaces[i], port);
    }
}

static bool prepare(struct sheaf_admission *admission, int most, const struct sheaf_admission_user *user)
{
    *admission = (struct sheaf_admission){.user = user, .welcome.word = SHEAF_WELCOME,
                                          .most_guests = SHEAF_GUESTS + most};
    admission->guests = calloc((size_t)admission->most_guests, sizeof *admission->guests);
    return admission->guests != NULL;
}

int sheaf_admission_open_on(struct sheaf_admission *admission, const int *listeners, int count, int most,
                            const struct sheaf_token *secret, const struct sheaf_admission_user *user)
{
    if (!prepare(admission, most, user)) {
        *admission = (struct sheaf_admission){0};
        return -1;
    }
    admission->secret = *secret;
    while (admission->listeners < count) {
        admission->listening[admission->listeners] = listeners[admission->listeners];
        admission->listeners++;
    }
    return 0;
}

int sheaf_admission_open(struct sheaf_admission *admission, int hosts,
                         const struct sheaf_admission_user *user, char address[SHEAF_ADMISSION_ADDRESS])
{
    if (!prepare(admission, hosts, user) || !sheaf_token_make(&admission->secret))
        return -1;
    sheaf_token_print(address, &admission->secret);
    listen_on_all(admission, SHEAF_BACKLOG + hosts, address);
    if (sheaf_admission_is_open(admission))
        return 0;
    sheaf_admission_close(admission);
    errno = EADDRNOTAVAIL;
    return -1;
}

void sheaf_admission_close(struct sheaf_admission *admission)
{
    for (int i = 0; i < admission->most_guests; i++)
        sheaf_handshake_close(&admission->guests[i]);
    while (admission->listeners > 0)
        close(admission->listening[--admission->listeners]);
    free(admission->guests);
    admission->guests = NULL;
    admission->most_guests = 0;
}

bool sheaf_admission_is_open(const struct sheaf_admission *admission)
{
    return admission->listeners > 0;
}

size_t sheaf_admission_most(const struct sheaf_admission *admission)
{
    return (size_t)(admission->listeners + admission->most_guests);
}

void sheaf_admission_watch(struct sheaf_admission *admission, struct sheaf_poll_set *set)
{
    bool is_paused = sheaf_clock_ns() < admission->paused_until_ns;
    for (int i = 0; i < admission->listeners; i++)
        admission->places[i] = is_paused ? -1 : sheaf_poll_set_add(set, admission->listening[i], POLLIN);
    for (int i = 0; i < admission->most_guests; i++) {
        struct sheaf_handshake *guest = &admission->guests[i];
        if (guest->is_open)
            guest->place = sheaf_poll_set_add(set, guest->fd, POLLIN);
    }
}

static bool admit_guest(struct sheaf_admission *admission, struct sheaf_handshake *guest)
{
    const struct sheaf_greeting hello = guest->received;
    admission->welcome.purpose = hello.purpose;
    if (!admission->user->expects(&hello) ||
        !sheaf_handshake_send(guest, admission->welcome, &admission->secret))
        return false;
    guest->is_open = false;
    admission->user->admitted(guest->fd, &hello);
    return true;
}

static void hear_guest(struct sheaf_admission *admission, struct sheaf_handshake *guest)
{
    enum sheaf_handshake_state state = sheaf_handshake_receive(guest, SHEAF_HELLO, &admission->secret);
    if (state == SHEAF_HANDSHAKE_FAILED ||
        (state == SHEAF_HANDSHAKE_PROVEN && !admit_guest(admission, guest)))
        sheaf_handshake_close(guest);
}

static struct sheaf_handshake *oldest_guest(struct sheaf_admission *admission)
{
    struct sheaf_handshake *oldest = NULL;
    for (int i = 0; i < admission->most_guests; i++) {
        struct sheaf_handshake *guest = &admission->guests[i];
        if (guest->is_open && (!oldest || guest->since_ns < oldest->since_ns))
            oldest = guest;
    }
    return oldest;
}

static struct sheaf_handshake *free_guest(struct sheaf_admission *admission)
{
    for (int i = 0; i < admission->most_guests; i++)
        if (!admission->guests[i].is_open)
            return &admission->guests[i];
    return NULL;
}

/* Its HELLO may just have come. Of a guest that is admitted the user may have closed all this. */
static void drop_oldest_guest(struct sheaf_admission *admission)
{
    struct sheaf_handshake *oldest = oldest_guest(admission);
    if (oldest)
        hear_guest(admission, oldest);
    if (sheaf_admission_is_open(admission) && oldest)
        sheaf_handshake_close(oldest);
}

/* A connection, or -1: none can be had now. Without a free descriptor the oldest guest gives way, and
 * where none does the listeners pause. Who has connected waits in the kernel. */
static int accept_one(struct sheaf_admission *admission, int listener)
{
    int fd = sheaf_interface_accept(admission->listening[listener]);
    if (fd >= 0 || errno == EAGAIN)
        return fd;
    drop_oldest_guest(admission);
    if (!sheaf_admission_is_open(admission))
        return -1;
    fd = sheaf_interface_accept(admission->listening[listener]);
    if (fd < 0)
        admission->paused_until_ns = sheaf_clock_ns() + sheaf_times.listener_pauses;
    return fd;
}

static void accept_some(struct sheaf_admission *admission, int listener)
{
    for (int i = 0; i < MOST_ACCEPTS && sheaf_admission_is_open(admission); i++) {
        int fd = accept_one(admission, listener);
        if (fd < 0)
            return;
        if (!free_guest(admission))
            drop_oldest_guest(admission);
        if (!sheaf_admission_is_open(admission)) {
            close(fd);
            return;
        }
        struct sheaf_handshake *guest = free_guest(admission);
        sheaf_handshake_begin(guest, fd);
        if (!sheaf_handshake_challenge(guest))
            sheaf_handshake_close(guest);
    }
}

void sheaf_admission_read(struct sheaf_admission *admission, const struct sheaf_poll_set *set)
{
    for (int i = 0; i < admission->most_guests; i++) {
        struct sheaf_handshake *guest = &admission->guests[i];
        if (guest->is_open && sheaf_poll_set_events(set, guest->place, guest->fd))
            hear_guest(admission, guest);
    }
    for (int i = 0; i < admission->listeners; i++)
        if (sheaf_poll_set_events(set, admission->places[i], admission->listening[i]))
            accept_some(admission, i);
    for (int i = 0; i < admission->most_guests; i++)
        if (admission->guests[i].is_open && sheaf_handshake_is_late(&admission->guests[i]))
            sheaf_handshake_close(&admission->guests[i]);
}
