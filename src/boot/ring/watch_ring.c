/* SPDX-License-Identifier: BSD-3-Clause
 * See watch_ring.h.
 *
 * Each leader publishes two random tokens. Who connects says HELLO with the first; the other
 * answers WELCOME with the second, which shows that the right one was reached: addresses such as
 * those of bridges are the same on many hosts. The first link that is welcomed stays, the others
 * close, and the listening sockets with them. Only then comes HOLD, after which an end is news.
 *
 * A guest, who has not said HELLO yet, may be anybody: it has one message, two seconds and, when
 * many come, the time until MOST_GUESTS others have come.
 */
#include "boot/ring/watch_ring.h"

#include "base/clock.h"
#include "base/times.h"
#include "boot/ring/interface.h"
#include "boot/ring/token.h"
#include "boot/ring/watch_link.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define MOST_GUESTS  8
#define MOST_ACCEPTS 32  /* at one look: then what else there is */
#define BACKLOG      128 /* a neighbour who finds it full of strangers comes again after 1 s */
_Static_assert(2 * SHEAF_INTERFACES + MOST_GUESTS < SHEAF_WATCH_RING_LINKS,
               "a link is left for the guest that joins");

struct tokens {
    struct sheaf_token hello, welcome;
};

/* All under the lock: the thread that polls, and whoever says a word. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct sheaf_watch_link links[SHEAF_WATCH_RING_LINKS];
static int my_node, guest_node;
static struct tokens mine, next; /* next: those of who is reached */
static enum sheaf_watch_ring_word said = SHEAF_WATCH_RING_RELEASE;
static int said_pe = -1, said_how;
static int told_pe, told_how;
static bool was_joined[2]; /* by the next node, and by the one before */
static size_t largest_parcel; /* that a neighbour may send */
static struct sheaf_watch_ring_parcel arrived; /* bytes NULL: none */

static struct sheaf_watch_link *add_link(enum sheaf_watch_stage stage, int fd)
{
    for (struct sheaf_watch_link *link = links; link < links + SHEAF_WATCH_RING_LINKS; link++) {
        if (link->stage != SHEAF_WATCH_FREE)
            continue;
        *link = (struct sheaf_watch_link){.stage = stage, .fd = fd, .node = -1, .place = -1, .end_pe = -1,
                              .since_ns = sheaf_clock_ns()};
        return link;
    }
    close(fd);
    return NULL;
}

static bool post(struct sheaf_watch_link *link, uint32_t word, const struct sheaf_token *token)
{
    struct sheaf_watch_message message = {
        .word = word, .node = my_node, .pe = said_pe, .how = said_how};
    if (token)
        message.token = *token;
    return sheaf_watch_link_post(link, &message);
}

/* Returns how many listen, and appends where to text. */
static int listen_on_all(char *text, size_t size)
{
    char addresses[SHEAF_INTERFACES][INET6_ADDRSTRLEN];
    int port, open = 0, count = sheaf_interface_list(addresses);
    size_t used = strlen(text);
    for (int i = 0; i < count; i++) {
        int fd = sheaf_interface_listen(addresses[i], BACKLOG, &port);
        if (fd < 0 || !add_link(SHEAF_WATCH_LISTENING, fd))
            continue;
        used += (size_t)snprintf(text + used, size - used, " %s %d", addresses[i], port);
        open++;
    }
    return open;
}

int sheaf_watch_ring_open(int node, int guest, char address[SHEAF_WATCH_RING_ADDRESS])
{
    char hello[SHEAF_TOKEN_TEXT], welcome[SHEAF_TOKEN_TEXT];
    if (!sheaf_token_make(&mine.hello) || !sheaf_token_make(&mine.welcome))
        return -1;
    sheaf_token_print(hello, &mine.hello);
    sheaf_token_print(welcome, &mine.welcome);
    snprintf(address, SHEAF_WATCH_RING_ADDRESS, "%s %s", hello, welcome);
    pthread_mutex_lock(&lock);
    my_node = node;
    guest_node = guest;
    int open = listen_on_all(address, SHEAF_WATCH_RING_ADDRESS);
    pthread_mutex_unlock(&lock);
    if (open == 0)
        errno = EADDRNOTAVAIL;
    return open == 0 ? -1 : 0;
}

static void drop_stage(enum sheaf_watch_stage stage)
{
    for (struct sheaf_watch_link *link = links; link < links + SHEAF_WATCH_RING_LINKS; link++)
        if (link->stage == stage)
            sheaf_watch_link_drop(link);
}

static void close_doors(void)
{
    drop_stage(SHEAF_WATCH_LISTENING);
    drop_stage(SHEAF_WATCH_GUEST);
}

void sheaf_watch_ring_close(void)
{
    pthread_mutex_lock(&lock);
    close_doors();
    pthread_mutex_unlock(&lock);
}

bool sheaf_watch_ring_is_open(void)
{
    bool is_open = false;
    pthread_mutex_lock(&lock);
    for (struct sheaf_watch_link *link = links; link < links + SHEAF_WATCH_RING_LINKS; link++)
        is_open |= link->stage == SHEAF_WATCH_LISTENING;
    pthread_mutex_unlock(&lock);
    return is_open;
}

static bool is_under_way(int place)
{
    for (struct sheaf_watch_link *link = links; link < links + SHEAF_WATCH_RING_LINKS; link++)
        if (link->stage != SHEAF_WATCH_FREE && link->is_outgoing &&
            (link->place == place || link->stage == SHEAF_WATCH_JOINED))
            return true;
    return false;
}

static void connect_to(int node, int place, const char *address, int port)
{
    int fd = is_under_way(place) ? -1 : sheaf_interface_connect(address, port);
    struct sheaf_watch_link *link = fd >= 0 ? add_link(SHEAF_WATCH_CONNECTING, fd) : NULL;
    if (!link)
        return;
    sheaf_interface_keep_asking(fd);
    link->node = node;
    link->is_outgoing = true;
    link->place = place;
}

/* What a launcher hands over is text that anybody of the job wrote: more addresses than a leader
 * has are not looked at. */
void sheaf_watch_ring_reach(int node, const char *address)
{
    int used = 0, port;
    char hello[SHEAF_TOKEN_TEXT], welcome[SHEAF_TOKEN_TEXT], one[INET6_ADDRSTRLEN];
    if (sscanf(address, "%32s %32s%n", hello, welcome, &used) != 2)
        return;
    pthread_mutex_lock(&lock);
    bool is_sound = sheaf_token_parse(hello, &next.hello) &&
                    sheaf_token_parse(welcome, &next.welcome);
    const char *at = address + used;
    for (int place = 0; is_sound && place < SHEAF_INTERFACES; place++, at += used) {
        if (sscanf(at, " %45s %d%n", one, &port, &used) != 2 || port < 1 || port > 65535)
            break;
        connect_to(node, place, one, port);
    }
    pthread_mutex_unlock(&lock);
}

bool sheaf_watch_ring_is_joined(void)
{
    bool joined = false;
    pthread_mutex_lock(&lock);
    for (struct sheaf_watch_link *link = links; link < links + SHEAF_WATCH_RING_LINKS; link++)
        joined |= link->stage == SHEAF_WATCH_JOINED && link->is_outgoing;
    pthread_mutex_unlock(&lock);
    return joined;
}

static void drop_attempts(void)
{
    drop_stage(SHEAF_WATCH_CONNECTING);
    drop_stage(SHEAF_WATCH_GREETING);
}

void sheaf_watch_ring_give_up(void)
{
    pthread_mutex_lock(&lock);
    drop_attempts();
    pthread_mutex_unlock(&lock);
}

size_t sheaf_watch_ring_watch(struct pollfd fds[SHEAF_WATCH_RING_LINKS])
{
    size_t count = 0;
    pthread_mutex_lock(&lock);
    for (struct sheaf_watch_link *link = links; link < links + SHEAF_WATCH_RING_LINKS; link++)
        if (link->stage != SHEAF_WATCH_FREE)
            fds[count++] = (struct pollfd){.fd = link->fd, .events = sheaf_watch_link_events(link)};
    pthread_mutex_unlock(&lock);
    return count;
}

static void join(struct sheaf_watch_link *link)
{
    link->stage = SHEAF_WATCH_JOINED;
    was_joined[link->is_outgoing] = true;
    post(link, said, NULL);
}

static void greet(struct sheaf_watch_link *link)
{
    int error = 0;
    socklen_t length = sizeof error;
    getsockopt(link->fd, SOL_SOCKET, SO_ERROR, &error, &length);
    if (error == 0 && post(link, SHEAF_WATCH_HELLO, &next.hello))
        link->stage = SHEAF_WATCH_GREETING;
    else
        sheaf_watch_link_drop(link);
}

static bool is_word(const struct sheaf_watch_message *message, uint32_t word,
                    const struct sheaf_token *token)
{
    return message->word == word && sheaf_token_is_equal(&message->token, token);
}

/* A whole message has come. */
static enum sheaf_watch_ring_news heed(struct sheaf_watch_link *link)
{
    const struct sheaf_watch_message *message = &link->in;
    if (link->stage == SHEAF_WATCH_GUEST && is_word(message, SHEAF_WATCH_HELLO, &mine.hello) &&
        message->node == guest_node) {
        link->node = guest_node;
        post(link, SHEAF_WATCH_WELCOME, &mine.welcome);
        join(link);
        close_doors();
    } else if (link->stage == SHEAF_WATCH_GREETING &&
               is_word(message, SHEAF_WATCH_WELCOME, &next.welcome)) {
        join(link);
        drop_attempts();
    } else if (link->stage == SHEAF_WATCH_JOINED && message->word >= SHEAF_WATCH_RING_HOLD &&
               message->word <= SHEAF_WATCH_RING_ENDING) {
        link->is_held = message->word == SHEAF_WATCH_RING_HOLD;
        if (message->word == SHEAF_WATCH_RING_ENDING) {
            link->end_pe = told_pe = message->pe;
            told_how = message->how;
            return SHEAF_WATCH_RING_TOLD;
        }
    } else if (link->stage != SHEAF_WATCH_JOINED ||
               !sheaf_watch_link_heed_parcels(link, my_node, largest_parcel)) {
        sheaf_watch_link_drop(link); /* not one of us */
    }
    return SHEAF_WATCH_RING_NOTHING;
}

static enum sheaf_watch_ring_news end_of(struct sheaf_watch_link *link, bool in_order)
{
    bool counts = link->stage == SHEAF_WATCH_JOINED && link->is_held;
    bool closed = in_order || errno == ECONNRESET || errno == EPIPE;
    sheaf_watch_link_drop(link);
    return !counts ? SHEAF_WATCH_RING_NOTHING : closed ? SHEAF_WATCH_RING_ENDED : SHEAF_WATCH_RING_SILENT;
}

/* A parcel that has not been taken by now is not waited for any more. */
static enum sheaf_watch_ring_news keep_parcel(struct sheaf_watch_link *link)
{
    free(arrived.bytes);
    arrived = (struct sheaf_watch_ring_parcel){link->parcels.in, link->parcels.in_length,
                                               link->is_outgoing};
    link->parcels.in = NULL;
    return SHEAF_WATCH_RING_PARCEL;
}

static enum sheaf_watch_ring_news hear(struct sheaf_watch_link *link)
{
    enum sheaf_watch_ring_news news = SHEAF_WATCH_RING_NOTHING;
    while (link->stage != SHEAF_WATCH_FREE && news == SHEAF_WATCH_RING_NOTHING) {
        enum sheaf_watch_heard heard = sheaf_watch_link_hear(link);
        if (heard == SHEAF_WATCH_HEARD_NOTHING)
            break;
        if (heard == SHEAF_WATCH_HEARD_END || heard == SHEAF_WATCH_HEARD_ERROR)
            return end_of(link, heard == SHEAF_WATCH_HEARD_END);
        if (heard == SHEAF_WATCH_HEARD_MESSAGE)
            news = heed(link);
        else if (heard == SHEAF_WATCH_HEARD_PARCEL)
            news = keep_parcel(link);
    }
    return news;
}

/* The one that has waited longest, if there are as many as may be. */
static struct sheaf_watch_link *guest_in_the_way(void)
{
    struct sheaf_watch_link *oldest = NULL;
    int guests = 0;
    for (struct sheaf_watch_link *link = links; link < links + SHEAF_WATCH_RING_LINKS; link++) {
        if (link->stage != SHEAF_WATCH_GUEST)
            continue;
        guests++;
        if (!oldest || link->since_ns < oldest->since_ns)
            oldest = link;
    }
    return guests < MOST_GUESTS ? NULL : oldest;
}

static void make_room(void)
{
    struct sheaf_watch_link *oldest = guest_in_the_way();
    if (oldest)
        hear(oldest); /* it may be the one that is waited for */
    if (oldest && oldest->stage == SHEAF_WATCH_GUEST)
        sheaf_watch_link_drop(oldest);
}

/* A guest joins, or says nothing that is news. */
static void accept_some(struct sheaf_watch_link *listener)
{
    for (int i = 0; i < MOST_ACCEPTS && listener->stage == SHEAF_WATCH_LISTENING; i++) {
        int fd = accept4(listener->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS))
            sheaf_watch_link_drop(listener); /* poll would return at once for ever */
        if (fd < 0)
            return;
        make_room();
        if (listener->stage != SHEAF_WATCH_LISTENING) {
            close(fd);
            return;
        }
        sheaf_interface_keep_asking(fd);
        struct sheaf_watch_link *guest = add_link(SHEAF_WATCH_GUEST, fd);
        if (guest)
            hear(guest);
    }
}

static void drop_silent_guests(void)
{
    uint64_t now = sheaf_clock_ns();
    for (struct sheaf_watch_link *link = links; link < links + SHEAF_WATCH_RING_LINKS; link++)
        if (link->stage == SHEAF_WATCH_GUEST && now - link->since_ns > sheaf_times.guest_silent)
            sheaf_watch_link_drop(link);
}

static enum sheaf_watch_ring_news handle(int fd)
{
    for (struct sheaf_watch_link *link = links; link < links + SHEAF_WATCH_RING_LINKS; link++) {
        if (link->stage == SHEAF_WATCH_FREE || link->fd != fd)
            continue;
        if (link->stage == SHEAF_WATCH_LISTENING)
            accept_some(link);
        else if (link->stage == SHEAF_WATCH_CONNECTING)
            greet(link);
        else {
            sheaf_watch_link_flush(link); /* an end is heard of as well */
            return hear(link);
        }
    }
    return SHEAF_WATCH_RING_NOTHING;
}

enum sheaf_watch_ring_news sheaf_watch_ring_read(const struct pollfd *fds, size_t count, int *node)
{
    enum sheaf_watch_ring_news news = SHEAF_WATCH_RING_NOTHING;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < count && news == SHEAF_WATCH_RING_NOTHING; i++) {
        if (fds[i].revents == 0)
            continue;
        for (struct sheaf_watch_link *link = links; link < links + SHEAF_WATCH_RING_LINKS; link++)
            if (link->stage != SHEAF_WATCH_FREE && link->fd == fds[i].fd)
                *node = link->node;
        news = handle(fds[i].fd);
    }
    drop_silent_guests();
    pthread_mutex_unlock(&lock);
    return news;
}

static void say(enum sheaf_watch_ring_word word)
{
    said = word;
    for (struct sheaf_watch_link *link = links; link < links + SHEAF_WATCH_RING_LINKS; link++)
        if (link->stage == SHEAF_WATCH_JOINED)
            post(link, word, NULL);
}

void sheaf_watch_ring_say(enum sheaf_watch_ring_word word)
{
    pthread_mutex_lock(&lock);
    say(word);
    pthread_mutex_unlock(&lock);
}

void sheaf_watch_ring_accept_parcels(size_t largest)
{
    pthread_mutex_lock(&lock);
    largest_parcel = largest < INT32_MAX ? largest : INT32_MAX;
    pthread_mutex_unlock(&lock);
}

bool sheaf_watch_ring_send(bool to_next, const void *bytes, size_t length)
{
    bool sent = false;
    pthread_mutex_lock(&lock);
    for (struct sheaf_watch_link *link = links; link < links + SHEAF_WATCH_RING_LINKS; link++)
        if (link->stage == SHEAF_WATCH_JOINED && link->is_outgoing == to_next && length <= INT32_MAX)
            sent = sheaf_watch_link_post_parcel(link, my_node, bytes, (uint32_t)length);
    pthread_mutex_unlock(&lock);
    return sent;
}

bool sheaf_watch_ring_take(struct sheaf_watch_ring_parcel *parcel)
{
    pthread_mutex_lock(&lock);
    *parcel = arrived;
    arrived.bytes = NULL;
    pthread_mutex_unlock(&lock);
    return parcel->bytes != NULL;
}

void sheaf_watch_ring_say_ending(int pe, int how)
{
    pthread_mutex_lock(&lock);
    said_pe = pe;
    said_how = how;
    say(SHEAF_WATCH_RING_ENDING);
    pthread_mutex_unlock(&lock);
}

void sheaf_watch_ring_told(int *pe, int *how)
{
    pthread_mutex_lock(&lock);
    *pe = told_pe;
    *how = told_how;
    pthread_mutex_unlock(&lock);
}

bool sheaf_watch_ring_is_over(int pe)
{
    pthread_mutex_lock(&lock);
    bool over = was_joined[0] && was_joined[1];
    for (struct sheaf_watch_link *link = links; link < links + SHEAF_WATCH_RING_LINKS; link++)
        over &= link->stage != SHEAF_WATCH_JOINED || link->end_pe == pe;
    pthread_mutex_unlock(&lock);
    return over;
}
