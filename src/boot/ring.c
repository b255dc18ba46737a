/* SPDX-License-Identifier: BSD-3-Clause
 * See ring.h.
 *
 * Who connects says HELLO with the token that the other side has published, which shows that it
 * has reached whom it meant: addresses such as those of bridges are the same on many hosts. The
 * other answers WELCOME; the first link that is welcomed stays, and the others close. Only then
 * comes HOLD, after which an end is news.
 */
#include "boot/ring.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

/* Beside the words of ring.h. */
enum { HELLO = 16, WELCOME };

/* All that ever travels. Hosts of one job are alike, so no byte is swapped. */
struct message {
    uint64_t token; /* of HELLO */
    uint32_t word;
    int32_t node;   /* the sender's */
    int32_t pe;     /* of ENDING: who ends the job */
    int32_t how;    /* see boot/end.h */
};

enum stage {
    FREE,
    LISTENING,
    CONNECTING, /* to the next node */
    GREETING,   /* HELLO sent, WELCOME awaited */
    GUEST,      /* accepted, HELLO awaited */
    JOINED
};

struct link {
    enum stage stage;
    int fd;
    int node;         /* the other side's */
    bool is_outgoing; /* I connected */
    bool is_held;     /* its end is news */
    int end_pe;       /* whose end of the job the other side knows of; -1: nobody's */
    size_t filled;    /* bytes of in */
    struct message in;
};

/* All under the lock: the thread that polls, and whoever says a word. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct link links[SHEAF_RING_LINKS];
static int my_node;
static uint64_t my_token, next_token;
static enum sheaf_ring_word said = SHEAF_RING_RELEASE;
static int said_pe = -1, said_how;
static int told_pe, told_how;
static bool was_joined[2]; /* by the next node, and by the one before */

static struct link *add_link(enum stage stage, int fd)
{
    for (struct link *link = links; link < links + SHEAF_RING_LINKS; link++) {
        if (link->stage != FREE)
            continue;
        *link = (struct link){.stage = stage, .fd = fd, .node = -1, .end_pe = -1};
        return link;
    }
    close(fd);
    return NULL;
}

static void drop(struct link *link)
{
    close(link->fd);
    link->stage = FREE;
}

static void set_number(int fd, int level, int option, int value)
{
    setsockopt(fd, level, option, &value, sizeof value);
}

/* Probes after a second without a sign, every second, and the end after the third. */
static void keep_asking(int fd)
{
    set_number(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
    set_number(fd, IPPROTO_TCP, TCP_KEEPIDLE, 1);
    set_number(fd, IPPROTO_TCP, TCP_KEEPINTVL, 1);
    set_number(fd, IPPROTO_TCP, TCP_KEEPCNT, 3);
    set_number(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, 3500);
    set_number(fd, IPPROTO_TCP, TCP_NODELAY, 1);
}

static bool post(struct link *link, uint32_t word, uint64_t token)
{
    struct message message = {
        .token = token, .word = word, .node = my_node, .pe = said_pe, .how = said_how};
    return send(link->fd, &message, sizeof message, MSG_NOSIGNAL | MSG_DONTWAIT) == sizeof message;
}

/* Addresses that another host may reach; those of one link's own are left out. Returns how many. */
static int list_addresses(char *text, size_t size)
{
    struct ifaddrs *all, *each;
    char one[INET6_ADDRSTRLEN];
    size_t used = 0;
    int count = 0;
    if (getifaddrs(&all) != 0)
        return 0;
    for (each = all; each; each = each->ifa_next) {
        const struct sockaddr_in *four = (void *)each->ifa_addr;
        const struct sockaddr_in6 *six = (void *)each->ifa_addr;
        if (!each->ifa_addr || !(each->ifa_flags & IFF_UP) || each->ifa_flags & IFF_LOOPBACK)
            continue;
        if (four->sin_family == AF_INET)
            inet_ntop(AF_INET, &four->sin_addr, one, sizeof one);
        else if (six->sin6_family == AF_INET6 && !IN6_IS_ADDR_LINKLOCAL(&six->sin6_addr))
            inet_ntop(AF_INET6, &six->sin6_addr, one, sizeof one);
        else
            continue;
        if (used + strlen(one) + 2 > size)
            break;
        used += (size_t)sprintf(text + used, " %s", one);
        count++;
    }
    freeifaddrs(all);
    return count;
}

/* On every address, of both families where the system has both. */
static int listen_anywhere(int *port)
{
    struct sockaddr_in6 any = {.sin6_family = AF_INET6, .sin6_addr = in6addr_any};
    socklen_t length = sizeof any;
    int fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0)
        set_number(fd, IPPROTO_IPV6, IPV6_V6ONLY, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&any, sizeof any) != 0) {
        struct sockaddr_in any4 = {.sin_family = AF_INET};
        if (fd >= 0)
            close(fd);
        fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (fd < 0 || bind(fd, (struct sockaddr *)&any4, sizeof any4) != 0)
            goto failed;
    }
    if (listen(fd, SHEAF_RING_LINKS) != 0 ||
        getsockname(fd, (struct sockaddr *)&any, &length) != 0)
        goto failed;
    *port = ntohs(any.sin6_port); /* at the same place in both families */
    return fd;
failed:
    if (fd >= 0)
        close(fd);
    return -1;
}

int sheaf_ring_open(int node, char address[SHEAF_RING_ADDRESS])
{
    int port;
    char list[SHEAF_RING_ADDRESS - 64] = "";
    if (getrandom(&my_token, sizeof my_token, 0) != sizeof my_token)
        return -1;
    int fd = listen_anywhere(&port);
    if (fd < 0)
        return -1;
    if (list_addresses(list, sizeof list) == 0) {
        close(fd);
        errno = EADDRNOTAVAIL;
        return -1;
    }
    pthread_mutex_lock(&lock);
    my_node = node;
    add_link(LISTENING, fd);
    pthread_mutex_unlock(&lock);
    snprintf(address, SHEAF_RING_ADDRESS, "%016llx %d%s", (unsigned long long)my_token, port, list);
    return 0;
}

static int begin_connect(const char *text, int port)
{
    struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port)};
    bool is_four = inet_pton(AF_INET, text, &four.sin_addr) == 1;
    if (!is_four && inet_pton(AF_INET6, text, &six.sin6_addr) != 1)
        return -1;
    int fd = socket(is_four ? AF_INET : AF_INET6, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return -1;
    keep_asking(fd);
    int failed = is_four ? connect(fd, (struct sockaddr *)&four, sizeof four)
                         : connect(fd, (struct sockaddr *)&six, sizeof six);
    if (failed && errno != EINPROGRESS) {
        close(fd);
        return -1;
    }
    return fd;
}

void sheaf_ring_reach(int node, const char *address)
{
    int port, used;
    unsigned long long token;
    char one[INET6_ADDRSTRLEN];
    if (sscanf(address, "%llx %d%n", &token, &port, &used) != 2)
        return;
    pthread_mutex_lock(&lock);
    next_token = token;
    for (const char *at = address + used; sscanf(at, " %45s%n", one, &used) == 1; at += used) {
        int fd = begin_connect(one, port);
        struct link *link = fd >= 0 ? add_link(CONNECTING, fd) : NULL;
        if (link) {
            link->node = node;
            link->is_outgoing = true;
        }
    }
    pthread_mutex_unlock(&lock);
}

bool sheaf_ring_is_joined(void)
{
    bool joined = false;
    pthread_mutex_lock(&lock);
    for (struct link *link = links; link < links + SHEAF_RING_LINKS; link++)
        joined |= link->stage == JOINED && link->is_outgoing;
    pthread_mutex_unlock(&lock);
    return joined;
}

static void drop_attempts(void)
{
    for (struct link *link = links; link < links + SHEAF_RING_LINKS; link++)
        if (link->stage == CONNECTING || link->stage == GREETING)
            drop(link);
}

void sheaf_ring_give_up(void)
{
    pthread_mutex_lock(&lock);
    drop_attempts();
    pthread_mutex_unlock(&lock);
}

size_t sheaf_ring_watch(struct pollfd fds[SHEAF_RING_LINKS])
{
    size_t count = 0;
    pthread_mutex_lock(&lock);
    for (struct link *link = links; link < links + SHEAF_RING_LINKS; link++)
        if (link->stage != FREE)
            fds[count++] = (struct pollfd){
                .fd = link->fd, .events = link->stage == CONNECTING ? POLLOUT : POLLIN};
    pthread_mutex_unlock(&lock);
    return count;
}

static void join(struct link *link)
{
    link->stage = JOINED;
    was_joined[link->is_outgoing] = true;
    post(link, said, 0);
}

static void accept_all(const struct link *listener)
{
    for (;;) {
        int fd = accept4(listener->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd < 0)
            return;
        keep_asking(fd);
        add_link(GUEST, fd);
    }
}

static void greet(struct link *link)
{
    int error = 0;
    socklen_t length = sizeof error;
    getsockopt(link->fd, SOL_SOCKET, SO_ERROR, &error, &length);
    if (error == 0 && post(link, HELLO, next_token))
        link->stage = GREETING;
    else
        drop(link);
}

/* A whole message has come. */
static enum sheaf_ring_news heed(struct link *link)
{
    const struct message *message = &link->in;
    if (link->stage == GUEST && message->word == HELLO && message->token == my_token) {
        link->node = message->node;
        post(link, WELCOME, 0);
        join(link);
    } else if (link->stage == GREETING && message->word == WELCOME) {
        join(link);
        drop_attempts();
    } else if (link->stage == JOINED && message->word <= SHEAF_RING_ENDING) {
        link->is_held = message->word == SHEAF_RING_HOLD;
        if (message->word == SHEAF_RING_ENDING) {
            link->end_pe = told_pe = message->pe;
            told_how = message->how;
            return SHEAF_RING_TOLD;
        }
    } else {
        drop(link); /* not one of us */
    }
    return SHEAF_RING_NOTHING;
}

static enum sheaf_ring_news end_of(struct link *link, ssize_t got)
{
    bool counts = link->stage == JOINED && link->is_held;
    bool closed = got == 0 || errno == ECONNRESET || errno == EPIPE;
    drop(link);
    return !counts ? SHEAF_RING_NOTHING : closed ? SHEAF_RING_ENDED : SHEAF_RING_SILENT;
}

static enum sheaf_ring_news hear(struct link *link)
{
    while (link->stage != FREE) {
        ssize_t got = recv(link->fd, (char *)&link->in + link->filled,
                           sizeof link->in - link->filled, MSG_DONTWAIT);
        if (got < 0 && (errno == EAGAIN || errno == EINTR))
            return SHEAF_RING_NOTHING;
        if (got <= 0)
            return end_of(link, got);
        link->filled += (size_t)got;
        if (link->filled < sizeof link->in)
            continue;
        link->filled = 0;
        enum sheaf_ring_news news = heed(link);
        if (news != SHEAF_RING_NOTHING)
            return news;
    }
    return SHEAF_RING_NOTHING;
}

static enum sheaf_ring_news handle(int fd)
{
    for (struct link *link = links; link < links + SHEAF_RING_LINKS; link++) {
        if (link->stage == FREE || link->fd != fd)
            continue;
        if (link->stage == LISTENING)
            accept_all(link);
        else if (link->stage == CONNECTING)
            greet(link);
        else
            return hear(link);
    }
    return SHEAF_RING_NOTHING;
}

enum sheaf_ring_news sheaf_ring_read(const struct pollfd *fds, size_t count, int *node)
{
    enum sheaf_ring_news news = SHEAF_RING_NOTHING;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < count && news == SHEAF_RING_NOTHING; i++) {
        if (fds[i].revents == 0)
            continue;
        for (struct link *link = links; link < links + SHEAF_RING_LINKS; link++)
            if (link->stage != FREE && link->fd == fds[i].fd)
                *node = link->node;
        news = handle(fds[i].fd);
    }
    pthread_mutex_unlock(&lock);
    return news;
}

static void say(enum sheaf_ring_word word)
{
    said = word;
    for (struct link *link = links; link < links + SHEAF_RING_LINKS; link++)
        if (link->stage == JOINED)
            post(link, word, 0);
}

void sheaf_ring_say(enum sheaf_ring_word word)
{
    pthread_mutex_lock(&lock);
    say(word);
    pthread_mutex_unlock(&lock);
}

void sheaf_ring_say_ending(int pe, int how)
{
    pthread_mutex_lock(&lock);
    said_pe = pe;
    said_how = how;
    say(SHEAF_RING_ENDING);
    pthread_mutex_unlock(&lock);
}

void sheaf_ring_told(int *pe, int *how)
{
    pthread_mutex_lock(&lock);
    *pe = told_pe;
    *how = told_how;
    pthread_mutex_unlock(&lock);
}

bool sheaf_ring_is_over(int pe)
{
    pthread_mutex_lock(&lock);
    bool over = was_joined[0] && was_joined[1];
    for (struct link *link = links; link < links + SHEAF_RING_LINKS; link++)
        over &= link->stage != JOINED || link->end_pe == pe;
    pthread_mutex_unlock(&lock);
    return over;
}
