/* SPDX-License-Identifier: BSD-3-Clause
 * See post.h.
 */
#include "boot/order/post.h"

#include "base/clock.h"
#include "base/times.h"
#include "boot/ring/interface.h"
#include "boot/ring/token.h"
#include "boot/ring/watch_queue.h"

#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define MOST_GUESTS 16
#define BACKLOG     128

/* Beside those of journal.h. The body is a token: hello shows the one that is reached, welcome the
 * guest's. */
enum { HELLO = 100, WELCOME };

/* Of them, in head.kind. The pulse carries nothing: when its process ends its kernel says so in order,
 * which of a connection with unread messages it does not. */
enum purpose { LETTERS, PULSE };

enum stage { FREE, CONNECTING, GREETING, GUEST, JOINED, PARTED };

struct link {
    enum stage stage;
    enum purpose purpose;
    int fd, node;
    uint64_t since_ns;
    bool is_broken;   /* found while sending */
    int error;        /* the kernel's, which it tells but once */
    bool is_shut;     /* PARTED: all has been sent */
    size_t filled;    /* of head and body */
    struct sheaf_order_head head;
    char *body;
    struct sheaf_watch_queue out;
};

struct keeper {
    struct sheaf_token token;
    char *addresses; /* NULL: not known */
    bool was_joined, has_pulse;
    int pulse;       /* a descriptor */
    uint32_t word;
};

static struct {
    int nodes, me, listeners;
    int listening[SHEAF_INTERFACES];
    struct keeper *keeper;
    struct link *links;
    size_t most_links;
    uint64_t again_ns;
} post;

static uint64_t since(uint64_t then)
{
    return sheaf_clock_ns() - then;
}

int sheaf_post_open(int nodes, int node, char address[SHEAF_POST_ADDRESS])
{
    char addresses[SHEAF_INTERFACES][INET6_ADDRSTRLEN], token[SHEAF_TOKEN_TEXT];
    int port, count = sheaf_interface_list(addresses);
    post.nodes = nodes;
    post.me = node;
    post.most_links = (size_t)nodes * (1 + SHEAF_INTERFACES) + MOST_GUESTS;
    post.keeper = calloc((size_t)nodes, sizeof *post.keeper);
    post.links = calloc(post.most_links, sizeof *post.links);
    if (!post.keeper || !post.links || !sheaf_token_make(&post.keeper[node].token))
        return -1;
    sheaf_token_print(token, &post.keeper[node].token);
    size_t used = (size_t)snprintf(address, SHEAF_POST_ADDRESS, "%s", token);
    for (int i = 0; i < count; i++) {
        int fd = sheaf_interface_listen(addresses[i], BACKLOG, &port);
        if (fd < 0)
            continue;
        post.listening[post.listeners++] = fd;
        used += (size_t)snprintf(address + used, SHEAF_POST_ADDRESS - used, " %s %d", addresses[i], port);
    }
    if (post.listeners == 0)
        errno = EADDRNOTAVAIL;
    return post.listeners ? 0 : -1;
}

static void close_doors(void)
{
    while (post.listeners > 0)
        close(post.listening[--post.listeners]);
}

void sheaf_post_forget(void)
{
    close_doors();
    free(post.keeper);
    free(post.links);
    memset(&post, 0, sizeof post);
}

bool sheaf_post_has(int fd)
{
    for (int i = 0; i < post.listeners; i++)
        if (post.listening[i] == fd)
            return true;
    return false;
}

static struct link *add_link(enum stage stage, int fd, int node)
{
    int silent = sheaf_times_ms(sheaf_times.agent_unanswered);
    for (struct link *link = post.links; link < post.links + post.most_links; link++) {
        if (link->stage != FREE)
            continue;
        *link = (struct link){.stage = stage, .fd = fd, .node = node, .since_ns = sheaf_clock_ns()};
        sheaf_interface_keep_asking(fd);
        setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &silent, sizeof silent);
        return link;
    }
    close(fd);
    return NULL;
}

static void drop(struct link *link)
{
    if (link->fd >= 0)
        close(link->fd);
    free(link->body);
    sheaf_watch_queue_free(&link->out);
    *link = (struct link){.stage = FREE};
}

static struct link *link_of(int node, enum stage stage)
{
    for (struct link *link = post.links; link < post.links + post.most_links; link++)
        if (link->stage == stage && link->node == node)
            return link;
    return NULL;
}

static bool is_reached(int node, enum purpose purpose)
{
    return purpose == PULSE ? post.keeper[node].has_pulse : post.keeper[node].was_joined;
}

bool sheaf_post_reach(int node, const char *address)
{
    const char *rest = address + SHEAF_TOKEN_TEXT - 1;
    if (node < 0 || node >= post.nodes || node == post.me || strlen(address) < SHEAF_TOKEN_TEXT ||
        !sheaf_token_parse(address, &post.keeper[node].token))
        return false;
    free(post.keeper[node].addresses);
    post.keeper[node].addresses = strdup(rest);
    return post.keeper[node].addresses != NULL;
}

int sheaf_post_lacks(void)
{
    for (int node = 0; node < post.nodes; node++)
        if (node != post.me && !(is_reached(node, LETTERS) && is_reached(node, PULSE)))
            return node;
    return -1;
}

bool sheaf_post_is_complete(void)
{
    return sheaf_post_lacks() < 0;
}

void sheaf_post_set_word(uint32_t word)
{
    post.keeper[post.me].word = word;
}

uint32_t sheaf_post_word_of(int node)
{
    return post.keeper[node].word;
}

/* At all its addresses at once: the first that answers stays. */
static void connect_to(int node, enum purpose purpose)
{
    char address[INET6_ADDRSTRLEN];
    int port, used;
    for (const char *at = post.keeper[node].addresses;
         sscanf(at, " %45s %d%n", address, &port, &used) == 2; at += used) {
        int fd = sheaf_interface_connect(address, port);
        struct link *link = fd >= 0 ? add_link(CONNECTING, fd, node) : NULL;
        if (link)
            link->purpose = purpose;
    }
}

static bool is_tried(int node)
{
    return link_of(node, CONNECTING) || link_of(node, GREETING);
}

static void connect_to_lower(void)
{
    if (sheaf_clock_ns() < post.again_ns)
        return;
    post.again_ns = sheaf_clock_ns() + sheaf_times.agent_connects_again;
    for (int node = 0; node < post.me; node++)
        if (post.keeper[node].addresses && !is_tried(node) && !is_reached(node, PULSE))
            connect_to(node, is_reached(node, LETTERS) ? PULSE : LETTERS);
}

size_t sheaf_post_most(void)
{
    return post.most_links + SHEAF_INTERFACES;
}

/* An entry of the list that was made before all are connected would not come to all. */
static short events_of(const struct link *link)
{
    bool waits = sheaf_watch_queue_length(&link->out) > 0;
    bool is_early = link->stage == JOINED && !sheaf_post_is_complete();
    return (short)(link->stage == CONNECTING ? POLLOUT : (waits ? POLLOUT : 0) | (is_early ? 0 : POLLIN));
}

size_t sheaf_post_watch(struct pollfd *fds, size_t count)
{
    size_t used = 0;
    for (int i = 0; i < post.listeners && used < count; i++)
        fds[used++] = (struct pollfd){.fd = post.listening[i], .events = POLLIN};
    for (struct link *link = post.links; link < post.links + post.most_links && used < count; link++)
        if (link->stage != FREE)
            fds[used++] = (struct pollfd){.fd = link->fd, .events = events_of(link)};
    return used;
}

static bool has_broken(void)
{
    for (struct link *link = post.links; link < post.links + post.most_links; link++)
        if (link->is_broken)
            return true;
    return false;
}

int sheaf_post_timeout(void)
{
    if (has_broken())
        return 0;
    return sheaf_post_is_complete() ? -1 : sheaf_times_ms(sheaf_times.agent_connects_again);
}

static void queue(struct link *link, const struct sheaf_order_head *head, const void *body)
{
    if (!sheaf_watch_queue_reserve(&link->out, sizeof *head + head->bytes)) {
        link->is_broken = true;
        link->error = ENOMEM;
        return;
    }
    sheaf_watch_queue_put(&link->out, head, sizeof *head);
    if (head->bytes)
        sheaf_watch_queue_put(&link->out, body, head->bytes);
}

static void flush(struct link *link)
{
    if (link->is_broken)
        return;
    if (!sheaf_watch_queue_flush(&link->out, link->fd)) {
        link->is_broken = true;
        link->error = errno;
        return;
    }
    if (link->stage == PARTED && !link->is_shut && sheaf_watch_queue_length(&link->out) == 0) {
        shutdown(link->fd, SHUT_WR);
        link->is_shut = true;
    }
}

void sheaf_post_send(int node, const struct sheaf_order_head *head, const void *body)
{
    struct link *link = link_of(node, JOINED);
    if (!link || link->is_broken)
        return;
    queue(link, head, body);
    flush(link);
}

void sheaf_post_part(int node)
{
    struct link *link = link_of(node, JOINED);
    if (!link)
        return;
    link->stage = PARTED;
    flush(link);
}

bool sheaf_post_is_done(void)
{
    for (struct link *link = post.links; link < post.links + post.most_links; link++)
        if (link->stage == PARTED && !link->is_broken)
            return false;
    return true;
}

static void greet(struct link *link, unsigned word, const struct sheaf_token *token)
{
    struct sheaf_order_head head = {.bytes = sizeof *token, .word = (uint16_t)word,
                                    .kind = (uint16_t)link->purpose, .node = post.me,
                                    .greeting = post.keeper[post.me].word};
    queue(link, &head, token);
    flush(link);
}

static void keep_pulse(struct link *link, int node)
{
    post.keeper[node].has_pulse = true;
    post.keeper[node].pulse = link->fd;
    link->fd = -1; /* it outlives the link */
    drop(link);
}

static void join(struct link *link, int node)
{
    link->stage = JOINED;
    link->node = node;
    post.keeper[node].was_joined = true;
    post.keeper[node].word = link->head.greeting;
    post.again_ns = 0; /* the pulse comes at once */
}

static void settle(struct link *link, int node)
{
    if (link->purpose == PULSE)
        keep_pulse(link, node);
    else
        join(link, node);
    if (sheaf_post_is_complete())
        close_doors();
}

static bool is_token(const struct link *link, const struct sheaf_token *token)
{
    return link->head.bytes == sizeof *token &&
        sheaf_token_is_equal((const struct sheaf_token *)link->body, token);
}

/* HELLO of a guest shows my token; it is answered with the guest's, which it knows that I was told. A
 * guest that comes before I was told comes again. */
static bool welcome(struct link *link)
{
    int node = link->head.node;
    if (link->head.word != HELLO || !is_token(link, &post.keeper[post.me].token) || node <= post.me ||
        node >= post.nodes || link->head.kind > PULSE || !post.keeper[node].addresses ||
        is_reached(node, link->head.kind))
        return false;
    link->purpose = link->head.kind;
    greet(link, WELCOME, &post.keeper[node].token);
    settle(link, node);
    return true;
}

static bool be_welcomed(struct link *link)
{
    if (link->head.word != WELCOME || !is_token(link, &post.keeper[post.me].token) ||
        is_reached(link->node, link->purpose))
        return false;
    settle(link, link->node);
    return true;
}

static bool heed(struct link *link, const struct sheaf_post_user *user)
{
    if (link->stage == GUEST)
        return welcome(link);
    if (link->stage == GREETING)
        return be_welcomed(link);
    return link->stage == PARTED || user->heard(link->node, &link->head, link->body);
}

static bool may_be(const struct link *link)
{
    uint32_t most = link->stage == JOINED || link->stage == PARTED ? SHEAF_ORDER_MOST_BYTES
                                                                  : sizeof(struct sheaf_token);
    return link->head.bytes <= most;
}

/* Bytes that the message under way still lacks go to where they belong. */
static ssize_t receive(struct link *link)
{
    const size_t size = sizeof link->head;
    if (link->filled < size)
        return recv(link->fd, (char *)&link->head + link->filled, size - link->filled, MSG_DONTWAIT);
    size_t got = link->filled - size;
    return recv(link->fd, link->body + got, link->head.bytes - got, MSG_DONTWAIT);
}

static bool begin_body(struct link *link)
{
    free(link->body);
    link->body = NULL;
    if (!may_be(link))
        return false;
    link->body = link->head.bytes ? malloc(link->head.bytes) : NULL;
    return link->body || link->head.bytes == 0;
}

/* A kernel resets the connection of a process that has ended without reading all, and one that it has
 * given up though its process lives: the pulse tells them apart. */
static bool has_ended(int node)
{
    struct pollfd end = {.fd = post.keeper[node].pulse, .events = POLLIN};
    char byte;
    return post.keeper[node].has_pulse && poll(&end, 1, sheaf_times_ms(sheaf_times.agent_ended)) == 1 &&
           recv(end.fd, &byte, 1, MSG_DONTWAIT) == 0;
}

/* got: what recv has returned. Where sending had failed already, that was told the reason. */
static enum sheaf_node_end how_ended(const struct link *link, ssize_t got)
{
    int error = link->error ? link->error : got < 0 ? errno : 0;
    if (error == 0 || error == EPIPE)
        return SHEAF_NODE_CLOSED;
    bool is_reset = error == ECONNRESET && link->stage == JOINED;
    return is_reset && has_ended(link->node) ? SHEAF_NODE_CLOSED : SHEAF_NODE_SILENT;
}

static void end_link(struct link *link, enum sheaf_node_end how, const struct sheaf_post_user *user)
{
    int node = link->node;
    bool counts = link->stage == JOINED;
    drop(link);
    if (counts)
        user->lost(node, how);
}

/* Strangers' messages, and such as no keeper sends, end the connection. */
static void hear(struct link *link, const struct sheaf_post_user *user)
{
    for (;;) {
        ssize_t got = receive(link);
        if (got < 0 && (errno == EAGAIN || errno == EINTR))
            return;
        if (got <= 0) {
            end_link(link, how_ended(link, got), user);
            return;
        }
        link->filled += (size_t)got;
        if (link->filled == sizeof link->head && !begin_body(link)) {
            end_link(link, SHEAF_NODE_CLOSED, user);
            return;
        }
        if (link->filled < sizeof link->head || link->filled - sizeof link->head < link->head.bytes)
            continue;
        link->filled = 0;
        if (!heed(link, user)) {
            end_link(link, SHEAF_NODE_CLOSED, user);
            return;
        }
        if (link->stage == FREE)
            return;
    }
}

static void drop_oldest_guest(void)
{
    struct link *oldest = NULL;
    int guests = 0;
    for (struct link *link = post.links; link < post.links + post.most_links; link++) {
        if (link->stage != GUEST)
            continue;
        guests++;
        if (!oldest || link->since_ns < oldest->since_ns)
            oldest = link;
    }
    if (guests >= MOST_GUESTS)
        drop(oldest);
}

static void let_in(int listener)
{
    int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0)
        return;
    drop_oldest_guest();
    add_link(GUEST, fd, -1);
}

static void finish_connecting(struct link *link)
{
    int error = 0;
    socklen_t length = sizeof error;
    if (getsockopt(link->fd, SOL_SOCKET, SO_ERROR, &error, &length) != 0 || error != 0) {
        drop(link);
        return;
    }
    link->stage = GREETING;
    greet(link, HELLO, &post.keeper[link->node].token);
}

static void handle(int fd, const struct sheaf_post_user *user)
{
    if (sheaf_post_has(fd)) {
        let_in(fd);
        return;
    }
    for (struct link *link = post.links; link < post.links + post.most_links; link++) {
        if (link->stage == FREE || link->fd != fd)
            continue;
        if (link->stage == CONNECTING) {
            finish_connecting(link);
        } else {
            flush(link);
            hear(link, user);
        }
        return;
    }
}

/* What it said last is heard first. */
static void end_broken(struct link *link, const struct sheaf_post_user *user)
{
    hear(link, user);
    if (link->stage != FREE)
        end_link(link, how_ended(link, -1), user);
}

/* Attempts that another has made needless, and guests that say nothing. */
static void tidy(const struct sheaf_post_user *user)
{
    for (struct link *link = post.links; link < post.links + post.most_links; link++) {
        bool is_attempt = link->stage == CONNECTING || link->stage == GREETING;
        bool is_early = is_attempt || link->stage == GUEST;
        bool is_late = is_early && since(link->since_ns) > sheaf_times.guest_silent;
        if (is_late || (is_attempt && is_reached(link->node, link->purpose)))
            drop(link);
        else if (link->stage != FREE && link->is_broken)
            end_broken(link, user);
    }
}

void sheaf_post_read(const struct pollfd *fds, size_t count, const struct sheaf_post_user *user)
{
    for (size_t i = 0; i < count; i++)
        if (fds[i].revents)
            handle(fds[i].fd, user);
    tidy(user);
    connect_to_lower();
}
