/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A rendezvous in the place of a launcher: any processes that can reach one of them, the root, are
 * a job. Each has a connection to its parent for as long as the job lasts: to the branch of its host, which
 * has one to the root, or to the root itself. What PEs have put goes to the root and back to everybody with
 * a fence: one message there and one back for each connection. Before the job starts see root.h, branch.h
 * and member.h.
 */
#include "base/clock.h"
#include "base/log.h"
#include "base/times.h"
#include "boot/launcher/launcher.h"
#include "boot/launcher/rendezvous/branch.h"
#include "boot/launcher/rendezvous/identifier.h"
#include "boot/launcher/rendezvous/latecomers.h"
#include "boot/launcher/rendezvous/member.h"
#include "boot/launcher/rendezvous/message.h"
#include "boot/launcher/rendezvous/root.h"
#include "boot/launcher/key_values.h"
#include "image/image.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#define MOST_READY 64 /* peers at one look */

/* A process to which this one has a connection. */
struct peer {
    struct sheaf_channel channel;
    int pe;
    bool has_fenced; /* what it and those below it have put since the last release is here */
    bool is_over;    /* has said CLOSE: its end is no news */
    bool is_dead;    /* without */
};

/* A PE of the job, as this process sees it. */
struct relative {
    int peer; /* the connection by which it is reached; -1: it is not below this process */
    int pid;
    char host[48]; /* of those below */
    bool is_dead; /* without CLOSE */
};

static struct {
    pthread_mutex_t lock; /* for fences, the watching thread, and whoever puts or ends the job */
    struct sheaf_rendezvous_plan plan;
    struct peer *peers; /* the parent first, where there is one */
    int count;
    struct relative *relatives; /* of each PE */
    int *dead;                  /* PEs, in the order of the news; told: so many of them */
    int deaths, told;
    int has_deaths; /* an eventfd: not all of them are told */
    int events;     /* an epoll descriptor over all of these */
    int released;   /* an eventfd: the watching thread may have read what a fence waits for */
    bool is_closed;
    bool has_lost_root;          /* the parent has died, or has said that the root has */
    bool has_fenced;             /* this process, and its parent has not been told */
    unsigned releases;           /* fences that all have come to */
    struct sheaf_key_values mine;    /* since the last fence */
    struct sheaf_key_values fenced;  /* of those below: struct sheaf_fenced and entries, of each PE */
    struct sheaf_key_values *values; /* of each PE, as of the last release */
    int lowest_near;
} job = {.lock = PTHREAD_MUTEX_INITIALIZER, .has_deaths = -1, .events = -1, .released = -1};

static int no_memory(void)
{
    sheaf_error("SH301 out of memory");
    return -1;
}

static bool watch_events(int fd, uint32_t number)
{
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = number};
    return epoll_ctl(job.events, EPOLL_CTL_ADD, fd, &event) == 0;
}

static void add_relative(int pe, int peer, int pid, const char *host)
{
    job.relatives[pe] = (struct relative){.peer = peer, .pid = pid};
    snprintf(job.relatives[pe].host, sizeof job.relatives[pe].host, "%.47s", host);
}

static bool add_peer(const struct sheaf_channel *channel, int pe)
{
    job.peers[job.count] = (struct peer){.channel = *channel, .pe = pe};
    return watch_events(channel->fd, (uint32_t)job.count++);
}

static bool is_there(const struct peer *peer)
{
    return peer->channel.is_open && !peer->is_dead && !peer->is_over;
}

/* NULL: this is the root, or alone. */
static struct peer *parent_peer(void)
{
    return job.plan.is_root || job.count == 0 ? NULL : &job.peers[0];
}

static void tell_peers(enum sheaf_message_kind kind, int value, const struct peer *but)
{
    for (struct peer *peer = job.peers; peer < job.peers + job.count; peer++)
        if (peer != but && is_there(peer))
            sheaf_message_send(&peer->channel, kind, value, NULL, 0);
}

static void raise_event(int event)
{
    uint64_t one = 1;
    ssize_t ignored = write(event, &one, sizeof one);
    (void)ignored;
}

/* A branch tells the root of those of its host, and these of the root. */
static void note_death(int pe)
{
    struct peer *parent = parent_peer();
    struct relative *relative = &job.relatives[pe];
    if (relative->is_dead)
        return;
    relative->is_dead = true;
    job.dead[job.deaths++] = pe;
    raise_event(job.has_deaths);
    if (relative->peer < 0) {
        job.has_lost_root = true;
        tell_peers(SHEAF_MESSAGE_DIED, pe, parent);
    } else if (parent && is_there(parent)) {
        sheaf_message_send(&parent->channel, SHEAF_MESSAGE_DIED, pe, NULL, 0);
    }
}

/* Those that have come to this process, of found; then, on the root, those that have come to them. One of a
 * branch may have died before START. */
static int add_peers(const struct sheaf_rendezvous_peer *found, int count)
{
    for (int i = 0; i < count; i++) {
        const struct sheaf_joining *joining = &found[i].joining;
        if (found[i].number > 0 || joining->rank == job.plan.rank)
            continue;
        add_relative(joining->rank, job.count, joining->pid, joining->host);
        if (!found[i].channel.is_open)
            note_death(joining->rank);
        else if (!add_peer(&found[i].channel, joining->rank))
            return no_memory();
    }
    for (int i = 0; i < count; i++)
        if (found[i].number > 0)
            add_relative(found[i].joining.rank, job.relatives[found[i].branch].peer, found[i].joining.pid,
                         found[i].joining.host);
    return 0;
}

static int gather_peers(struct sheaf_rendezvous_peer *found)
{
    int size = job.plan.size;
    struct sheaf_listeners listeners;
    int failed = 0;
    if (job.plan.way == SHEAF_RENDEZVOUS_BY_ID)
        sheaf_identifier_take(&listeners);
    else
        failed = sheaf_listeners_open(&listeners, &job.plan);
    if (!failed)
        failed = sheaf_root_gather(&job.plan, &listeners, found, &job.lowest_near);
    if (!failed)
        failed = add_peers(found, size);
    if (failed || sheaf_image.is_static) /* no thread would see who comes */
        sheaf_listeners_close(&listeners, &job.plan);
    else
        sheaf_latecomers_open(&listeners, &job.plan, job.events, (uint32_t)size);
    return failed;
}

static int join_parent(struct sheaf_rendezvous_peer *leaves)
{
    struct sheaf_parent parent = {.rank = -1};
    struct sheaf_listeners listeners = {0};
    if (sheaf_member_join(&job.plan, &parent, &listeners) != 0)
        return -1;
    int count = sheaf_branch_await_start(&job.plan, &parent, &listeners, leaves, &job.lowest_near);
    if (count < 0)
        return -1;
    return add_peer(&parent.channel, parent.rank) ? add_peers(leaves, count) : no_memory();
}

static int read_plan(void)
{
    const struct sheaf_rendezvous_plan *plan = sheaf_identifier_plan();
    if (!plan)
        return sheaf_rendezvous_plan_read(&job.plan);
    job.plan = *plan;
    return 0;
}

static int meet_all(void)
{
    size_t size = (size_t)job.plan.size;
    job.events = epoll_create1(EPOLL_CLOEXEC);
    job.released = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    job.has_deaths = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    job.values = calloc(size, sizeof *job.values);
    job.peers = calloc(size, sizeof *job.peers);
    job.relatives = calloc(size, sizeof *job.relatives);
    job.dead = calloc(size, sizeof *job.dead);
    struct sheaf_rendezvous_peer *found = calloc(size, sizeof *found);
    int failed = 0;
    for (size_t pe = 0; pe < size && job.relatives; pe++)
        add_relative((int)pe, -1, 0, job.plan.where);
    if (job.events < 0 || job.released < 0 || job.has_deaths < 0 || !job.values || !job.peers ||
        !job.relatives || !job.dead || !found || !watch_events(job.has_deaths, UINT32_MAX))
        failed = no_memory();
    else if (size > 1)
        failed = job.plan.is_root ? gather_peers(found) : join_parent(found);
    free(found);
    return failed;
}

static void close_all(void)
{
    int *const fds[] = {&job.events, &job.released, &job.has_deaths};
    for (size_t i = 0; i < sizeof fds / sizeof *fds; i++) {
        if (*fds[i] >= 0)
            close(*fds[i]);
        *fds[i] = -1;
    }
    free(job.values);
    free(job.peers);
    free(job.relatives);
    free(job.dead);
    job.count = 0;
}

static int rendezvous_open(int *pe, int *npes)
{
    if (read_plan() != 0)
        return -1;
    *pe = job.plan.rank;
    *npes = job.plan.size;
    if (meet_all() == 0)
        return 0;
    close_all(); /* a program may try another identifier */
    return -1;
}

static int rendezvous_put(const char *key, const void *value, size_t bytes)
{
    pthread_mutex_lock(&job.lock);
    bool has_room = sheaf_key_values_put(&job.mine, key, value, bytes);
    pthread_mutex_unlock(&job.lock);
    if (!has_room)
        return no_memory();
    if (job.mine.bytes <= SHEAF_MESSAGE_FENCES)
        return 0;
    sheaf_error("SH403 PE %d publishes more than %zu bytes at once", job.plan.rank,
                SHEAF_MESSAGE_FENCES);
    return -1;
}

static int rendezvous_get(int pe, const char *key, void **value, size_t *bytes)
{
    pthread_mutex_lock(&job.lock);
    int failed = sheaf_key_values_get(&job.values[pe], key, value, bytes);
    pthread_mutex_unlock(&job.lock);
    return failed;
}

static int rendezvous_lowest_near(void)
{
    return job.lowest_near;
}

/* The lock is held from here on. */
static void drain_event(int event)
{
    uint64_t drained;
    ssize_t ignored = read(event, &drained, sizeof drained);
    (void)ignored;
}

static void lose_peer(struct peer *peer)
{
    epoll_ctl(job.events, EPOLL_CTL_DEL, peer->channel.fd, NULL);
    if (peer->is_over) { /* its end is no news */
        sheaf_channel_close(&peer->channel);
        return;
    }
    peer->is_dead = true;
    note_death(peer->pe);
}

/* Of each PE how many bytes, and these. What does not fit is no release. */
static bool take_release(const char *body, size_t bytes)
{
    uint32_t part;
    for (int pe = 0; pe < job.plan.size; pe++) {
        if (bytes < sizeof part)
            return false;
        memcpy(&part, body, sizeof part);
        body += sizeof part;
        bytes -= sizeof part;
        if (part > bytes || !sheaf_key_values_add(&job.values[pe], body, part))
            return false;
        body += part;
        bytes -= part;
    }
    job.releases++;
    raise_event(job.released); /* wakes the thread that waits in a fence */
    return bytes == 0;
}

/* For those below. */
static void pass_release(const void *body, size_t bytes)
{
    for (struct peer *peer = job.peers; peer < job.peers + job.count; peer++)
        if (peer != parent_peer() && is_there(peer))
            sheaf_message_send(&peer->channel, SHEAF_MESSAGE_RELEASE, 0, body, bytes);
}

/* Whether a PE is below that peer; of the parent: whether it is not below this process. */
static bool is_below(const struct peer *peer, uint32_t pe)
{
    int number = peer == parent_peer() ? -1 : (int)(peer - job.peers);
    return pe < (uint32_t)job.plan.size && job.relatives[pe].peer == number;
}

/* A FENCE: the values that a peer and the PEs below it have put. False: the message is wrong. */
static bool take_fence(struct peer *peer, const char *body, size_t bytes)
{
    struct sheaf_fenced fenced;
    for (size_t at = 0; at < bytes; at += fenced.bytes) {
        if (bytes - at < sizeof fenced)
            return false;
        memcpy(&fenced, body + at, sizeof fenced);
        at += sizeof fenced;
        if (!is_below(peer, fenced.rank) || fenced.bytes > bytes - at)
            return false;
    }
    bool is_first = !peer->has_fenced;
    peer->has_fenced = true;
    return is_first && sheaf_key_values_add(&job.fenced, body, bytes);
}

/* Handles a message of a peer. A wrong one counts as its death. */
static void read_message(struct peer *peer)
{
    const struct sheaf_message *message = sheaf_message_of(&peer->channel);
    const char *body = peer->channel.body;
    bool is_parent = peer == parent_peer(), is_taken = true;
    if (message->kind == SHEAF_MESSAGE_ABORT) {
        tell_peers(SHEAF_MESSAGE_ABORT, message->value, peer);
        _exit(message->value & 0xff);
    } else if (message->kind == SHEAF_MESSAGE_CLOSE) {
        peer->is_over = true;
        if (is_parent)
            tell_peers(SHEAF_MESSAGE_CLOSE, 0, peer);
    } else if (message->kind == SHEAF_MESSAGE_DIED && is_below(peer, (uint32_t)message->value)) {
        note_death(message->value);
    } else if (message->kind == SHEAF_MESSAGE_FENCE && !is_parent) {
        is_taken = take_fence(peer, body, message->bytes);
    } else if (message->kind == SHEAF_MESSAGE_RELEASE && is_parent) {
        is_taken = take_release(body, message->bytes);
        if (is_taken)
            pass_release(body, message->bytes);
    } else { /* those two may have been on their way when all were there */
        is_taken = !is_parent &&
                   (message->kind == SHEAF_MESSAGE_LEAF || message->kind == SHEAF_MESSAGE_LEAF_LOST);
    }
    if (!is_taken)
        lose_peer(peer);
}

static void read_peer(struct peer *peer)
{
    sheaf_channel_flush(&peer->channel);
    while (peer->channel.is_open && !peer->is_dead) {
        enum sheaf_received received = sheaf_channel_receive(&peer->channel);
        if (received == SHEAF_RECEIVED_NOTHING && peer->channel.error == 0)
            return;
        if (received == SHEAF_RECEIVED_MESSAGE)
            read_message(peer);
        else
            lose_peer(peer);
    }
}

/* Where jobs go on when a PE dies the living meet without it. */
static bool bears_deaths(void)
{
    return sheaf_image.control && sheaf_image.control->reports_failures;
}

/* Whether this process, and all below it, have come to the fence. */
static bool all_have_fenced(void)
{
    bool all = job.has_fenced;
    for (const struct peer *peer = job.peers; peer < job.peers + job.count && all; peer++)
        all = peer == parent_peer() || peer->has_fenced || peer->is_over ||
              (peer->is_dead && bears_deaths());
    return all;
}

static bool add_part(struct sheaf_key_values *list, const void *head, size_t head_bytes,
                     const struct sheaf_key_values *part)
{
    return sheaf_key_values_add(list, head, head_bytes) &&
           sheaf_key_values_add(list, part->entries, part->bytes);
}

/* Of each PE how many bytes, and these, from what has been fenced. False without memory. */
static bool fill_release(struct sheaf_key_values *release)
{
    struct sheaf_key_values *parts = calloc((size_t)job.plan.size, sizeof *parts);
    struct sheaf_fenced fenced;
    bool has_room = parts != NULL;
    for (size_t at = 0; at < job.fenced.bytes && parts; at += fenced.bytes) {
        memcpy(&fenced, job.fenced.entries + at, sizeof fenced);
        at += sizeof fenced;
        parts[fenced.rank] = (struct sheaf_key_values){job.fenced.entries + at, fenced.bytes};
    }
    for (int pe = 0; pe < job.plan.size && has_room; pe++) {
        uint32_t bytes = (uint32_t)parts[pe].bytes;
        has_room = add_part(release, &bytes, sizeof bytes, &parts[pe]);
    }
    free(parts);
    return has_room;
}

/* Once this process and all below it have come to the fence: the root releases all, a branch tells it. */
static void pass_fence(void)
{
    struct peer *parent = parent_peer();
    const struct sheaf_fenced own = {(uint32_t)job.plan.rank, (uint32_t)job.mine.bytes};
    struct sheaf_key_values release = {0};
    bool has_room = add_part(&job.fenced, &own, sizeof own, &job.mine);
    for (struct peer *peer = job.peers; peer < job.peers + job.count; peer++)
        peer->has_fenced = false;
    job.has_fenced = false;
    if (has_room && parent && is_there(parent)) {
        sheaf_message_send(&parent->channel, SHEAF_MESSAGE_FENCE, 0, job.fenced.entries, job.fenced.bytes);
    } else if (has_room && !parent) {
        has_room = fill_release(&release) && take_release((const char *)release.entries, release.bytes);
        pass_release(release.entries, release.bytes);
    }
    if (!has_room)
        sheaf_fatal("SH301 out of memory");
    sheaf_key_values_free(&release);
    sheaf_key_values_free(&job.fenced);
    sheaf_key_values_free(&job.mine);
}

/* Takes in what has come. */
static void read_peers(void)
{
    struct epoll_event ready[MOST_READY];
    int count = epoll_wait(job.events, ready, MOST_READY, 0);
    for (int i = 0; i < count; i++)
        if (ready[i].data.u32 < (uint32_t)job.plan.size)
            read_peer(&job.peers[ready[i].data.u32]);
        else if (ready[i].data.u32 != UINT32_MAX)
            sheaf_latecomers_answer(ready[i].data.u32);
    for (struct peer *peer = job.peers; peer < job.peers + job.count; peer++)
        if (is_there(peer) && sheaf_send_queue_length(&peer->channel.out) > 0)
            sheaf_channel_flush(&peer->channel);
    if (all_have_fenced())
        pass_fence();
}

static bool has_unsent(void)
{
    for (const struct peer *peer = job.peers; peer < job.peers + job.count; peer++)
        if (is_there(peer) && sheaf_send_queue_length(&peer->channel.out) > 0)
            return true;
    return false;
}

/* The PE of whose end nobody has been told yet; -1: none. */
static int find_dead(void)
{
    return job.told < job.deaths ? job.dead[job.told] : -1;
}

/* The lock is let go meanwhile. */
static void await_peers(void)
{
    bool has_dead = find_dead() >= 0; /* the event of a death stays until it is told */
    bool is_short = has_dead || has_unsent();
    uint64_t most_ns = is_short ? sheaf_times.rendezvous_unsent : sheaf_times.rendezvous_fence;
    struct pollfd set[] = {{.fd = has_dead ? -1 : job.events, .events = POLLIN},
                           {.fd = job.released, .events = POLLIN}};
    pthread_mutex_unlock(&job.lock);
    poll(set, 2, sheaf_times_ms(most_ns));
    drain_event(job.released);
    pthread_mutex_lock(&job.lock);
}

/* Before PEs of a node watch each other, and for long where nobody has told of it. */
static bool ends_fence(int dead, uint64_t since_ns)
{
    bool is_early = !sheaf_image.control;
    if (dead < 0 || (!is_early && sheaf_clock_ns() - since_ns < 2 * sheaf_times.launcher_ends_job))
        return false;
    if (is_early)
        sheaf_error("SH609 PE %d on host %s (process %d) has died before all PEs were connected: "
                    "the job ends", dead, job.relatives[dead].host, job.relatives[dead].pid);
    return true;
}

/* Whether no release can come any more. */
static bool has_no_root(void)
{
    const struct peer *parent = parent_peer();
    return parent && (parent->is_over || (job.has_lost_root && bears_deaths()));
}

static int rendezvous_fence(void)
{
    pthread_mutex_lock(&job.lock);
    unsigned before = job.releases;
    uint64_t since = sheaf_clock_ns();
    int failed = 0;
    job.has_fenced = true;
    while (!failed) {
        read_peers();
        if (job.releases != before && !has_unsent())
            break;
        if (ends_fence(bears_deaths() ? -1 : find_dead(), since) ||
            (job.releases == before && has_no_root()))
            failed = -1;
        else
            await_peers();
    }
    pthread_mutex_unlock(&job.lock);
    return failed;
}

/* The handler of a signal, in static programs, must not wait for the thread that it interrupts. */
static bool take_lock(void)
{
    if (!sheaf_image.is_static)
        return pthread_mutex_lock(&job.lock) == 0;
    return pthread_mutex_trylock(&job.lock) == 0;
}

static void rendezvous_watch(struct pollfd *end)
{
    *end = (struct pollfd){.fd = job.events, .events = POLLIN};
}

static void rendezvous_watch_each(void (*see)(int fd))
{
    for (const struct peer *peer = job.peers; peer < job.peers + job.count; peer++)
        see(peer->channel.fd);
}

/* In the handler of a signal: what a fence has to say needs memory, and waits for the fence. */
static bool is_for_fence(const struct peer *peer)
{
    struct sheaf_message next;
    ssize_t got = recv(peer->channel.fd, &next, sizeof next, MSG_PEEK | MSG_DONTWAIT);
    return peer->channel.filled > 0 || (got < 0 && errno == EAGAIN) ||
           (got > 0 && (got < (ssize_t)sizeof next || next.bytes > 0));
}

static void rendezvous_closed(void)
{
    if (!take_lock())
        return;
    if (!sheaf_image.is_static)
        read_peers();
    for (struct peer *peer = job.peers; peer < job.peers + job.count && sheaf_image.is_static;
         peer++)
        if (is_there(peer) && !is_for_fence(peer))
            read_peer(peer);
    pthread_mutex_unlock(&job.lock);
}

static int rendezvous_lost(void)
{
    if (!take_lock())
        return -1;
    int pe = find_dead();
    if (pe >= 0 && ++job.told == job.deaths)
        drain_event(job.has_deaths);
    pthread_mutex_unlock(&job.lock);
    return pe;
}

static void rendezvous_abort(int status)
{
    bool has_lock = take_lock();
    tell_peers(SHEAF_MESSAGE_ABORT, status, NULL);
    if (has_lock)
        pthread_mutex_unlock(&job.lock);
}

static void rendezvous_close(void)
{
    bool has_lock = take_lock();
    if (!job.is_closed)
        tell_peers(SHEAF_MESSAGE_CLOSE, 0, NULL);
    job.is_closed = true;
    sheaf_latecomers_close();
    if (has_lock)
        pthread_mutex_unlock(&job.lock);
}

const struct sheaf_launcher sheaf_launcher_rendezvous = {
    .name = "a rendezvous",
    .setting = "rendezvous",
    .is_there = sheaf_rendezvous_is_there,
    .open = rendezvous_open,
    .put = rendezvous_put,
    .fence = rendezvous_fence,
    .get = rendezvous_get,
    .lowest_near = rendezvous_lowest_near,
    .watch = rendezvous_watch,
    .watch_each = rendezvous_watch_each,
    .closed = rendezvous_closed,
    .lost = rendezvous_lost,
    .abort = rendezvous_abort,
    .close = rendezvous_close,
    .starts_each_alone = true,
};
