/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Checks connections to libpmix. libpmix listens on a port of the loopback, reads from each connection in
 * turn without a time limit, and trusts the user id that is written there. Therefore it gets only
 * connections of this user's processes: it calls accept(), which is the function here, since a program's
 * own functions come before those of the libraries that it loads. The kernel's list of connections has the
 * user of the other end.
 */
#include <arpa/inet.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#define CONNECTIONS "/proc/self/net/tcp"
#define ESTABLISHED 1 /* the state of a connection in that list */

/* Whether a line of the list is that connection, with this user's id. A connection that its other end
 * has closed has no file, and root's id whichever user made it. */
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

/* Whether a connection is this user's. Where the list cannot be read, only the job's name of 128 random
 * bits protects the port. */
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

/* Refuses a connection: returns a descriptor whose other end is closed already. libpmix takes some
 * errors of accept() for the end of its port, and which ones depends on its version: 4.2 not
 * ECONNABORTED, 5.0 that too. No other user may cause that. */
static int refuse_connection(int connection)
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
    return connection < 0 || is_own(connection) ? connection : refuse_connection(connection);
}
