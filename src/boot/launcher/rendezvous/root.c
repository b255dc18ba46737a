/* SPDX-License-Identifier: BSD-3-Clause
 * See root.h. Who connects is a guest (guest.h) until it has shown the secret, and then a peer.
 */
#include "boot/launcher/rendezvous/root.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/os/host.h"
#include "base/tame.h"
#include "base/times.h"
#include "boot/launcher/rendezvous/guest.h"
#include "boot/launcher/rendezvous/message.h"
#include "boot/world/pe_record.h"
#include "hosts/admission.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define MOST_ACCEPTS 64 /* at one look */
#define SPARE_FILES  64 /* descriptors for the program and the library, beside those of peers */

struct gathering {
    struct sheaf_rendezvous_plan *plan;
    struct sheaf_listeners *listeners;
    struct sheaf_rendezvous_peer *peers;
    struct sheaf_guest *guests;
    int most_guests, joined, refused;    /* refused: with another secret */
    char refused_from[INET6_ADDRSTRLEN]; /* the last one */
    uint64_t paused_until_ns;
    bool has_failed;
    struct sheaf_poll_set set;
    int places[SHEAF_CONTACTS]; /* of listeners in it */
};

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

/* The lowest rank of each other host says it as well, and so does the process itself that is the
 * reason. */
static void end_peers(struct gathering *gathering, enum sheaf_end_reason reason, const char *text)
{
    struct sheaf_rendezvous_peer *peers = gathering->peers;
    int own = gathering->plan->rank;
    for (int rank = 0; rank < gathering->plan->size; rank++) {
        bool is_first = peers[rank].has_joined && rank != own;
        for (int other = 0; other < gathering->plan->size && is_first; other++)
            is_first = !peers[other].has_joined || (other >= rank && other != own) ||
                       peers[other].joining.identity != peers[rank].joining.identity;
        sheaf_message_send(&peers[rank].channel, SHEAF_MESSAGE_END,
                           is_first ? reason : SHEAF_END_SILENT, text, strlen(text));
        sheaf_channel_close(&peers[rank].channel);
    }
}

__attribute__((format(printf, 4, 5))) static void end_gathering(struct gathering *gathering,
                                                                struct sheaf_guest *cause,
                                                                enum sheaf_end_reason reason,
                                                                const char *format, ...)
{
    char text[SHEAF_MESSAGE_TEXT];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    sheaf_tame(text, 0);
    sheaf_message_print_end(reason, text);
    if (cause)
        sheaf_message_send(&cause->channel, SHEAF_MESSAGE_END, reason, text, strlen(text));
    end_peers(gathering, reason, text);
    gathering->has_failed = true;
}

/* What it says of itself has been proven; is it what this job lacks? */
static void admit_guest(struct gathering *gathering, struct sheaf_guest *guest,
                        const struct sheaf_joining *joining)
{
    const struct sheaf_rendezvous_plan *plan = gathering->plan;
    if (joining->size != plan->size) {
        end_gathering(gathering, guest, SHEAF_END_MISMATCH,
                      "rank %d on host %s (process %d) is one of %d processes, and rank %d on host %s "
                      "waits for %d: give all the same %s",
                      joining->rank, joining->host, joining->pid, joining->size, plan->rank,
                      gathering->peers[plan->rank].joining.host, plan->size, plan->size_name);
        return;
    }
    if (joining->rank < 0 || joining->rank >= plan->size)
        return;
    struct sheaf_rendezvous_peer *peer = &gathering->peers[joining->rank];
    if (peer->has_joined) {
        end_gathering(gathering, guest, SHEAF_END_MISMATCH,
                      "two processes are rank %d: process %d on host %s, and process %d on host %s: give "
                      "each a %s of its own, from 0 to %d",
                      joining->rank, peer->joining.pid, peer->joining.host, joining->pid,
                      joining->host, plan->rank_name, plan->size - 1);
        return;
    }
    peer->channel = guest->channel;
    peer->joining = *joining;
    peer->has_joined = true;
    guest->channel = (struct sheaf_channel){0};
    gathering->joined++;
}

static void note_refusal(struct gathering *gathering, enum sheaf_refusal refusal,
                         const char from[INET6_ADDRSTRLEN])
{
    if (gathering->refused++ == 0)
        sheaf_warn("SH409 a process on %s was refused at %s: %s; rank %d waits for the right one",
                   from, gathering->plan->where,
                   refusal == SHEAF_REFUSED_SECRET
                       ? "it has another secret"
                       : "processes of several hosts or users need one SHEAF_SECRET",
                   gathering->plan->rank);
    snprintf(gathering->refused_from, sizeof gathering->refused_from, "%s", from);
}

static void hear_guest(struct gathering *gathering, struct sheaf_guest *guest)
{
    char from[INET6_ADDRSTRLEN];
    enum sheaf_refusal why;
    name_guest(guest, from);
    switch (sheaf_guest_hear(guest, gathering->plan->secret, &why)) {
    case SHEAF_GUEST_REFUSED:
        note_refusal(gathering, why, from);
        break;
    case SHEAF_GUEST_PROVEN:
        admit_guest(gathering, guest, &guest->joining);
        sheaf_channel_close(&guest->channel); /* unless it is a peer's now */
        break;
    default:
        break;
    }
}

static struct sheaf_guest *find_guest(struct gathering *gathering, bool is_free)
{
    struct sheaf_guest *found = NULL;
    for (struct sheaf_guest *guest = gathering->guests;
         guest < gathering->guests + gathering->most_guests; guest++)
        if (guest->channel.is_open != is_free && (!found || guest->since_ns < found->since_ns))
            found = guest;
    return found;
}

/* The one that has waited longest makes room for the next. */
static bool drop_guest(struct gathering *gathering)
{
    struct sheaf_guest *oldest = find_guest(gathering, false);
    if (oldest)
        sheaf_channel_close(&oldest->channel);
    return oldest != NULL;
}

/* Without a free descriptor the oldest guest gives way, or the listeners pause. */
static void accept_guests(struct gathering *gathering, int listener)
{
    struct sheaf_listeners *listeners = gathering->listeners;
    for (int i = 0; i < MOST_ACCEPTS; i++) {
        int fd = sheaf_interface_accept(listeners->fd[listener]);
        if (fd < 0) {
            if (errno != EAGAIN && !drop_guest(gathering))
                gathering->paused_until_ns = sheaf_clock_ns() + sheaf_times.listener_pauses;
            return;
        }
        if (listeners->is_local[listener] && !sheaf_contact_is_own(fd)) {
            close(fd);
            continue;
        }
        struct sheaf_guest *guest = find_guest(gathering, true);
        if (!guest && drop_guest(gathering))
            guest = find_guest(gathering, true);
        sheaf_guest_open(guest, fd, listeners->is_local[listener]);
    }
}

/* Peers say nothing before START: what comes is their end. */
static void look_at_peer(struct gathering *gathering, int rank)
{
    struct sheaf_rendezvous_peer *peer = &gathering->peers[rank];
    struct sheaf_channel *channel = &peer->channel;
    if (!channel->is_open || !sheaf_poll_set_events(&gathering->set, channel->place, channel->fd))
        return;
    sheaf_channel_flush(channel);
    if (sheaf_channel_receive(channel) == SHEAF_RECEIVED_NOTHING && channel->error == 0)
        return;
    sheaf_channel_close(channel);
    end_gathering(
        gathering, NULL, SHEAF_END_DEATH,
        "rank %d on host %s (process %d) has died before all %d processes had met: the job ends",
        rank, peer->joining.host, peer->joining.pid, gathering->plan->size);
}

static void look_at_all(struct gathering *gathering)
{
    const struct sheaf_listeners *listeners = gathering->listeners;
    for (int rank = 0; rank < gathering->plan->size && !gathering->has_failed; rank++)
        look_at_peer(gathering, rank);
    for (int i = 0; i < gathering->most_guests && !gathering->has_failed; i++) {
        struct sheaf_guest *guest = &gathering->guests[i];
        if (guest->channel.is_open &&
            sheaf_poll_set_events(&gathering->set, guest->channel.place, guest->channel.fd))
            hear_guest(gathering, guest);
        if (guest->channel.is_open && sheaf_clock_ns() - guest->since_ns > sheaf_times.guest_silent)
            sheaf_channel_close(&guest->channel);
    }
    for (int i = 0; i < listeners->count && !gathering->has_failed; i++)
        if (sheaf_poll_set_events(&gathering->set, gathering->places[i], listeners->fd[i]))
            accept_guests(gathering, i);
}

static void wait_for_all(struct gathering *gathering, uint64_t most_ns)
{
    struct sheaf_poll_set *set = &gathering->set;
    bool is_paused = sheaf_clock_ns() < gathering->paused_until_ns;
    set->count = 0;
    for (int i = 0; i < gathering->listeners->count; i++)
        gathering->places[i] = -1;
    for (int i = 0; i < gathering->listeners->count && !is_paused; i++)
        gathering->places[i] = sheaf_poll_set_add(set, gathering->listeners->fd[i], POLLIN);
    for (int i = 0; i < gathering->most_guests; i++)
        sheaf_channel_watch(&gathering->guests[i].channel, set, true);
    for (int rank = 0; rank < gathering->plan->size; rank++)
        sheaf_channel_watch(&gathering->peers[rank].channel, set, true);
    uint64_t look = sheaf_times.listener_pauses; /* guests may be late */
    poll(set->fds, set->count, sheaf_times_ms(most_ns < look ? most_ns : look));
}

/* "3, 5-7 and 12 more" */
static void list_missing(const struct gathering *gathering, char *text, size_t size)
{
    int missing = gathering->plan->size - gathering->joined;
    size_t used = 0;
    text[0] = '\0';
    for (int rank = 0; rank < gathering->plan->size && missing > 0; rank++) {
        int last = rank;
        if (gathering->peers[rank].has_joined)
            continue;
        while (last + 1 < gathering->plan->size && !gathering->peers[last + 1].has_joined)
            last++;
        if (used > size - 60) {
            snprintf(text + used, size - used, " and %d more", missing);
            return;
        }
        used += (size_t)snprintf(text + used, size - used, last > rank ? "%s%d-%d" : "%s%d",
                                 used ? ", " : "", rank, last);
        missing -= last - rank + 1;
        rank = last;
    }
}

static void say_missing(struct gathering *gathering)
{
    const struct sheaf_rendezvous_plan *plan = gathering->plan;
    char ranks[200], refused[120] = "";
    list_missing(gathering, ranks, sizeof ranks);
    if (gathering->refused)
        snprintf(refused, sizeof refused,
                 " (%d without the right secret were refused, the last on %s)", gathering->refused,
                 gathering->refused_from);
    end_gathering(gathering, NULL, SHEAF_END_MISSING,
                  "%d of %d processes have not come to %s on host %s within %g s: rank %s is missing%s. "
                  "Start them with the same %s, or wait longer: SHEAF_RENDEZVOUS_TIMEOUT",
                  plan->size - gathering->joined, plan->size, plan->where,
                  sheaf_os_host_name().text, (double)plan->timeout_ns / 1e9, ranks, refused,
                  plan->where_name);
}

static void start_peers(struct gathering *gathering, int *lowest_near)
{
    const struct sheaf_rendezvous_plan *plan = gathering->plan;
    struct sheaf_rendezvous_peer *peers = gathering->peers;
    for (int rank = 0; rank < plan->size; rank++) {
        int lowest = 0;
        while (lowest < rank && peers[lowest].joining.identity != peers[rank].joining.identity)
            lowest++;
        const struct sheaf_message start = {
            .kind = SHEAF_MESSAGE_START, .value = lowest, .pe = plan->rank};
        if (rank != plan->rank)
            sheaf_channel_send(&peers[rank].channel, &start, NULL);
        peers[rank].channel.most_body = SHEAF_MESSAGE_FENCES;
        if (rank == plan->rank)
            *lowest_near = lowest;
    }
}

static void join_self(struct gathering *gathering)
{
    struct sheaf_rendezvous_peer *self = &gathering->peers[gathering->plan->rank];
    struct sheaf_pe_record record;
    sheaf_pe_record_fill(&record);
    self->joining = (struct sheaf_joining){.rank = gathering->plan->rank,
                                           .size = gathering->plan->size,
                                           .pid = record.pid,
                                           .identity = record.identity};
    snprintf(self->joining.host, sizeof self->joining.host, "%s", record.host);
    self->has_joined = true;
    gathering->joined = 1;
}

/* Each process has a connection here. The program keeps its limit where that is large enough. */
static bool has_files(int size)
{
    struct rlimit limit;
    rlim_t wanted = (rlim_t)size + SHEAF_GUESTS + SPARE_FILES;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted)
        return true;
    limit.rlim_cur = limit.rlim_max < 2 * wanted ? limit.rlim_max : 2 * wanted;
    return limit.rlim_cur >= wanted && setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

static bool prepare_gathering(struct gathering *gathering)
{
    int size = gathering->plan->size;
    gathering->most_guests = SHEAF_GUESTS + size;
    gathering->guests = calloc((size_t)gathering->most_guests, sizeof *gathering->guests);
    gathering->set.most = (size_t)size + (size_t)gathering->most_guests + SHEAF_CONTACTS;
    gathering->set.fds = malloc(gathering->set.most * sizeof *gathering->set.fds);
    join_self(gathering);
    if (!gathering->guests || !gathering->set.fds)
        sheaf_error("SH301 out of memory");
    else if (has_files(size))
        return true;
    else
        sheaf_error(
            "SH411 rank %d cannot have %d open files, one for each process of the job: raise the hard "
            "limit (ulimit -Hn)",
            gathering->plan->rank, size);
    return false;
}

int sheaf_root_gather(struct sheaf_rendezvous_plan *plan, struct sheaf_listeners *listeners,
                      struct sheaf_rendezvous_peer *peers, int *lowest_near)
{
    struct gathering gathering = {.plan = plan, .listeners = listeners, .peers = peers};
    uint64_t now, until = sheaf_clock_ns() + plan->timeout_ns;
    gathering.has_failed = !prepare_gathering(&gathering);
    while (!gathering.has_failed && gathering.joined < plan->size) {
        if ((now = sheaf_clock_ns()) >= until) {
            say_missing(&gathering);
            break;
        }
        wait_for_all(&gathering, until - now);
        look_at_all(&gathering);
    }
    if (gathering.has_failed)
        sheaf_listeners_close(listeners, plan);
    sheaf_listeners_remove_file(listeners, plan);
    for (int i = 0; i < gathering.most_guests && gathering.guests; i++)
        sheaf_channel_close(&gathering.guests[i].channel);
    if (!gathering.has_failed)
        start_peers(&gathering, lowest_near);
    free(gathering.guests);
    free(gathering.set.fds);
    return gathering.has_failed ? -1 : 0;
}
