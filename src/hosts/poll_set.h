/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A set of descriptors for poll(). Who adds a descriptor keeps its place, and finds there afterwards what
 * has happened to it: no look over the whole set.
 */
#ifndef SHEAF_HOSTS_POLL_SET_H
#define SHEAF_HOSTS_POLL_SET_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>

struct sheaf_poll_set {
    struct pollfd *fds;
    size_t count, most;
};

/* Its place; -1: the set is full, and the descriptor has to wait for the next one. */
static inline int sheaf_poll_set_add(struct sheaf_poll_set *set, int fd, int events)
{
    if (set->count == set->most)
        return -1;
    set->fds[set->count] = (struct pollfd){.fd = fd, .events = (short)events};
    return (int)set->count++;
}

/* What has happened to the descriptor that was added at this place; 0 where another one is there. */
static inline int sheaf_poll_set_events(const struct sheaf_poll_set *set, int place, int fd)
{
    bool is_there = place >= 0 && (size_t)place < set->count && set->fds[place].fd == fd;
    return is_there ? set->fds[place].revents : 0;
}

#endif
