/* SPDX-License-Identifier: BSD-3-Clause
 * See passing.h.
 *
 * A message names up to 64 PEs and carries the descriptors of each: the kernel takes 253 at most.
 */
#include "boot/containers/passing.h"

#include "base/clock.h"
#include "base/os/os.h"
#include "base/times.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define MOST_PES   64
#define MOST_FILES (MOST_PES * SHEAF_CONTAINER_FILES)

struct message {
    int32_t total; /* PEs of all messages */
    int32_t count; /* of this one */
    int32_t pes[MOST_PES];
};

/* Room for a message's descriptors, aligned as the kernel's heads of such room are. */
union room {
    struct cmsghdr head;
    char bytes[CMSG_SPACE(MOST_FILES * sizeof(int))];
};

bool sheaf_passing_wait(int fd, short events, uint64_t until_ns)
{
    struct pollfd set = {.fd = fd, .events = events};
    for (uint64_t now; (now = sheaf_clock_ns()) < until_ns;)
        if (poll(&set, 1, sheaf_times_ms(until_ns - now)) > 0)
            return true;
    return false;
}

/* Descriptors that travel count against a limit of the user's (ETOOMANYREFS): the receiver takes them
 * in. */
static bool send_whole(int fd, const struct msghdr *message, uint64_t until_ns)
{
    while (sheaf_clock_ns() < until_ns) {
        if (sendmsg(fd, message, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0)
            return true;
        if (errno == ETOOMANYREFS)
            poll(NULL, 0, sheaf_times_ms(sheaf_times.containers_look));
        else if (errno != EAGAIN && errno != EINTR)
            return false;
        else if (!sheaf_passing_wait(fd, POLLOUT, until_ns))
            return false;
    }
    return false;
}

static bool send_message(int fd, struct message *message, const int *files, uint64_t until_ns)
{
    union room room = {.bytes = {0}};
    struct iovec text = {message, sizeof *message};
    struct msghdr whole = {.msg_iov = &text, .msg_iovlen = 1};
    size_t length = (size_t)message->count * SHEAF_CONTAINER_FILES * sizeof *files;
    if (length > 0) {
        whole.msg_control = room.bytes;
        whole.msg_controllen = CMSG_SPACE(length);
        struct cmsghdr *head = CMSG_FIRSTHDR(&whole);
        *head = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS,
                                 .cmsg_len = CMSG_LEN(length)};
        memcpy(CMSG_DATA(head), files, length);
    }
    return send_whole(fd, &whole, until_ns);
}

static void close_files(const int *files, int count)
{
    for (int i = 0; i < count; i++)
        close(files[i]);
}

/* How many descriptors a message brought. */
static int take_files(struct msghdr *whole, int files[MOST_FILES])
{
    int count = 0;
    for (struct cmsghdr *head = CMSG_FIRSTHDR(whole); head; head = CMSG_NXTHDR(whole, head)) {
        if (head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS)
            continue;
        int here = (int)((head->cmsg_len - CMSG_LEN(0)) / sizeof *files);
        memcpy(files + count, CMSG_DATA(head), (size_t)here * sizeof *files);
        count += here;
    }
    return count;
}

/* A message with exactly the descriptors that it names. Else it brings none. */
static bool receive_message(int fd, struct message *message, int files[MOST_FILES])
{
    union room room;
    struct iovec text = {message, sizeof *message};
    struct msghdr whole = {.msg_iov = &text, .msg_iovlen = 1, .msg_control = room.bytes,
                           .msg_controllen = sizeof room.bytes};
    ssize_t length = recvmsg(fd, &whole, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    int count = length < 0 ? 0 : take_files(&whole, files);
    if (length == (ssize_t)sizeof *message && !(whole.msg_flags & (MSG_CTRUNC | MSG_TRUNC)) &&
        message->count >= 0 && message->count <= MOST_PES &&
        count == message->count * SHEAF_CONTAINER_FILES)
        return true;
    close_files(files, count);
    return false;
}

static struct sheaf_passing take_one(const struct message *message, const int *files, int i)
{
    struct sheaf_passing passing = {.pe = message->pes[i]};
    for (int which = 0; which < SHEAF_CONTAINER_FILES; which++)
        passing.files[which] = sheaf_os_move_up(files[i * SHEAF_CONTAINER_FILES + which]);
    return passing;
}

bool sheaf_passing_send_own(int fd, const struct sheaf_passing *own, uint64_t until_ns)
{
    struct message message = {.total = 1, .count = 1, .pes = {own->pe}};
    return send_message(fd, &message, own->files, until_ns);
}

bool sheaf_passing_receive_own(int fd, struct sheaf_passing *passing)
{
    struct message message;
    int files[MOST_FILES];
    if (!receive_message(fd, &message, files))
        return false;
    if (message.count != 1) {
        close_files(files, message.count * SHEAF_CONTAINER_FILES);
        return false;
    }
    *passing = take_one(&message, files, 0);
    return true;
}

bool sheaf_passing_send_all(int fd, const struct sheaf_passing *all, int count, uint64_t until_ns)
{
    int sent = 0;
    do {
        struct message message = {.total = count};
        int files[MOST_FILES];
        for (; message.count < MOST_PES && sent < count; sent++, message.count++) {
            message.pes[message.count] = all[sent].pe;
            memcpy(files + message.count * SHEAF_CONTAINER_FILES, all[sent].files, sizeof all[sent].files);
        }
        if (!send_message(fd, &message, files, until_ns))
            return false;
    } while (sent < count);
    return true;
}

static bool receive_some(int fd, struct sheaf_passing *all, int *count, int most, int *total)
{
    struct message message;
    int files[MOST_FILES];
    if (!receive_message(fd, &message, files))
        return false;
    *total = message.total;
    if (message.total < 0 || message.total > most || message.count > message.total - *count ||
        (message.count == 0 && message.total > 0)) {
        close_files(files, message.count * SHEAF_CONTAINER_FILES);
        return false;
    }
    for (int i = 0; i < message.count; i++)
        all[(*count)++] = take_one(&message, files, i);
    return true;
}

int sheaf_passing_receive_all(int fd, struct sheaf_passing *all, int most, uint64_t until_ns)
{
    int count = 0, total = 1;
    while (count < total)
        if (!sheaf_passing_wait(fd, POLLIN, until_ns) || !receive_some(fd, all, &count, most, &total)) {
            sheaf_passing_close(all, count);
            return -1;
        }
    return count;
}

bool sheaf_passing_send_received(int fd)
{
    return send(fd, "", 1, MSG_NOSIGNAL | MSG_DONTWAIT) == 1;
}

bool sheaf_passing_await_received(int fd, uint64_t until_ns)
{
    char byte;
    return sheaf_passing_wait(fd, POLLIN, until_ns) && recv(fd, &byte, 1, MSG_DONTWAIT) == 1;
}

void sheaf_passing_close(struct sheaf_passing *all, int count)
{
    for (int i = 0; i < count; i++)
        close_files(all[i].files, SHEAF_CONTAINER_FILES);
}
