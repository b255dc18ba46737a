/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Agents of three nodes meet while strangers connect to all their ports: garbage, halves of greetings,
 * proofs that are nearly right, right ones of nodes that are not awaited, silence, thousands of connections. All
 * meet all the same, what they send comes whole and in order, nobody can connect after that, nobody has
 * grown, and the end of one is news for the others. On loopback (UCX_NET_DEVICES=lo). Arguments: none.
 */
#include "boot/replicated_log/mesh.h"
#include "descriptors.h"
#include "hosts/handshake.h"
#include "hosts/interface.h"
#include "random.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("%s:%d: node %d: failed: %s\n", __FILE__, __LINE__, me, #condition);            \
            fflush(stdout);                                                                        \
            _exit(1);                                                                              \
        }                                                                                          \
    } while (0)

#define NODES    3
#define VICTIM   1
#define MESSAGES 200
#define WORD     50   /* of a message */
#define HELD     200  /* a stranger's connections */
#define PATIENCE 40.0 /* s */
#define HEAD_START_US 300000 /* of the strangers */
#define MOST_FILES    64
#define MOST_KIB      (64 * 1024)

static char addresses[NODES][SHEAF_MESH_ADDRESS];
static int me = -1, got[NODES];
static bool is_lost[NODES];

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static size_t length_of(int message)
{
    return (size_t)message * 37 % SHEAF_JOURNAL_MOST_BYTES;
}

static bool heard(int node, const struct sheaf_journal_head *head, const void *body)
{
    CHECK(sheaf_mesh_is_complete());
    CHECK(head->word == WORD && head->node == node && (int)head->number == got[node]);
    CHECK(head->bytes == length_of(got[node]));
    for (uint32_t i = 0; i < head->bytes; i++)
        CHECK(((const unsigned char *)body)[i] == (unsigned char)(node + got[node]));
    got[node]++;
    return true;
}

static void lost(int node, enum sheaf_node_end how)
{
    CHECK(is_lost[VICTIM] || (node == VICTIM && how == SHEAF_NODE_CLOSED)); /* others end after that */
    is_lost[node] = true;
}

static void turn(void)
{
    static const struct sheaf_mesh_user user = {heard, lost};
    static struct pollfd *set;
    int timeout = sheaf_mesh_timeout();
    if (!set)
        set = calloc(sheaf_mesh_most(), sizeof *set);
    size_t count = sheaf_mesh_watch(set, sheaf_mesh_most());
    poll(set, count, timeout < 0 || timeout > 50 ? 50 : timeout);
    sheaf_mesh_read(set, count, &user);
}

static bool has_all(void)
{
    for (int node = 0; node < NODES; node++)
        if (node != me && got[node] < MESSAGES)
            return false;
    return true;
}

static void send_messages(void)
{
    char body[SHEAF_JOURNAL_MOST_BYTES];
    for (int message = 0; message < MESSAGES; message++) {
        struct sheaf_journal_head head = {.bytes = (uint32_t)length_of(message), .word = WORD, .node = me,
                                          .number = (uint64_t)message};
        memset(body, me + message, sizeof body);
        for (int node = 0; node < NODES; node++)
            sheaf_mesh_send(node, &head, body);
    }
}

static void say(int fd, const void *what, size_t bytes)
{
    CHECK(write(fd, what, bytes) == (ssize_t)bytes);
}

static void hear(int fd, void *what, size_t bytes)
{
    for (size_t at = 0; at < bytes;) {
        ssize_t part = read(fd, (char *)what + at, bytes - at);
        CHECK(part > 0);
        at += (size_t)part;
    }
}

/* Turns until told; fails when that takes too long. */
#define TURN_UNTIL(condition)                                                                      \
    for (double end = now() + PATIENCE; !(condition);) {                                           \
        CHECK(now() < end);                                                                        \
        turn();                                                                                    \
    }

static void introduce(int from)
{
    hear(from, addresses, sizeof addresses);
    for (int node = 0; node < NODES; node++)
        if (node != me)
            CHECK(sheaf_mesh_reach(node, addresses[node]));
}

static bool is_readable(int fd)
{
    struct pollfd set = {.fd = fd, .events = POLLIN};
    return poll(&set, 1, 0) > 0;
}

_Noreturn static void be_node(int node, int from, int to)
{
    struct rusage use;
    char address[SHEAF_MESH_ADDRESS] = "";
    me = node;
    CHECK(sheaf_mesh_open(NODES, node, address) == 0);
    say(to, address, sizeof address);
    TURN_UNTIL(is_readable(from));
    introduce(from);
    TURN_UNTIL(sheaf_mesh_is_complete());
    send_messages();
    TURN_UNTIL(has_all());
    getrusage(RUSAGE_SELF, &use);
    CHECK(test_count_descriptors() < MOST_FILES);
    CHECK(use.ru_maxrss < MOST_KIB);
    say(to, "", 1);
    TURN_UNTIL(is_lost[VICTIM]);
    say(to, "", 1);
    TURN_UNTIL(is_readable(from)); /* all have seen it */
    _exit(0);
}

/* What a stranger says: how many bytes of it. A greeting that is wrong in one way or another. */
static size_t lie(uint64_t *random, int node, const struct sheaf_handshake *handshake, char *text,
                  size_t size)
{
    static const int32_t wrong[] = {-1, INT_MIN, NODES, INT_MAX, 0};
    struct sheaf_token secret;
    CHECK(sheaf_token_parse(addresses[node], &secret));
    struct sheaf_greeting greeting = {.word = SHEAF_HELLO, .node = wrong[test_random_below(random, 5)],
                                      .purpose = (uint32_t)test_random_below(random, 2)};
    unsigned char flipped = 0;
    switch (test_random_below(random, 6)) {
    case 0: /* garbage */
        for (size_t i = 0; i < size; i++)
            text[i] = (char)test_random_below(random, 256);
        return 1 + test_random_below(random, size);
    case 1: /* what the other side answers */
        greeting.word = SHEAF_WELCOME;
        greeting.node = NODES - 1;
        break;
    case 2: /* nearly right */
        flipped = 1;
        greeting.node = NODES - 1;
        break;
    case 3:
        greeting.word = (uint32_t)test_random_below(random, 16);
        greeting.purpose = (uint32_t)(2 + test_random_below(random, 9));
        break;
    case 4:
        return 0; /* silence */
    }
    greeting.proof = sheaf_handshake_prove(handshake, &greeting, &secret);
    greeting.proof.bytes[test_random_below(random, 16)] ^= flipped;
    memcpy(text, &greeting, sizeof greeting);
    return test_random_below(random, 3) ? sizeof greeting : test_random_below(random, sizeof greeting);
}

static int connect_to(uint64_t *random, int node)
{
    char address[INET6_ADDRSTRLEN];
    const char *at = addresses[node] + SHEAF_TOKEN_TEXT - 1;
    int port, used, fd = -1;
    while (sscanf(at, " %45s %d%n", address, &port, &used) == 2) {
        if (fd < 0 || test_random_below(random, 2)) {
            if (fd >= 0)
                close(fd);
            fd = sheaf_interface_connect(address, port);
        }
        at += used;
    }
    return fd;
}

_Noreturn static void be_stranger(uint64_t random)
{
    int held[HELD];
    memset(held, 0xff, sizeof held);
    signal(SIGPIPE, SIG_IGN);
    for (unsigned turn = 0;; turn++) {
        char text[256];
        int node = (int)test_random_below(&random, NODES), *place = &held[turn % HELD];
        if (*place >= 0)
            close(*place);
        *place = connect_to(&random, node);
        struct pollfd set = {.fd = *place, .events = POLLIN};
        struct sheaf_handshake handshake = {.fd = *place};
        if (*place >= 0 && poll(&set, 1, 5) == 1) { /* often its challenge is there */
            sheaf_handshake_receive_challenge(&handshake);
            send(*place, text, lie(&random, node, &handshake, text, sizeof text), MSG_NOSIGNAL | MSG_DONTWAIT);
        }
    }
}

static pid_t begin(void)
{
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0)
        prctl(PR_SET_PDEATHSIG, SIGKILL);
    return child;
}

static void expect_closed_doors(void)
{
    uint64_t random = 1;
    for (int node = 0; node < NODES; node++) {
        int fd = connect_to(&random, node), error = errno;
        struct pollfd set = {.fd = fd, .events = POLLOUT};
        socklen_t length = sizeof error;
        if (fd >= 0) {
            CHECK(poll(&set, 1, 1000) == 1 && getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length) == 0);
            close(fd);
        }
        CHECK(error == ECONNREFUSED);
    }
}

int main(void)
{
    int to[NODES][2], from[NODES][2], status;
    pid_t nodes[NODES], strangers[2];
    char byte;
    setenv("UCX_NET_DEVICES", "lo", 1);
    alarm(3 * (unsigned)PATIENCE);
    for (int node = 0; node < NODES; node++) {
        CHECK(pipe(to[node]) == 0 && pipe(from[node]) == 0);
        nodes[node] = begin();
        if (nodes[node] == 0)
            be_node(node, to[node][0], from[node][1]);
        close(from[node][1]);
        hear(from[node][0], addresses[node], sizeof addresses[node]);
    }
    for (uint64_t i = 0; i < 2; i++)
        if ((strangers[i] = begin()) == 0)
            be_stranger(i + 1);
    usleep(HEAD_START_US);
    for (int node = 0; node < NODES; node++)
        say(to[node][1], addresses, sizeof addresses);
    for (int node = 0; node < NODES; node++)
        hear(from[node][0], &byte, 1);
    expect_closed_doors();
    kill(nodes[VICTIM], SIGKILL);
    for (int node = 0; node < NODES; node++)
        if (node != VICTIM)
            hear(from[node][0], &byte, 1);
    for (int node = 0; node < NODES; node++)
        if (node != VICTIM)
            say(to[node][1], "", 1);
    for (int i = 0; i < 2; i++)
        kill(strangers[i], SIGKILL);
    for (int node = 0; node < NODES; node++)
        CHECK(waitpid(nodes[node], &status, 0) == nodes[node] && (node == VICTIM || status == 0));
    return 0;
}
