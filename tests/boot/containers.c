/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Containers that join, step by step: the leader's part in this process, with a launcher of this program's
 * own, and members that are not what they should be. A member that fails keeps its container out, and no
 * other.
 */
#include "base/clock.h"
#include "base/times.h"
#include "boot/containers/leader.h"
#include "boot/containers/place.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                         \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

#define PES     4 /* each a container of its own; 0 leads */
#define STRANGERS 12 /* as many as are heard at once, less the members */
#define WITHIN  (20 * SHEAF_SECOND)

/* In place of world/pe_record.c's: abstract names alone are used here. */
int sheaf_pe_record_open_folder(void)
{
    return -1;
}

static struct sheaf_token secret;
static char name[SHEAF_TOKEN_TEXT]; /* what the leader has put as its place */
static int32_t met[PES + 1];
static pthread_barrier_t connected;

enum conduct {
    RIGHT,
    WRONG_SECRET,  /* its proof is made with another */
    WRONG_NUMBER,  /* it passes descriptors for another PE */
    NO_FILES,      /* a message without descriptors */
    MANY_FILES,    /* a hundred descriptors for one PE */
    SHORT_MESSAGE, /* a byte */
    SILENT,        /* it proves itself and leaves */
    UNTHANKFUL,    /* it leaves before it has taken all in */
};
static enum conduct conduct[PES];
static int received[PES]; /* PEs in the table that it got */

static int put(const char *key, const void *value, size_t bytes)
{
    if (strcmp(key, SHEAF_CONTAINERS_PLACE) == 0)
        memcpy(name, value, bytes);
    else if (strcmp(key, SHEAF_CONTAINERS_JOINED) == 0)
        memcpy(met, value, bytes);
    return 0;
}

/* Every member says that it has connected. */
static int get(int pe, const char *key, void **value, size_t *bytes)
{
    (void)pe, (void)key;
    *bytes = 1;
    *value = malloc(1);
    *(char *)*value = 1;
    return 0;
}

static const struct sheaf_launcher launcher = {.put = put, .get = get};

static int open_self(void)
{
    return (int)syscall(SYS_pidfd_open, getpid(), 0);
}

static struct sheaf_passing own_of(int pe)
{
    int process = open_self();
    return (struct sheaf_passing){pe, {process, memfd_create("memory", MFD_CLOEXEC), dup(process)}};
}

static bool greet(int pe, int fd, uint64_t until)
{
    struct sheaf_handshake handshake;
    struct sheaf_token key = secret;
    key.bytes[3] ^= conduct[pe] == WRONG_SECRET;
    sheaf_handshake_begin(&handshake, fd);
    while (sheaf_handshake_receive_challenge(&handshake) == SHEAF_HANDSHAKE_WAITS)
        if (!sheaf_passing_wait(fd, POLLIN, until))
            return false;
    if (!sheaf_handshake_send(&handshake, (struct sheaf_greeting){.word = SHEAF_HELLO, .node = pe}, &key))
        return false;
    enum sheaf_handshake_state state;
    while ((state = sheaf_handshake_receive(&handshake, SHEAF_WELCOME, &key)) == SHEAF_HANDSHAKE_WAITS)
        if (!sheaf_passing_wait(fd, POLLIN, until))
            return false;
    return state == SHEAF_HANDSHAKE_PROVEN;
}

static void send_files(int fd, const void *text, size_t length, int files)
{
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(128 * sizeof(int))];
    } room = {.bytes = {0}};
    struct iovec part = {(void *)text, length};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    int each[128];
    for (int i = 0; i < files; i++)
        each[i] = STDERR_FILENO;
    if (files > 0) {
        message.msg_control = room.bytes;
        message.msg_controllen = CMSG_SPACE((size_t)files * sizeof(int));
        *CMSG_FIRSTHDR(&message) = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS,
                                                    .cmsg_len = CMSG_LEN((size_t)files * sizeof(int))};
        memcpy(CMSG_DATA(CMSG_FIRSTHDR(&message)), each, (size_t)files * sizeof(int));
    }
    sendmsg(fd, &message, MSG_NOSIGNAL);
}

/* As passing.c lays it out. */
struct message {
    int32_t total, count, pes[64];
};

static void misbehave(int pe, int fd, uint64_t until)
{
    struct message message = {1, 1, {pe}};
    struct sheaf_passing other = own_of(0);
    if (conduct[pe] == WRONG_NUMBER)
        sheaf_passing_send_own(fd, &other, until);
    else if (conduct[pe] == NO_FILES || conduct[pe] == MANY_FILES)
        send_files(fd, &message, sizeof message, conduct[pe] == MANY_FILES ? 100 : 0);
    else if (conduct[pe] == SHORT_MESSAGE)
        send_files(fd, "x", 1, 3);
    sheaf_passing_close(&other, 1);
}

static void *be_member(void *number)
{
    int pe = (int)(intptr_t)number, fd = sheaf_place_connect(-1, name);
    uint64_t until = sheaf_clock_ns() + WITHIN;
    struct sheaf_passing own = own_of(pe), all[PES];
    received[pe] = 0;
    pthread_barrier_wait(&connected);
    if (fd >= 0 && greet(pe, fd, until)) {
        misbehave(pe, fd, until);
        if (conduct[pe] == RIGHT || conduct[pe] == UNTHANKFUL)
            sheaf_passing_send_own(fd, &own, until);
        if (conduct[pe] == RIGHT)
            received[pe] = sheaf_passing_receive_all(fd, all, PES, until);
        if (received[pe] > 0) {
            sheaf_passing_send_received(fd);
            sheaf_passing_close(all, received[pe]);
        }
    }
    if (fd >= 0)
        close(fd);
    sheaf_passing_close(&own, 1);
    return NULL;
}

/* Connects, says nothing that is right, and stays or goes. */
static void *be_stranger(void *kept)
{
    int *fds = kept;
    for (int i = 0; i < STRANGERS; i++) {
        fds[i] = sheaf_place_connect(-1, name);
        if (fds[i] >= 0 && i % 2)
            send_files(fds[i], "0123456789012345678901234567890123456789012345678901234567", 48, 3);
        if (fds[i] >= 0 && i % 3 == 0) {
            close(fds[i]);
            fds[i] = -1;
        }
    }
    pthread_barrier_wait(&connected);
    return NULL;
}

/* A join of the leader with three containers, and strangers. */
static void join(const int *expected, int count)
{
    int node_of[PES] = {0, 1, 2, 3}, npes_of[PES] = {1, 1, 1, 1}, into[PES] = {0}, strangers[STRANGERS];
    struct sheaf_job_map map = {.npes = PES, .nodes = PES, .node_of = node_of, .npes_of = npes_of};
    struct sheaf_container_group group = {.map = &map, .into = into, .launcher = &launcher, .secret = secret,
                                    .own = own_of(0)};
    pthread_t threads[PES];
    memset(met, 0xff, sizeof met);
    CHECK(sheaf_leader_open(&group) == 0);
    for (int pe = 1; pe < PES; pe++)
        CHECK(pthread_create(&threads[pe], NULL, be_member, (void *)(intptr_t)pe) == 0);
    CHECK(pthread_create(&threads[0], NULL, be_stranger, strangers) == 0);
    pthread_barrier_wait(&connected);
    CHECK(sheaf_leader_serve(&group) == 0);
    for (int i = 0; i < PES; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < STRANGERS; i++)
        if (strangers[i] >= 0)
            close(strangers[i]);
    if (met[0] != count)
        printf("%d nodes have met, not %d\n", met[0], count);
    CHECK(met[0] == count);
    for (int i = 0; i < count; i++)
        CHECK(met[i + 1] == expected[i]);
    sheaf_passing_close(group.all, group.count);
    sheaf_passing_close(&group.own, 1);
    free(group.all);
}

static int count_files(void)
{
    int count = 0;
    for (int fd = 0; fd < 1024; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

static void test_leader(void)
{
    int before = count_files();
    join((int[]){0, 1, 2, 3}, 4);
    CHECK(received[1] == 4 && received[3] == 4);
    for (int wrong = WRONG_SECRET; wrong <= SILENT; wrong++) {
        conduct[2] = (enum conduct)wrong;
        join((int[]){0, 1, 3}, 3);
        CHECK(received[1] == 3 && received[2] == 0 && received[3] == 3);
    }
    conduct[2] = UNTHANKFUL;
    join((int[]){0, 1, 3}, 3);
    conduct[1] = conduct[2] = conduct[3] = NO_FILES;
    join(NULL, 0);
    CHECK(count_files() == before);
}

/* Messages that a leader would not send. */
static void test_table(void)
{
    static const struct {
        int32_t total, count;
        int files;
    } wrong[] = {{1, 1, 0}, {1, 1, 2}, {1, 1, 4}, {5, 1, 3}, {-1, 0, 0}, {2, -1, 0}, {1, 2, 6},
                 {1, 65, 3}, {3, 0, 0}, {INT32_MAX, 1, 3}};
    struct sheaf_passing all[4];
    int before = count_files();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        int ends[2];
        CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) == 0);
        struct message message = {wrong[i].total, wrong[i].count, {1, 2}};
        send_files(ends[0], &message, sizeof message, wrong[i].files);
        close(ends[0]);
        CHECK(sheaf_passing_receive_all(ends[1], all, 4, sheaf_clock_ns() + WITHIN) == -1);
        close(ends[1]);
        CHECK(count_files() == before);
    }
}

int main(void)
{
    sheaf_times.containers_join = SHEAF_SECOND / 2; /* who does not come is not waited for longer */
    pthread_barrier_init(&connected, NULL, PES + 1);
    CHECK(sheaf_token_make(&secret));
    test_leader();
    test_table();
    return 0;
}
