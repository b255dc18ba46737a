/* SPDX-License-Identifier: BSD-3-Clause
 * See guest.h.
 */
#include "boot/launcher/rendezvous/guest.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/sanitize.h"
#include "base/times.h"
#include "hosts/admission.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define MOST_ACCEPTS 64 /* at one look */

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
                                        const char *secret, int welcome, enum sheaf_refusal *why)
{
    struct sheaf_proof proof;
    guest->joining = join->joining;
    sheaf_proof_of_member(secret, &guest->challenges, &guest->joining, &proof);
    if (!sheaf_proof_is_equal(&join->proof, &proof))
        return refuse_guest(guest, SHEAF_REFUSED_SECRET, why);
    sheaf_proof_of_root(secret, &guest->challenges, &guest->joining, &proof);
    sheaf_message_send(&guest->channel, SHEAF_MESSAGE_WELCOME, welcome, &proof, sizeof proof);
    guest->joining.host[sizeof guest->joining.host - 1] = '\0';
    return SHEAF_GUEST_PROVEN;
}

enum sheaf_guest_state sheaf_guest_hear(struct sheaf_guest *guest, const char *secret, int welcome,
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
        return read_join(guest, (const struct sheaf_join *)channel->body, secret, welcome, why);
    return close_guest(guest);
}

void sheaf_guest_tell_late(struct sheaf_channel *channel, const struct sheaf_joining *joining,
                           const struct sheaf_rendezvous_plan *plan)
{
    char text[SHEAF_MESSAGE_TEXT];
    snprintf(text, sizeof text,
             "rank %d on host %s (process %d) has come too late to %s: all processes of that job are "
             "connected, and it runs. Give each process a %s of its own, and each job another %s",
             joining->rank, joining->host, joining->pid, plan->root, plan->rank_name, plan->where_name);
    sheaf_sanitize(text, 0);
    sheaf_message_send_end(channel, SHEAF_END_MISSING, 0, text);
    sheaf_channel_close(channel);
}

static void name_guest(const struct sheaf_guest *guest, char text[INET6_ADDRSTRLEN])
{
    struct sockaddr_storage from;
    socklen_t length = sizeof from;
    const struct sockaddr_in *four = (const void *)&from;
    const struct sockaddr_in6 *six = (const void *)&from;
    snprintf(text, INET6_ADDRSTRLEN, "this host");
    if (guest->is_local || getpeername(guest->channel.fd, (struct sockaddr *)&from, &length) != 0)
        return;
    inet_ntop(from.ss_family,
              from.ss_family == AF_INET ? (const void *)&four->sin_addr : &six->sin6_addr, text,
              INET6_ADDRSTRLEN);
}

static void note_refusal(struct sheaf_guests *guests, enum sheaf_refusal refusal,
                         const char from[INET6_ADDRSTRLEN])
{
    const struct sheaf_rendezvous_plan *plan = guests->plan;
    if (guests->refused++ == 0)
        sheaf_warn("SH409 a process on %s was refused at %s: %s; rank %d waits for the right one", from,
                   plan->where,
                   refusal == SHEAF_REFUSED_SECRET
                       ? "it has another secret"
                       : "processes of several hosts or users need one SHEAF_SECRET",
                   plan->rank);
    snprintf(guests->refused_from, sizeof guests->refused_from, "%s", from);
}

size_t sheaf_guests_most(const struct sheaf_rendezvous_plan *plan)
{
    return SHEAF_GUESTS + (size_t)plan->size + SHEAF_CONTACTS;
}

bool sheaf_guests_open(struct sheaf_guests *guests)
{
    guests->most = SHEAF_GUESTS + guests->plan->size;
    guests->guest = calloc((size_t)guests->most, sizeof *guests->guest);
    return guests->guest != NULL;
}

void sheaf_guests_close(struct sheaf_guests *guests)
{
    for (int i = 0; i < guests->most && guests->guest; i++)
        sheaf_channel_close(&guests->guest[i].channel);
    free(guests->guest);
    guests->guest = NULL;
}

static struct sheaf_guest *find_guest(struct sheaf_guests *guests, bool is_free)
{
    struct sheaf_guest *found = NULL;
    for (struct sheaf_guest *guest = guests->guest; guest < guests->guest + guests->most; guest++)
        if (guest->channel.is_open != is_free && (!found || guest->since_ns < found->since_ns))
            found = guest;
    return found;
}

/* The one that has waited longest makes room for the next. */
static bool drop_guest(struct sheaf_guests *guests)
{
    struct sheaf_guest *oldest = find_guest(guests, false);
    if (oldest)
        sheaf_channel_close(&oldest->channel);
    return oldest != NULL;
}

/* Without a free descriptor the oldest guest gives way, or the listeners pause. */
static void accept_guests(struct sheaf_guests *guests, int listener)
{
    struct sheaf_listeners *listeners = guests->listeners;
    for (int i = 0; i < MOST_ACCEPTS; i++) {
        int fd = sheaf_interface_accept(listeners->fd[listener]);
        if (fd < 0) {
            guests->lacks_files |= errno == EMFILE;
            if (errno != EAGAIN && !drop_guest(guests))
                guests->paused_until_ns = sheaf_clock_ns() + sheaf_times.listener_pauses;
            return;
        }
        if (listeners->is_local[listener] && !sheaf_contact_is_own(fd)) {
            close(fd);
            continue;
        }
        struct sheaf_guest *guest = find_guest(guests, true);
        if (!guest && drop_guest(guests))
            guest = find_guest(guests, true);
        sheaf_guest_open(guest, fd, listeners->is_local[listener]);
    }
}

void sheaf_guests_watch(struct sheaf_guests *guests, struct sheaf_poll_set *set)
{
    bool is_paused = sheaf_clock_ns() < guests->paused_until_ns;
    for (int i = 0; i < guests->listeners->count; i++)
        guests->places[i] = is_paused ? -1 : sheaf_poll_set_add(set, guests->listeners->fd[i], POLLIN);
    for (int i = 0; i < guests->most; i++)
        sheaf_channel_watch(&guests->guest[i].channel, set, true);
}

static bool hear_guest(struct sheaf_guests *guests, struct sheaf_guest *guest,
                       bool (*admit)(void *user, struct sheaf_guest *guest), void *user)
{
    char from[INET6_ADDRSTRLEN];
    enum sheaf_refusal why;
    bool goes_on = true;
    name_guest(guest, from);
    switch (sheaf_guest_hear(guest, guests->plan->secret, guests->welcome, &why)) {
    case SHEAF_GUEST_REFUSED:
        note_refusal(guests, why, from);
        break;
    case SHEAF_GUEST_PROVEN:
        goes_on = admit(user, guest);
        sheaf_channel_close(&guest->channel); /* unless it was taken */
        break;
    default:
        break;
    }
    return goes_on;
}

void sheaf_guests_look(struct sheaf_guests *guests, const struct sheaf_poll_set *set,
                       bool (*admit)(void *user, struct sheaf_guest *guest), void *user)
{
    for (int i = 0; i < guests->most; i++) {
        struct sheaf_guest *guest = &guests->guest[i];
        if (guest->channel.is_open && sheaf_poll_set_events(set, guest->channel.place, guest->channel.fd) &&
            !hear_guest(guests, guest, admit, user))
            return;
        if (guest->channel.is_open && sheaf_clock_ns() - guest->since_ns > sheaf_times.guest_silent)
            sheaf_channel_close(&guest->channel);
    }
    for (int i = 0; i < guests->listeners->count; i++)
        if (sheaf_poll_set_events(set, guests->places[i], guests->listeners->fd[i]))
            accept_guests(guests, i);
}
