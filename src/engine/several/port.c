/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The port: a port of each member. A turn is a turn of each.
 */
#include "engine/several/several.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

static const struct sheaf_transport *transport_at(unsigned place)
{
    return sheaf_several_state.members[place].transport;
}

static unsigned place_of(const struct sheaf_several_end *end)
{
    return (unsigned)(end - end->whole->ends);
}

static const char *open_end(sheaf_transport_port *port, unsigned place)
{
    struct sheaf_several_end *end = &port->ends[place];
    struct epoll_event event = {.events = EPOLLIN};
    const char *why = NULL;
    end->whole = port;
    end->port = transport_at(place)->open(end, &why);
    if (!end->port)
        return why;
    int fd = transport_at(place)->descriptor(end->port);
    return epoll_ctl(port->events, EPOLL_CTL_ADD, fd, &event) == 0 ? NULL : strerror(errno);
}

sheaf_transport_port *sheaf_several_open(void *owner, const char **why)
{
    sheaf_transport_port *port = calloc(1, sizeof *port);
    *why = "no memory";
    if (!port)
        return NULL;
    port->owner = owner;
    port->events = epoll_create1(EPOLL_CLOEXEC);
    *why = port->events < 0 ? strerror(errno) : NULL;
    for (unsigned i = 0; i < sheaf_several_state.count && !*why; i++)
        *why = open_end(port, i);
    if (!*why)
        return port;
    sheaf_several_close(port);
    return NULL;
}

static void free_waiting(sheaf_transport_port *port)
{
    while (port->waiting) {
        struct sheaf_several_waiting *next = port->waiting->next;
        free(port->waiting);
        port->waiting = next;
    }
}

void sheaf_several_close(sheaf_transport_port *port)
{
    for (unsigned i = 0; i < sheaf_several_state.count; i++)
        if (port->ends[i].port)
            transport_at(i)->close(port->ends[i].port);
    free_waiting(port);
    if (port->events >= 0)
        close(port->events);
    free(port);
}

bool sheaf_several_turn(sheaf_transport_port *port)
{
    bool any = false;
    for (unsigned i = 0; i < sheaf_several_state.count; i++)
        any |= transport_at(i)->turn(port->ends[i].port);
    return any;
}

int sheaf_several_descriptor(sheaf_transport_port *port)
{
    return port->events;
}

bool sheaf_several_arm(sheaf_transport_port *port)
{
    for (unsigned i = 0; i < sheaf_several_state.count; i++)
        if (!transport_at(i)->arm(port->ends[i].port))
            return false;
    return true;
}

bool sheaf_several_needs_turns(sheaf_transport_port *port)
{
    for (unsigned i = 0; i < sheaf_several_state.count; i++)
        if (transport_at(i)->needs_turns && transport_at(i)->needs_turns(port->ends[i].port))
            return true;
    return false;
}

/* Without memory the message is lost, so the job ends. */
static struct sheaf_several_waiting *add_waiting(struct sheaf_several_end *end, void *waiting)
{
    const struct sheaf_engine_job *job = sheaf_several_state.user->job;
    struct sheaf_several_waiting *added = malloc(sizeof *added);
    if (!added)
        job->failed(job->pe, "no memory for a message that arrives");
    *added = (struct sheaf_several_waiting){end, waiting, end->whole->waiting};
    end->whole->waiting = added;
    return added;
}

/* Nothing where it is not in the list: it has been fetched. */
static void remove_waiting(sheaf_transport_port *port, const void *waiting)
{
    struct sheaf_several_waiting **place = &port->waiting;
    while (*place && *place != waiting)
        place = &(*place)->next;
    if (*place) {
        struct sheaf_several_waiting *removed = *place;
        *place = removed->next;
        free(removed);
    }
}

void sheaf_several_fetch(sheaf_transport_port *port, void *waiting, void *dest, size_t bytes, void *message)
{
    const struct sheaf_several_waiting fetched = *(const struct sheaf_several_waiting *)waiting;
    remove_waiting(port, waiting);
    transport_at(place_of(fetched.end))->fetch(fetched.end->port, fetched.waiting, dest, bytes, message);
}

bool sheaf_several_arrived(void *owner, const struct sheaf_transport_arrival *arrival)
{
    struct sheaf_several_end *end = owner;
    sheaf_transport_port *port = end->whole;
    struct sheaf_transport_arrival seen = *arrival;
    seen.origin = sheaf_several_link(arrival->origin, place_of(end));
    if (arrival->waiting)
        seen.waiting = add_waiting(end, arrival->waiting);
    bool is_kept = sheaf_several_state.user->arrived(port->owner, &seen);
    if (arrival->waiting && !is_kept)
        remove_waiting(port, seen.waiting);
    return is_kept;
}

void *sheaf_several_destination(void *owner, const struct sheaf_transport_arrival *arrival)
{
    struct sheaf_several_end *end = owner;
    struct sheaf_transport_arrival seen = *arrival;
    seen.origin = sheaf_several_link(arrival->origin, place_of(end));
    return sheaf_several_state.user->destination(end->whole->owner, &seen);
}
