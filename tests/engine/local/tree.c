/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What all processes of the tree share: a token, what each offers to others, and a door each. Made
 * before the processes are forked; it has no name, so that it ends with them.
 */
#include "local/internal.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

struct sheaf_local_tree *sheaf_local_tree;

/* Read here, written by whoever calls. */
static struct door {
    int inside, outside;
} doors[SHEAF_LOCAL_MOST_PES];
static int own = -1; /* this process's PE */

static int make_door(struct door *door)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) != 0)
        return -1;
    *door = (struct door){pair[0], pair[1]};
    return 0;
}

int sheaf_local_make_tree(int pes)
{
    uint64_t token[2];
    if (pes < 1 || pes > SHEAF_LOCAL_MOST_PES) {
        errno = EINVAL;
        return -1;
    }
    if (getrandom(token, sizeof token, 0) != (ssize_t)sizeof token)
        return -1;
    struct sheaf_local_tree *tree =
        mmap(NULL, sizeof *tree, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (tree == MAP_FAILED)
        return -1;
    tree->pes = pes;
    memcpy(tree->token, token, sizeof token);
    for (int pe = 0; pe < pes; pe++)
        if (make_door(&doors[pe]) != 0)
            return -1;
    sheaf_local_tree = tree;
    return 0;
}

static void close_once(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

void sheaf_local_leave_tree(void)
{
    for (int pe = 0; pe < sheaf_local_tree->pes; pe++) {
        close_once(&doors[pe].inside);
        close_once(&doors[pe].outside);
    }
    munmap(sheaf_local_tree, sizeof *sheaf_local_tree);
    sheaf_local_tree = NULL;
}

/* Doors of others close with their own processes. */
void sheaf_local_enter_tree(int pe)
{
    own = pe;
    for (int other = 0; other < sheaf_local_tree->pes; other++)
        if (other != pe)
            close_once(&doors[other].inside);
}

int sheaf_local_door(void)
{
    return doors[own].inside;
}

/* A message that carries one descriptor. */
struct handed {
    struct msghdr message;
    struct iovec part;
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))];
};

static void prepare(struct handed *handed, struct sheaf_local_call *call)
{
    handed->part = (struct iovec){call, sizeof *call};
    handed->message = (struct msghdr){.msg_iov = &handed->part,
                                      .msg_iovlen = 1,
                                      .msg_control = handed->control,
                                      .msg_controllen = sizeof handed->control};
}

int sheaf_local_call(int pe, uint32_t port, int fd)
{
    struct handed handed = {0};
    struct sheaf_local_call call = {.port = port, .pe = own};
    memcpy(call.token, sheaf_local_tree->token, sizeof call.token);
    prepare(&handed, &call);
    struct cmsghdr *rights = CMSG_FIRSTHDR(&handed.message);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(rights), &fd, sizeof fd);
    if (sendmsg(doors[pe].outside, &handed.message, MSG_NOSIGNAL) == (ssize_t)sizeof call)
        return 0;
    return errno;
}

/* -1: none. */
static int descriptor_in(struct handed *handed)
{
    int fd = -1;
    struct cmsghdr *rights = CMSG_FIRSTHDR(&handed->message);
    if (rights && rights->cmsg_level == SOL_SOCKET && rights->cmsg_type == SCM_RIGHTS)
        memcpy(&fd, CMSG_DATA(rights), sizeof fd);
    return fd;
}

int sheaf_local_take_call(struct sheaf_local_call *call)
{
    for (;;) {
        struct handed handed = {0};
        prepare(&handed, call);
        ssize_t bytes = recvmsg(doors[own].inside, &handed.message, MSG_CMSG_CLOEXEC);
        if (bytes < 0)
            return -1;
        int fd = descriptor_in(&handed);
        if (bytes == (ssize_t)sizeof *call && fd >= 0 && call->pe >= 0 &&
            call->pe < sheaf_local_tree->pes &&
            memcmp(call->token, sheaf_local_tree->token, sizeof call->token) == 0)
            return fd;
        if (fd >= 0)
            close(fd);
        sheaf_local.user.refused("local:0");
    }
}
