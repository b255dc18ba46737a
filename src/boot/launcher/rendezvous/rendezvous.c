/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A rendezvous in the place of a launcher: any processes that can reach one of them, the root, are
 * a job. Each has a connection to it for as long as the job lasts. What PEs have put goes to the
 * root and back to everybody with a fence: one message there and one back for each PE. Before the
 * job starts see root.h and member.h.
 */
#include "base/clock.h"
#include "base/log.h"
#include "base/os/host.h"
#include "base/times.h"
#include "boot/launcher/launcher.h"
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

/* Whom this process has a connection to: the root has one to every other, the others have one to
 * the root. */
struct peer {
    struct sheaf_channel channel;
    int pe, pid;
    char host[48];
    bool has_fenced; /* what it has put since the last release is here */
    bool is_over;    /* has said CLOSE: its end is no news */
    bool is_dead;    /* without: until it is told */
    bool is_told;
    struct sheaf_key_values fenced;
};

static struct {
    pthread_mutex_t lock; /* for fences, the watching thread, and whoever puts or ends the job */
    struct sheaf_rendezvous_plan plan;
    struct peer *peers;
    int count;
    int events; /* an epoll descriptor over all of them */
    int released; /* an eventfd: the watching thread may have read what a fence waits for */
    bool is_closed;
    bool has_fenced;             /* this process */
    unsigned releases;           /* fences that all have come to */
    struct sheaf_key_values mine;     /* since the last fence */
    struct sheaf_key_values *values; /* of each PE, as of the last release */
    int lowest_near;
} job = {.lock = PTHREAD_MUTEX_INITIALIZER, .events = -1, .released = -1};

static int no_memory(void)
{
    sheaf_error("SH301 out of memory");
    return -1;
}

static bool add_peer(const struct sheaf_channel *channel, int pe, int pid, const char *host)
{
    struct peer *peer = &job.peers[job.count];
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = (uint32_t)job.count++};
    *peer = (struct peer){.channel = *channel, .pe = pe, .pid = pid};
    snprintf(peer->host, sizeof peer->host, "%s", host);
    return epoll_ctl(job.events, EPOLL_CTL_ADD, channel->fd, &event) == 0;
}

static int gather_peers(void)
{
    int size = job.plan.size;
    struct sheaf_listeners listeners;
    struct sheaf_rendezvous_peer *found = calloc((size_t)size, sizeof *found);
    if (!found)
        return no_memory();
    int failed = 0;
    if (job.plan.way == SHEAF_MEET_BY_ID)
        sheaf_identifier_take(&listeners);
    else
        failed = sheaf_listeners_open(&listeners, &job.plan);
    if (!failed)
        failed = sheaf_root_gather(&job.plan, &listeners, found, &job.lowest_near);
    for (int rank = 0; rank < size && !failed; rank++) {
        const struct sheaf_joining *joining = &found[rank].joining;
        if (rank != job.plan.rank &&
            !add_peer(&found[rank].channel, rank, joining->pid, joining->host))
            failed = no_memory();
    }
    free(found);
    if (failed || sheaf_image.is_static) /* no thread would see who comes */
        sheaf_listeners_close(&listeners, &job.plan);
    else
        sheaf_latecomers_open(&listeners, &job.plan, job.events, (uint32_t)size);
    return failed;
}

static int join_root(void)
{
    struct sheaf_channel root = {0};
    int pe;
    if (sheaf_member_join(&job.plan, &root, &pe, &job.lowest_near) != 0)
        return -1;
    return add_peer(&root, pe, 0, job.plan.where) ? 0 : no_memory();
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
    job.events = epoll_create1(EPOLL_CLOEXEC);
    job.released = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    job.values = calloc((size_t)job.plan.size, sizeof *job.values);
    job.peers = calloc((size_t)job.plan.size, sizeof *job.peers);
    if (job.events < 0 || job.released < 0 || !job.values || !job.peers)
        return no_memory();
    return job.plan.size == 1 ? 0 : job.plan.is_root ? gather_peers() : join_root();
}

static int rendezvous_open(int *pe, int *npes)
{
    if (read_plan() != 0)
        return -1;
    *pe = job.plan.rank;
    *npes = job.plan.size;
    if (meet_all() == 0)
        return 0;
    if (job.events >= 0) /* a program may try another identifier */
        close(job.events);
    if (job.released >= 0)
        close(job.released);
    free(job.values);
    free(job.peers);
    job.events = job.released = -1;
    job.count = 0;
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
    sheaf_error("SH403 PE %d tells the others more than %zu bytes at once", job.plan.rank,
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

/* Where jobs go on when a PE dies the living meet without it. */
static bool bears_deaths(void)
{
    return sheaf_image.control && sheaf_image.control->reports_failures;
}

static bool is_there(const struct peer *peer)
{
    return peer->channel.is_open && !peer->is_dead && !peer->is_over;
}

/* The lock is held from here on. */
static void tell_peers(enum sheaf_message_kind kind, int value, const struct peer *but)
{
    for (struct peer *peer = job.peers; peer < job.peers + job.count; peer++)
        if (peer != but && is_there(peer))
            sheaf_message_send(&peer->channel, kind, value, NULL, 0);
}

static void lose_peer(struct peer *peer)
{
    if (peer->is_over) { /* its end is no news: no event either */
        epoll_ctl(job.events, EPOLL_CTL_DEL, peer->channel.fd, NULL);
        sheaf_channel_close(&peer->channel);
    } else {
        peer->is_dead = true;
    }
}

/* Wakes the thread that waits in a fence. */
static void wake_fence(void)
{
    uint64_t one = 1;
    ssize_t ignored = write(job.released, &one, sizeof one);
    (void)ignored;
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
    wake_fence();
    return bytes == 0;
}

/* What a peer says. The root passes on what is for all. */
static void read_message(struct peer *peer)
{
    const struct sheaf_message *message = sheaf_message_of(&peer->channel);
    bool is_taken = true;
    if (message->kind == SHEAF_MESSAGE_ABORT) {
        if (job.plan.is_root)
            tell_peers(SHEAF_MESSAGE_ABORT, message->value, peer);
        _exit(message->value & 0xff);
    } else if (message->kind == SHEAF_MESSAGE_CLOSE) {
        peer->is_over = true;
    } else if (message->kind == SHEAF_MESSAGE_FENCE && job.plan.is_root) {
        is_taken =
            !peer->has_fenced && sheaf_key_values_add(&peer->fenced, peer->channel.body, message->bytes);
        peer->has_fenced = true;
    } else if (message->kind == SHEAF_MESSAGE_RELEASE && !job.plan.is_root) {
        is_taken = take_release(peer->channel.body, message->bytes);
    } else {
        is_taken = false;
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

/* The part of one PE in a release. */
static bool add_part(struct sheaf_key_values *release, const struct sheaf_key_values *part)
{
    uint32_t bytes = (uint32_t)part->bytes;
    return sheaf_key_values_add(release, &bytes, sizeof bytes) &&
           sheaf_key_values_add(release, part->entries, part->bytes);
}

static struct peer *peer_of(int pe)
{
    int place =
        pe -
        (pe > job.plan.rank); /* the root has a place for every PE but itself, in their order */
    return &job.peers[place];
}

static bool all_have_fenced(void)
{
    bool all = job.has_fenced;
    for (const struct peer *peer = job.peers; peer < job.peers + job.count && all; peer++)
        all = peer->has_fenced || peer->is_over || (peer->is_dead && bears_deaths());
    return all;
}

/* By the root, once all have come to the fence. */
static void release_peers(void)
{
    struct sheaf_key_values release = {0};
    bool has_room = true;
    for (int pe = 0; pe < job.plan.size; pe++)
        has_room &= add_part(&release, pe == job.plan.rank ? &job.mine : &peer_of(pe)->fenced);
    if (!has_room)
        sheaf_fatal("SH301 out of memory");
    take_release((const char *)release.entries, release.bytes);
    for (struct peer *peer = job.peers; peer < job.peers + job.count; peer++) {
        if (is_there(peer))
            sheaf_message_send(&peer->channel, SHEAF_MESSAGE_RELEASE, 0, release.entries,
                               release.bytes);
        sheaf_key_values_free(&peer->fenced);
        peer->has_fenced = false;
    }
    sheaf_key_values_free(&release);
    sheaf_key_values_free(&job.mine);
    job.has_fenced = false;
}

/* Takes in what has come. */
static void read_peers(void)
{
    struct epoll_event ready[MOST_READY];
    int count = epoll_wait(job.events, ready, MOST_READY, 0);
    for (int i = 0; i < count; i++)
        if (ready[i].data.u32 < (uint32_t)job.plan.size)
            read_peer(&job.peers[ready[i].data.u32]);
        else
            sheaf_latecomers_answer(ready[i].data.u32);
    for (struct peer *peer = job.peers; peer < job.peers + job.count; peer++)
        if (is_there(peer) && sheaf_send_queue_length(&peer->channel.out) > 0)
            sheaf_channel_flush(&peer->channel);
    if (job.plan.is_root && all_have_fenced())
        release_peers();
}

static bool has_unsent(void)
{
    for (const struct peer *peer = job.peers; peer < job.peers + job.count; peer++)
        if (is_there(peer) && sheaf_send_queue_length(&peer->channel.out) > 0)
            return true;
    return false;
}

/* The peer whose end nobody tells of yet; NULL: none. */
static struct peer *find_dead(void)
{
    for (struct peer *peer = job.peers; peer < job.peers + job.count; peer++)
        if (peer->is_dead && !peer->is_told)
            return peer;
    return NULL;
}

/* The lock is not held. */
static void await_peers(void)
{
    bool polls = has_unsent() || find_dead(); /* the event of a death stays until it is told */
    uint64_t drained;
    struct pollfd set[] = {{.fd = find_dead() ? -1 : job.events, .events = POLLIN},
                           {.fd = job.released, .events = POLLIN}};
    poll(set, 2,
         sheaf_times_ms(polls ? sheaf_times.rendezvous_unsent : sheaf_times.rendezvous_fence));
    ssize_t ignored = read(job.released, &drained, sizeof drained);
    (void)ignored;
}

/* Before PEs of a node watch each other, and for long where nobody has told of it. */
static bool ends_fence(const struct peer *dead, uint64_t since_ns)
{
    bool is_early = !sheaf_image.control;
    if (!dead || (!is_early && sheaf_clock_ns() - since_ns < 2 * sheaf_times.launcher_ends_job))
        return false;
    if (is_early)
        sheaf_error("SH609 PE %d on host %s (process %d) has died before all had met: the job ends",
                    dead->pe, dead->host, dead->pid);
    return true;
}

static int rendezvous_fence(void)
{
    pthread_mutex_lock(&job.lock);
    unsigned before = job.releases;
    if (job.plan.is_root) {
        job.has_fenced = true;
    } else if (job.count > 0 && is_there(&job.peers[0])) {
        sheaf_message_send(&job.peers[0].channel, SHEAF_MESSAGE_FENCE, 0, job.mine.entries,
                           job.mine.bytes);
        sheaf_key_values_free(&job.mine);
    }
    uint64_t since = sheaf_clock_ns();
    int failed = 0;
    while (!failed) {
        read_peers();
        if (job.releases != before && !has_unsent())
            break;
        bool has_root = job.plan.is_root || is_there(&job.peers[0]);
        if (ends_fence(bears_deaths() ? NULL : find_dead(), since) ||
            (job.releases == before && !has_root && (job.peers[0].is_over || bears_deaths())))
            failed = -1;
        pthread_mutex_unlock(&job.lock);
        await_peers();
        pthread_mutex_lock(&job.lock);
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
    struct peer *dead = find_dead();
    int pe = dead ? dead->pe : -1;
    if (dead) {
        dead->is_told = true;
        epoll_ctl(job.events, EPOLL_CTL_DEL, dead->channel.fd, NULL);
    }
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
