/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Who connects to libpmix. It listens on a port of the loopback, reads from whoever connects, in turn and
 * without a time limit, and believes the user id that is written there. So libpmix gets connections of this
 * user's processes alone: it calls accept(), which is this one, since a program's own functions come before
 * those of the libraries that it loads. The kernel's list of connections tells whose the other end is.
 */
#include <arpa/inet.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#define CONNECTIONS "/proc/self/net/tcp"
#define ESTABLISHED 1 /* its state there */

/* A connection that its other end has closed has no file, and root's id whoever made it. */
static bool is_from(const char *line, const struct sockaddr_in *here, const struct sockaddr_in *there,
                    unsigned *user)
{
    unsigned near, near_port, far, far_port, state;
    unsigned long file;
    return sscanf(line, " %*u: %x:%x %x:%x %x %*x:%*x %*x:%*x %*x %u %*u %lu", &near, &near_port, &far,
                  &far_port, &state, user, &file) == 7 &&
           state == ESTABLISHED && file != 0 && near == there->sin_addr.s_addr &&
           near_port == ntohs(there->sin_port) &&
           far == here->sin_addr.s_addr && far_port == ntohs(here->sin_port);
}

/* Where the list cannot be read the job's name, of 128 random bits, is all that a stranger lacks. */
static bool is_own(int fd)
{
    struct sockaddr_in here, there;
    socklen_t here_length = sizeof here, there_length = sizeof there;
    char line[512];
    unsigned user;
    bool own = false;
    if (getsockname(fd, (struct sockaddr *)&here, &here_length) != 0 ||
        getpeername(fd, (struct sockaddr *)&there, &there_length) != 0 || here.sin_family != AF_INET)
        return false;
    FILE *list = fopen(CONNECTIONS, "re");
    if (!list)
        return true;
    while (!own && fgets(line, sizeof line, list))
        if (is_from(line, &here, &there, &user))
            own = user == geteuid();
    fclose(list);
    return own;
}

/* The end of a connection that has ended already. libpmix takes some errors of accept() for the end of
 * its port, which ones by its version: 4.2 not ECONNABORTED, 5.0 that too. No other user may bring it to
 * that. */
static int refuse(int connection)
{
    int ends[2];
    close(connection);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return -1;
    close(ends[1]);
    return ends[0];
}

int accept(int fd, struct sockaddr *address, socklen_t *length)
{
    int connection = accept4(fd, address, length, SOCK_CLOEXEC);
    return connection < 0 || is_own(connection) ? connection : refuse(connection);
}
