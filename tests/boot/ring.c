/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A leader that waits for its neighbour while others come first: garbage, silence, a thousand
 * connections, tokens that are nearly right. The neighbour joins all the same, nobody can connect
 * after that, what it sends comes back whole, it may be stopped while it is sent something, and its end is
 * news. And a leader that is reached by one who does not know the second
 * token. On loopback (UCX_NET_DEVICES=lo). Arguments: none.
 */
#include "boot/ring/ring.h"
#include "hosts/handshake.h"
#include "hosts/interface.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                         \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

#define MY_NODE  3
#define GUEST    2
#define PATIENCE 20.0
#define PIECE    16384 /* as boot/ring/frame.h has it */
#define FRAME    12000000
#define FRAMES   6

static char where[SHEAF_RING_ADDRESS];

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* One look as the thread takes it. */
static enum sheaf_ring_news look(void)
{
    struct pollfd fds[SHEAF_RING_POLLS];
    int node = -2;
    size_t count = sheaf_ring_watch(fds);
    CHECK(count <= SHEAF_RING_POLLS);
    poll(fds, count, 20);
    enum sheaf_ring_news news = sheaf_ring_read(fds, count, &node);
    CHECK(news == SHEAF_RING_NOTHING || node == GUEST || node == MY_NODE);
    return news;
}

static pid_t in_a_child(void (*body)(void))
{
    pid_t child = fork();
    CHECK(child >= 0);
    if (child > 0)
        return child;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    alarm((unsigned)PATIENCE);
    sheaf_ring_close(); /* the parent's */
    body();
    _exit(0);
}

/* The text of where has a token of 32 characters, then addresses with their ports. */
static int connect_from(int fd)
{
    char address[INET6_ADDRSTRLEN];
    int port;
    CHECK(sscanf(where + SHEAF_TOKEN_TEXT, "%45s %d", address, &port) == 2);
    struct sockaddr_in end = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    CHECK(inet_pton(AF_INET, address, &end.sin_addr) == 1);
    return connect(fd, (struct sockaddr *)&end, sizeof end);
}

static int connect_as_stranger(void)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (connect_from(fd) == 0)
        return fd;
    close(fd);
    return -1;
}

static void say_hello(int fd, const char *token, int node)
{
    struct sheaf_handshake handshake = {.fd = fd};
    struct sheaf_token secret;
    CHECK(sheaf_token_parse(token, &secret));
    CHECK(recv(fd, &handshake.listener, sizeof handshake.listener, MSG_WAITALL) == sizeof handshake.listener);
    CHECK(sheaf_handshake_send(&handshake, (struct sheaf_greeting){.word = SHEAF_HELLO, .node = node}, &secret));
}

/* Closed by the other side, without a further byte. */
static void expect_refusal(int fd)
{
    char byte;
    struct timeval limit = {.tv_sec = 10};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    ssize_t got = recv(fd, &byte, 1, 0);
    CHECK(got == 0 || (got < 0 && errno == ECONNRESET));
    close(fd);
}

static void send_garbage(void)
{
    unsigned char garbage[5000];
    for (size_t i = 0; i < sizeof garbage; i++)
        garbage[i] = (unsigned char)(i * 167 + 16);
    for (int i = 0; i < 50; i++) {
        int fd = connect_as_stranger();
        CHECK(fd >= 0);
        send(fd, garbage + i, i % 2 ? sizeof garbage - 50 : (size_t)i, MSG_NOSIGNAL);
        close(fd);
    }
}

static void stay_silent(void)
{
    for (int i = 0; i < 60; i++)
        connect_as_stranger();
    pause();
}

static void come_often(void)
{
    for (int i = 0; i < 1000; i++) {
        int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
        connect_from(fd);
        if (i % 4 == 0)
            poll(NULL, 0, 1);
        if (i % 20)
            close(fd);
    }
}

static void guess(void)
{
    char token[33] = "";
    memcpy(token, where, 32);
    token[31] = token[31] == '0' ? '1' : '0';
    int nearly = connect_as_stranger();
    say_hello(nearly, token, GUEST);
    expect_refusal(nearly);
    int other = connect_as_stranger();
    say_hello(other, where, GUEST + 1000000);
    expect_refusal(other);
}

static int told[2];
static char sent[FRAME];

/* Sends a frame of every length that pieces end at, which come back. */
static void send_frames(void)
{
    static const size_t lengths[] = {1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE, FRAME};
    struct sheaf_ring_frame frame;
    for (size_t i = 0; i < sizeof sent; i++)
        sent[i] = (char)(i * 167 >> 3);
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
        CHECK(sheaf_ring_send(true, sent, lengths[i]));
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        for (double end = now() + PATIENCE; !sheaf_ring_take(&frame) && now() < end;)
            look();
        CHECK(frame.bytes && frame.is_of_next && frame.length == lengths[i]);
        CHECK(memcmp(frame.bytes, sent, frame.length) == 0);
        free(frame.bytes);
    }
}

static void take_large(void)
{
    struct sheaf_ring_frame frame = {.bytes = NULL};
    for (double end = now() + PATIENCE; !sheaf_ring_take(&frame) && now() < end;)
        look();
    CHECK(frame.bytes && frame.length == FRAME);
    free(frame.bytes);
}

/* Reaches the leader as another leader does, holds, and ends when it is told to. */
static void be_the_neighbour(void)
{
    char ignored[SHEAF_RING_ADDRESS], byte;
    struct pollfd fds[SHEAF_RING_POLLS];
    double end = now() + PATIENCE;
    int node;
    CHECK(sheaf_ring_open(GUEST, GUEST - 1, ignored) == 0);
    sheaf_ring_accept_frames(FRAME);
    sheaf_ring_say(SHEAF_RING_HOLD);
    while (!sheaf_ring_is_joined() && now() < end) {
        sheaf_ring_reach(MY_NODE, where);
        size_t count = sheaf_ring_watch(fds);
        poll(fds, count, 20);
        sheaf_ring_read(fds, count, &node);
    }
    CHECK(sheaf_ring_is_joined());
    send_frames();
    CHECK(read(told[0], &byte, 1) == 1);
    take_large();
    CHECK(read(told[0], &byte, 1) == 1);
}

/* Until so many have been sent back to the neighbour. */
static void return_frames(int count)
{
    struct sheaf_ring_frame frame;
    for (double end = now() + PATIENCE; count > 0 && now() < end;) {
        CHECK(look() != SHEAF_RING_ENDED);
        if (!sheaf_ring_take(&frame))
            continue;
        CHECK(!frame.is_of_next && sheaf_ring_send(false, frame.bytes, frame.length));
        free(frame.bytes);
        count--;
    }
    CHECK(count == 0);
}

/* To a neighbour that takes nothing in, longer than a host that is gone takes to show, and more than the
 * kernel keeps for it. */
static void send_large(void)
{
    CHECK(sheaf_ring_send(false, sent, FRAME));
    for (double end = now() + 5; now() < end;)
        CHECK(look() == SHEAF_RING_NOTHING);
}

static void finish(pid_t child)
{
    int status;
    double end = now() + PATIENCE;
    while (waitpid(child, &status, WNOHANG) == 0 && now() < end)
        look();
    CHECK(now() < end && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static int links_of(void)
{
    struct pollfd fds[SHEAF_RING_POLLS];
    return (int)sheaf_ring_watch(fds);
}

static void check_strangers(void)
{
    void (*const strangers[])(void) = {send_garbage, come_often, guess};
    CHECK(sheaf_ring_open(MY_NODE, GUEST, where) == 0 && sheaf_ring_is_open());
    int at_first = links_of();
    for (size_t i = 0; i < sizeof strangers / sizeof strangers[0]; i++)
        finish(in_a_child(strangers[i]));
    pid_t silent = in_a_child(stay_silent);
    for (double end = now() + 3; now() < end;)
        look();
    CHECK(links_of() == at_first); /* nobody is kept who says nothing */
    kill(silent, SIGKILL);
    waitpid(silent, NULL, 0);
}

static void check_neighbour(void)
{
    sheaf_ring_accept_frames(FRAME);
    CHECK(pipe(told) == 0);
    pid_t silent = in_a_child(stay_silent);
    for (double end = now() + 0.3; now() < end;)
        look();
    pid_t neighbour = in_a_child(be_the_neighbour);
    double end = now() + PATIENCE;
    while (sheaf_ring_is_open() && now() < end)
        CHECK(look() == SHEAF_RING_NOTHING);
    CHECK(!sheaf_ring_is_open() && links_of() == 1);
    CHECK(connect_as_stranger() == -1);
    return_frames(FRAMES);
    send_large();
    CHECK(write(told[1], "x", 1) == 1);
    CHECK(links_of() == 1);
    CHECK(write(told[1], "x", 1) == 1);
    enum sheaf_ring_news news = SHEAF_RING_NOTHING;
    while (news == SHEAF_RING_NOTHING && now() < end)
        news = look();
    CHECK(news == SHEAF_RING_ENDED);
    kill(silent, SIGKILL);
    waitpid(silent, NULL, 0);
    waitpid(neighbour, NULL, 0);
}

/* An impostor answers in the leader's place. The proof in HELLO is of no use for WELCOME. */
static void check_impostor(void)
{
    int port = 0;
    char text[SHEAF_RING_ADDRESS];
    int listener = sheaf_interface_listen("127.0.0.1", 4, &port);
    CHECK(listener >= 0);
    snprintf(text, sizeof text, "%032d 127.0.0.1 %d", 1, port);
    sheaf_ring_reach(MY_NODE, text);
    look();
    fcntl(listener, F_SETFL, 0);
    int fd = accept(listener, NULL, NULL);
    const struct sheaf_token challenge = {{1}};
    struct sheaf_greeting greeting;
    look();
    CHECK(send(fd, &challenge, sizeof challenge, MSG_NOSIGNAL) == sizeof challenge);
    look();
    CHECK(recv(fd, &greeting, sizeof greeting, MSG_WAITALL) == sizeof greeting);
    CHECK(greeting.word == SHEAF_HELLO);
    greeting.word = SHEAF_WELCOME;
    CHECK(send(fd, &greeting, sizeof greeting, MSG_NOSIGNAL) == sizeof greeting);
    for (double end = now() + 1; now() < end;)
        look();
    CHECK(!sheaf_ring_is_joined() && links_of() == 0);
    close(fd);
    close(listener);
}

int main(void)
{
    setenv("UCX_NET_DEVICES", "lo", 1);
    alarm(100);
    check_strangers();
    check_neighbour();
    check_impostor();
    puts("boot: ring ok");
    return 0;
}
