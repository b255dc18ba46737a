/* SPDX-License-Identifier: BSD-3-Clause
 * See pe_descriptors.h.
 */
#include "oshrun/hosts/pe_descriptors.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define GROUP 16 /* PEs: a message carries 253 descriptors at most, and some 200 messages fit a socket */
#define EACH  4
#define FIRST 3  /* lower ones are oshrun's own standard streams */

/* A group's descriptors, and where the PEs' entries have them. */
struct group {
    int *places[GROUP * EACH];
    size_t count;
};

static void add_place(struct group *group, int *place)
{
    if (*place >= FIRST)
        group->places[group->count++] = place;
}

static struct group group_of(const struct spawn *spawn, int first, int pes)
{
    struct group group = {.count = 0};
    for (int pe = first; pe < first + pes && pe < spawn->options->npes; pe++) {
        struct spawn_pe *it = &spawn->pes[pe];
        add_place(&group, &it->input);
        add_place(&group, &it->output);
        add_place(&group, &it->error);
        add_place(&group, &it->mpi);
    }
    return group;
}

/* A message of one byte, and room for a group's descriptors beside it. */
struct passing {
    char byte;
    struct iovec data;
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(GROUP * EACH * sizeof(int))];
    struct msghdr message;
};

static struct cmsghdr *prepare(struct passing *passing, size_t count)
{
    memset(passing, 0, sizeof *passing);
    passing->data = (struct iovec){&passing->byte, 1};
    passing->message = (struct msghdr){.msg_iov = &passing->data,
                                       .msg_iovlen = 1,
                                       .msg_control = passing->control,
                                       .msg_controllen = CMSG_SPACE(count * sizeof(int))};
    struct cmsghdr *head = CMSG_FIRSTHDR(&passing->message);
    *head = (struct cmsghdr){.cmsg_len = CMSG_LEN(count * sizeof(int)), .cmsg_level = SOL_SOCKET,
                             .cmsg_type = SCM_RIGHTS};
    return head;
}

static bool put_group(int socket, const struct group *group)
{
    struct passing passing;
    int fds[GROUP * EACH];
    if (group->count == 0)
        return true;
    for (size_t i = 0; i < group->count; i++)
        fds[i] = *group->places[i];
    memcpy(CMSG_DATA(prepare(&passing, group->count)), fds, group->count * sizeof *fds);
    return sendmsg(socket, &passing.message, MSG_DONTWAIT | MSG_NOSIGNAL) == 1;
}

static bool take_group(int socket, const struct group *group)
{
    struct passing passing;
    int fds[GROUP * EACH];
    if (group->count == 0)
        return true;
    struct cmsghdr *head = prepare(&passing, group->count);
    size_t bytes = group->count * sizeof *fds;
    if (recvmsg(socket, &passing.message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) != 1 ||
        head->cmsg_len != CMSG_LEN(bytes))
        return false;
    memcpy(fds, CMSG_DATA(head), bytes);
    for (size_t i = 0; i < group->count; i++)
        *group->places[i] = fds[i];
    return true;
}

static void close_group(const struct group *group)
{
    for (size_t i = 0; i < group->count; i++)
        close(*group->places[i]);
}

void sheaf_pe_descriptors_put(struct pe_descriptors *away, const struct spawn *spawn)
{
    *away = (struct pe_descriptors){{-1, -1}, 0};
    if (spawn->options->npes <= GROUP ||
        socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, away->sockets) != 0)
        return;
    for (; away->put < spawn->options->npes; away->put += GROUP) {
        struct group group = group_of(spawn, away->put, GROUP);
        if (!put_group(away->sockets[0], &group))
            return;
        close_group(&group);
    }
}

bool sheaf_pe_descriptors_take(struct pe_descriptors *away, const struct spawn *spawn, int pe)
{
    if (pe >= away->put || pe % GROUP != 0)
        return true;
    struct group group = group_of(spawn, pe, GROUP);
    return take_group(away->sockets[1], &group);
}

void sheaf_pe_descriptors_close(const struct spawn *spawn, int pe)
{
    struct group group = group_of(spawn, pe, 1);
    close_group(&group);
}
