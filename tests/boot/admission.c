/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Who may connect to a host, and what a stranger can do there: say nothing, or one byte at a time, show a
 * proof that is nearly right, come a thousand times, come while no descriptor is free. And connections of
 * hosts that know each other: messages in any pieces, lengths that no host sends, a receiver that takes
 * nothing. On loopback (UCX_NET_DEVICES=lo). Arguments: none.
 */
#include "base/clock.h"
#include "base/times.h"
#include "hosts/admission.h"
#include "hosts/channel.h"
#include "random.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                         \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

#define HOSTS   60
#define GUESTS  (SHEAF_GUESTS + 1)
#define MEMBER  2
#define PURPOSE 5
#define NOTE    77
#define SILENT  (300 * SHEAF_MILLISECOND) /* instead of 2 s */
#define MOST    128
#define HEAD    16
#define BODY    8192

static struct sheaf_admission admission;
static char address[SHEAF_ADMISSION_ADDRESS];
static int admitted = -1, hosts;

static bool expects(const struct sheaf_greeting *hello)
{
    return hello->node == MEMBER;
}

static void admit(int fd, const struct sheaf_greeting *hello)
{
    CHECK(hello->node == MEMBER && hello->purpose == PURPOSE && admitted < 0);
    admitted = fd;
}

static void open_admission(int expected)
{
    static const struct sheaf_admission_user user = {expects, admit};
    admitted = -1;
    hosts = expected;
    CHECK(sheaf_admission_open(&admission, hosts, &user, address) == 0);
    admission.welcome.node = 1;
    admission.welcome.note = NOTE;
}

static void close_admission(void)
{
    sheaf_admission_close(&admission);
    if (admitted >= 0)
        close(admitted);
}

/* Returns how many descriptors there were to poll for. */
static int turn(int ms)
{
    struct pollfd fds[MOST];
    struct sheaf_poll_set set = {.fds = fds, .most = MOST};
    sheaf_admission_watch(&admission, &set);
    CHECK(set.count <= (size_t)(admission.listeners + SHEAF_GUESTS + hosts));
    poll(fds, set.count, ms);
    sheaf_admission_read(&admission, &set);
    return (int)set.count;
}

static int guests(void)
{
    return turn(0) - admission.listeners;
}

static void turn_for(uint64_t ns)
{
    for (uint64_t end = sheaf_clock_ns() + ns; sheaf_clock_ns() < end;)
        turn(5);
}

static int connect_socket(int fd)
{
    struct sockaddr_in end = {.sin_family = AF_INET};
    char text[INET6_ADDRSTRLEN];
    int port;
    CHECK(sscanf(address + SHEAF_TOKEN_TEXT - 1, " %45s %d", text, &port) == 2);
    CHECK(inet_pton(AF_INET, text, &end.sin_addr) == 1);
    end.sin_port = htons((uint16_t)port);
    connect(fd, (struct sockaddr *)&end, sizeof end);
    return fd;
}

static int connect_stranger(void)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    CHECK(fd >= 0);
    return connect_socket(fd);
}

static struct sheaf_token secret(void)
{
    struct sheaf_token token;
    CHECK(sheaf_token_parse(address, &token));
    return token;
}

/* The listener's, when it has accepted the connection. */
static struct sheaf_handshake take_challenge(int fd)
{
    struct sheaf_handshake handshake = {.fd = fd};
    enum sheaf_handshake_state state;
    for (uint64_t end = sheaf_clock_ns() + SILENT;
         (state = sheaf_handshake_receive_challenge(&handshake)) == SHEAF_HANDSHAKE_WAITS; turn(5))
        CHECK(sheaf_clock_ns() < end);
    CHECK(state == SHEAF_HANDSHAKE_PROVEN);
    return handshake;
}

static void sign(struct sheaf_greeting *greeting, const struct sheaf_handshake *handshake)
{
    const struct sheaf_token token = secret();
    greeting->proof = sheaf_handshake_prove(handshake, greeting, &token);
}

/* With a challenge of the caller that is all zero. */
static struct sheaf_greeting right_hello(int fd)
{
    const struct sheaf_handshake handshake = take_challenge(fd);
    struct sheaf_greeting hello = {.word = SHEAF_HELLO, .node = MEMBER, .purpose = PURPOSE};
    sign(&hello, &handshake);
    return hello;
}

static void say(int fd, const void *what, size_t bytes)
{
    struct pollfd set = {.fd = fd, .events = POLLOUT};
    CHECK(poll(&set, 1, 1000) == 1 && send(fd, what, bytes, MSG_NOSIGNAL) == (ssize_t)bytes);
}

/* Whether the other side has closed it, with no word but its challenge. */
static bool is_refused(int fd)
{
    struct sheaf_token challenge;
    ssize_t got = recv(fd, &challenge, sizeof challenge, MSG_DONTWAIT);
    if (got > 0)
        got = recv(fd, &challenge, sizeof challenge, MSG_DONTWAIT);
    CHECK(got <= 0);
    return got == 0 || errno == ECONNRESET;
}

static void expect_refusal(int fd)
{
    for (uint64_t end = sheaf_clock_ns() + SHEAF_SECOND; !is_refused(fd);) {
        CHECK(sheaf_clock_ns() < end);
        turn(5);
    }
    CHECK(admitted < 0);
    close(fd);
}

/* Within less than a stranger's time. */
static void expect_welcome(int fd, const struct sheaf_handshake *handshake)
{
    struct sheaf_greeting welcome;
    const struct sheaf_token token = secret();
    for (uint64_t end = sheaf_clock_ns() + SILENT; admitted < 0;) {
        CHECK(sheaf_clock_ns() < end);
        turn(5);
    }
    CHECK(recv(fd, &welcome, sizeof welcome, 0) == sizeof welcome && welcome.word == SHEAF_WELCOME);
    const struct sheaf_token proof = sheaf_handshake_prove(handshake, &welcome, &token);
    CHECK(sheaf_token_is_equal(&welcome.proof, &proof));
    CHECK(welcome.node == 1 && welcome.purpose == PURPOSE && welcome.note == NOTE);
}

static void join(int fd)
{
    const struct sheaf_handshake handshake = take_challenge(fd);
    struct sheaf_greeting hello = {.word = SHEAF_HELLO, .node = MEMBER, .purpose = PURPOSE};
    sign(&hello, &handshake);
    say(fd, &hello, sizeof hello);
    expect_welcome(fd, &handshake);
    close(fd);
}

/* The oldest gives way, and nobody stays. */
static void check_silence(void)
{
    int fds[2 * GUESTS];
    open_admission(1);
    for (int i = 0; i < 2 * GUESTS; i++) {
        fds[i] = connect_stranger();
        turn(5);
        CHECK(i < GUESTS || is_refused(fds[i - GUESTS]));
    }
    CHECK(guests() == GUESTS && !is_refused(fds[2 * GUESTS - 1]));
    turn_for(2 * SILENT);
    CHECK(guests() == 0);
    for (int i = 0; i < 2 * GUESTS; i++) {
        CHECK(is_refused(fds[i]));
        close(fds[i]);
    }
    join(connect_stranger());
    close_admission();
}

/* The right greeting, too slowly: the time counts from the connection. */
static void check_slowness(void)
{
    open_admission(1);
    int fd = connect_stranger();
    const struct sheaf_greeting hello = right_hello(fd);
    for (size_t i = 0; i < sizeof hello && !is_refused(fd); i++) {
        send(fd, (const char *)&hello + i, 1, MSG_NOSIGNAL);
        turn_for(SILENT / 16);
    }
    CHECK(admitted < 0);
    expect_refusal(fd);
    close_admission();
}

enum wrong {
    PROOF,     /* a bit of it differs */
    CHALLENGE, /* of the caller, likewise: the proof is of another one */
    WORD,      /* WELCOME, signed */
    NODE,      /* one that is not awaited, signed */
    LATE_NODE, /* the same, changed after it was signed */
    SHORT,
    REPEATED,  /* right, but on another connection */
    WRONGS
};

/* Returns how many bytes of it are sent. */
static size_t spoil(enum wrong wrong, int which, const struct sheaf_handshake *handshake,
                    struct sheaf_greeting *hello)
{
    if (wrong == PROOF)
        hello->proof.bytes[which] ^= (unsigned char)(1 << which % 8);
    if (wrong == CHALLENGE)
        hello->challenge.bytes[which] ^= (unsigned char)(1 << which % 8);
    if (wrong == WORD)
        hello->word = SHEAF_WELCOME;
    if (wrong == NODE || wrong == LATE_NODE)
        hello->node = MEMBER + 1;
    if (wrong == WORD || wrong == NODE)
        sign(hello, handshake);
    return wrong == SHORT ? sizeof *hello - 1 : sizeof *hello;
}

static void offer_wrong(enum wrong wrong, int which)
{
    static struct sheaf_greeting former;
    int fd = connect_stranger();
    const struct sheaf_handshake handshake = take_challenge(fd);
    struct sheaf_greeting hello = {.word = SHEAF_HELLO, .node = MEMBER, .purpose = PURPOSE};
    sign(&hello, &handshake);
    if (wrong == REPEATED)
        hello = former;
    former = hello;
    size_t bytes = spoil(wrong, which, &handshake, &hello);
    say(fd, &hello, bytes);
    expect_refusal(fd);
}

static void check_wrong_greetings(void)
{
    open_admission(1);
    for (int wrong = 0; wrong < WRONGS; wrong++)
        for (int which = 0; which < (wrong <= CHALLENGE ? (int)sizeof(struct sheaf_token) : 1); which++)
            offer_wrong((enum wrong)wrong, which);
    join(connect_stranger());
    close_admission();
}

/* What comes behind the greeting is the connection's. */
static void check_bytes_behind(void)
{
    struct {
        struct sheaf_greeting hello;
        char more[8];
    } both;
    char got[sizeof both.more + 1];
    open_admission(1);
    memcpy(both.more, "12345678", sizeof both.more);
    int fd = connect_stranger();
    const struct sheaf_handshake handshake = take_challenge(fd);
    both.hello = (struct sheaf_greeting){.word = SHEAF_HELLO, .node = MEMBER, .purpose = PURPOSE};
    sign(&both.hello, &handshake);
    say(fd, &both, sizeof both);
    expect_welcome(fd, &handshake);
    CHECK(recv(admitted, got, sizeof got, MSG_DONTWAIT) == sizeof both.more);
    CHECK(memcmp(got, both.more, sizeof both.more) == 0);
    close(fd);
    close_admission();
}

/* The greeting of the oldest comes when its place is wanted already. */
static void check_oldest_is_heard(void)
{
    struct pollfd fds[MOST];
    struct sheaf_poll_set set = {.fds = fds, .most = MOST};
    int strangers[GUESTS];
    open_admission(1);
    int member = connect_stranger();
    const struct sheaf_handshake handshake = take_challenge(member);
    struct sheaf_greeting hello = {.word = SHEAF_HELLO, .node = MEMBER, .purpose = PURPOSE};
    sign(&hello, &handshake);
    for (int i = 0; i < GUESTS - 1; i++)
        strangers[i] = connect_stranger();
    while (guests() < GUESTS)
        turn(5);
    strangers[GUESTS - 1] = connect_stranger();
    sheaf_admission_watch(&admission, &set);
    CHECK(poll(fds, set.count, 1000) == 1); /* the listener alone: HELLO comes after that */
    say(member, &hello, sizeof hello);
    sheaf_admission_read(&admission, &set);
    expect_welcome(member, &handshake);
    for (int i = 0; i < GUESTS; i++)
        close(strangers[i]);
    close(member);
    close_admission();
}

static void check_crowd(void)
{
    int held[50], used = 0;
    open_admission(1);
    for (int i = 0; i < 1000; i++) {
        int fd = connect_stranger();
        if (i % 20 == 0)
            held[used++] = fd;
        else
            close(fd);
        if (i % 8 == 0)
            turn(0);
    }
    join(connect_stranger());
    while (used > 0)
        close(held[--used]);
    close_admission();
}

/* All hosts of a job connect before any of them has sent its greeting: none has to come again. */
static void check_many_hosts(void)
{
    int fds[HOSTS];
    open_admission(HOSTS);
    for (int i = 0; i < HOSTS; i++)
        fds[i] = connect_stranger();
    for (int i = 0; i < 10 * HOSTS && guests() < HOSTS; i++)
        turn(5);
    for (int i = 0; i < HOSTS; i++) {
        join(fds[i]);
        close(admitted);
        admitted = -1;
    }
    close_admission();
}

/* Of the lowest descriptor that is free, and what may be opened from there on. */
static void allow_files(int more)
{
    static struct rlimit files;
    static int next;
    if (files.rlim_cur == 0) {
        CHECK(getrlimit(RLIMIT_NOFILE, &files) == 0 && (next = dup(STDIN_FILENO)) >= 0);
        close(next);
    }
    struct rlimit less = {(rlim_t)(next + more), files.rlim_max};
    CHECK(setrlimit(RLIMIT_NOFILE, more < 0 ? &files : &less) == 0);
}

static int open_socket(void)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(fd >= 0);
    return fd;
}

/* The listeners pause instead of spinning. As soon as one descriptor is free the member gets it, from the
 * stranger that came first. */
static void check_no_descriptors(void)
{
    open_admission(1);
    int stranger = open_socket(), member = open_socket(), turns = 0;
    allow_files(0);
    connect_socket(stranger);
    for (uint64_t end = sheaf_clock_ns() + SHEAF_SECOND; sheaf_clock_ns() < end; turns++)
        turn(50);
    CHECK(turns <= 50 && sheaf_admission_is_open(&admission));
    connect_socket(member);
    allow_files(1);
    join(member);
    CHECK(is_refused(stranger));
    allow_files(-1);
    close(stranger);
    close_admission();
}

struct head {
    uint32_t bytes;
    char rest[HEAD - sizeof(uint32_t)];
};

static void open_pair(struct sheaf_channel *channel, int *other)
{
    int ends[2];
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    sheaf_channel_open(channel, ends[0], HEAD, BODY, SHEAF_SECOND);
    *other = ends[1];
}

static void check_pieces(void)
{
    static char stream[20 * (HEAD + BODY)];
    static const uint32_t lengths[] = {0, 1, BODY, 0, 100, BODY - 1};
    enum { MESSAGES = sizeof lengths / sizeof lengths[0] };
    struct sheaf_channel channel;
    uint64_t random = 1;
    size_t total = 0;
    int other, got = 0;
    open_pair(&channel, &other);
    for (int i = 0; i < MESSAGES; i++) {
        memcpy(stream + total, &(struct head){.bytes = lengths[i], .rest = {(char)i}}, HEAD);
        memset(stream + total + HEAD, i, lengths[i]);
        total += HEAD + lengths[i];
    }
    for (size_t at = 0, part; at < total; at += part) {
        part = 1 + test_random_below(&random, 3000);
        part = part < total - at ? part : total - at;
        CHECK(write(other, stream + at, part) == (ssize_t)part);
        enum sheaf_received received;
        while ((received = sheaf_channel_receive(&channel)) == SHEAF_RECEIVED_MESSAGE) {
            struct head head;
            memcpy(&head, channel.head, HEAD);
            CHECK(head.bytes == lengths[got] && head.rest[0] == got);
            for (uint32_t i = 0; i < head.bytes; i++)
                CHECK(channel.body[i] == got);
            got++;
        }
        CHECK(received == SHEAF_RECEIVED_NOTHING);
    }
    close(other);
    CHECK(got == MESSAGES && sheaf_channel_receive(&channel) == SHEAF_RECEIVED_END);
    sheaf_channel_close(&channel);
}

static void check_wrong_lengths(void)
{
    static const uint32_t lengths[] = {BODY + 1, UINT32_MAX, UINT32_C(1) << 31};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        struct sheaf_channel channel;
        int other;
        open_pair(&channel, &other);
        CHECK(write(other, &(struct head){.bytes = lengths[i]}, HEAD) == HEAD);
        CHECK(sheaf_channel_receive(&channel) == SHEAF_RECEIVED_WRONG && !channel.body);
        sheaf_channel_close(&channel);
        close(other);
    }
}

/* So much waits and no more, then the connection counts as ended. */
static void check_deaf_receiver(void)
{
    static const char body[BODY];
    const struct head head = {.bytes = BODY};
    struct sheaf_channel channel;
    int other;
    open_pair(&channel, &other);
    for (size_t i = 0; channel.error == 0; i++) {
        CHECK(i * (HEAD + BODY) < 2 * SHEAF_CHANNEL_MOST_WAITING);
        sheaf_channel_send(&channel, &head, body);
    }
    size_t waits = sheaf_send_queue_length(&channel.out);
    CHECK(waits > SHEAF_CHANNEL_MOST_WAITING && waits <= SHEAF_CHANNEL_MOST_WAITING + HEAD + BODY);
    sheaf_channel_send(&channel, &head, body);
    CHECK(sheaf_send_queue_length(&channel.out) == waits);
    sheaf_channel_close(&channel);
    close(other);
}

int main(void)
{
    setenv("UCX_NET_DEVICES", "lo", 1);
    sheaf_times.guest_silent = SILENT;
    alarm(50);
    check_silence();
    check_slowness();
    check_wrong_greetings();
    check_bytes_behind();
    check_oldest_is_heard();
    check_crowd();
    check_many_hosts();
    check_no_descriptors();
    check_pieces();
    check_wrong_lengths();
    check_deaf_receiver();
    puts("boot: admission ok");
    return 0;
}
