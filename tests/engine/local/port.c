/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A port: its links, its turns, and the descriptor that tells of them. All ports of a process share its
 * door: whoever takes a turn first hands callers over.
 */
#include "local/port.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

static struct {
    pthread_mutex_t lock;
    sheaf_transport_port *ports;
    uint32_t numbers; /* of ports so far: none is used twice */
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* What epoll's events name: the door, the port itself, or a link. */
static const char door_event;

static int watch(int epoll, int operation, int fd, uint32_t events, const void *what)
{
    struct epoll_event event = {.events = events, .data.ptr = (void *)(uintptr_t)what};
    return epoll_ctl(epoll, operation, fd, &event);
}

static bool make_descriptors(sheaf_transport_port *port)
{
    port->epoll = epoll_create1(EPOLL_CLOEXEC);
    port->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return port->epoll >= 0 && port->wake >= 0 &&
           watch(port->epoll, EPOLL_CTL_ADD, port->wake, EPOLLIN, port) == 0;
}

static void close_descriptors(const sheaf_transport_port *port)
{
    if (port->epoll >= 0)
        close(port->epoll);
    if (port->wake >= 0)
        close(port->wake);
}

sheaf_transport_port *sheaf_local_open(void *owner, const char **why)
{
    if (sheaf_local_is_nth(&sheaf_local.opened, sheaf_local_settings.refused_open)) {
        *why = "this port is refused by the test's settings";
        return NULL;
    }
    sheaf_transport_port *port = sheaf_local_allocate(sizeof *port);
    port->owner = owner;
    port->chance = sheaf_local_settings.seed ^ ((uint64_t)sheaf_local.pe << 56) ^
                   ((uint64_t)sheaf_local.opened << 48);
    if (!make_descriptors(port)) {
        *why = strerror(errno);
        close_descriptors(port);
        free(port);
        return NULL;
    }
    pthread_mutex_lock(&all.lock);
    port->number = ++all.numbers;
    port->next = all.ports;
    all.ports = port;
    pthread_mutex_unlock(&all.lock);
    return port;
}

/* From now on nobody finds it. */
static void remove_port(sheaf_transport_port *port)
{
    pthread_mutex_lock(&all.lock);
    sheaf_transport_port **place = &all.ports;
    while (*place != port)
        place = &(*place)->next;
    *place = port->next;
    pthread_mutex_unlock(&all.lock);
    for (size_t i = 0; i < port->callers_count; i++)
        close(port->callers[i].fd);
    free(port->callers);
}

static bool end_late(sheaf_transport_port *port, bool all_now)
{
    bool any = false;
    struct sheaf_local_end **place = &port->late;
    while (*place) {
        struct sheaf_local_end *end = *place;
        if (!all_now && --end->turns > 0) {
            place = &end->next;
            continue;
        }
        *place = end->next;
        void *operation = end->operation;
        free(end);
        sheaf_local.user.sent(operation, NULL);
        any = true;
        place = &port->late; /* what was told may have changed the list */
    }
    return any;
}

/* What is told may send once more, and is told of that end at once. */
void sheaf_local_close(sheaf_transport_port *port)
{
    remove_port(port);
    for (sheaf_transport_link *link = port->links; link; link = link->next)
        sheaf_local_break(link, "the port has been closed");
    for (sheaf_transport_link *link = port->links; link; link = link->next)
        sheaf_local_end_link(link);
    end_late(port, true);
    for (sheaf_transport_link *link = port->links, *next; link; link = next) {
        next = link->next;
        sheaf_local_free_link(link);
    }
    close_descriptors(port);
    free(port);
}

int sheaf_local_address(sheaf_transport_port *port, void **address, size_t *length, const char **why)
{
    struct sheaf_local_address *own = sheaf_local_allocate(sizeof *own);
    if (!port->is_listening &&
        watch(port->epoll, EPOLL_CTL_ADD, sheaf_local_door(), EPOLLIN, &door_event) != 0) {
        *why = strerror(errno);
        free(own);
        return -1;
    }
    port->is_listening = true;
    memcpy(own->token, sheaf_local_tree->token, sizeof own->token);
    own->pe = (uint32_t)sheaf_local.pe;
    own->port = port->number;
    *address = own;
    *length = sizeof *own;
    return 0;
}

static sheaf_transport_port *find_port(uint32_t number)
{
    sheaf_transport_port *port = all.ports;
    while (port && port->number != number)
        port = port->next;
    return port;
}

static void add_caller(sheaf_transport_port *port, struct sheaf_local_caller caller)
{
    size_t bytes = (port->callers_count + 1) * sizeof caller;
    struct sheaf_local_caller *callers = sheaf_local_allocate(bytes);
    if (port->callers_count)
        memcpy(callers, port->callers, bytes - sizeof caller);
    callers[port->callers_count++] = caller;
    free(port->callers);
    port->callers = callers;
}

/* With the lock. A port that has been closed answers by closing the connection. */
static void open_door(sheaf_transport_port *here)
{
    struct sheaf_local_call call;
    const uint64_t one = 1;
    for (int fd; (fd = sheaf_local_take_call(&call)) >= 0;) {
        sheaf_transport_port *port = find_port(call.port);
        if (!port) {
            close(fd);
            continue;
        }
        add_caller(port, (struct sheaf_local_caller){fd, call.pe});
        if (port != here && write(port->wake, &one, sizeof one) < 0 && errno != EAGAIN)
            abort();
    }
}

void sheaf_local_clear_door(void)
{
    pthread_mutex_lock(&all.lock);
    open_door(NULL);
    pthread_mutex_unlock(&all.lock);
}

static bool take_callers(sheaf_transport_port *port)
{
    uint64_t ignored;
    pthread_mutex_lock(&all.lock);
    open_door(port);
    struct sheaf_local_caller *callers = port->callers;
    size_t count = port->callers_count;
    port->callers = NULL;
    port->callers_count = 0;
    pthread_mutex_unlock(&all.lock);
    if (read(port->wake, &ignored, sizeof ignored) < 0 && errno != EAGAIN)
        abort();
    for (size_t i = 0; i < count; i++)
        sheaf_local_accept(port, &callers[i]);
    free(callers);
    return count > 0;
}

/* One system call for all links. */
static void look_at_events(sheaf_transport_port *port)
{
    struct epoll_event events[32];
    int count = epoll_wait(port->epoll, events, 32, 0);
    for (int i = 0; i < count; i++) {
        void *what = events[i].data.ptr;
        if (what == &door_event || what == port) {
            port->has_calls = true;
            continue;
        }
        sheaf_transport_link *link = what;
        link->is_readable |= (events[i].events & ~(uint32_t)EPOLLOUT) != 0;
        if (link->is_blocked && (events[i].events & EPOLLOUT)) {
            link->is_blocked = false;
            sheaf_local_watch(link, EPOLL_CTL_MOD);
        }
    }
}

static bool turn_links(sheaf_transport_port *port)
{
    bool any = false;
    for (sheaf_transport_link *link = port->links; link; link = link->next)
        any |= sheaf_local_link_turn(link);
    return any;
}

bool sheaf_local_turn(sheaf_transport_port *port)
{
    bool any = false;
    if (port->idle) {
        port->idle--;
        return false;
    }
    look_at_events(port);
    if (port->has_calls) {
        port->has_calls = false;
        any |= take_callers(port);
    }
    any |= turn_links(port);
    any |= end_late(port, false);
    port->idle = sheaf_local_rest(port, sheaf_local_settings.idles);
    return any;
}

int sheaf_local_descriptor(sheaf_transport_port *port)
{
    return port->epoll;
}

bool sheaf_local_arm(sheaf_transport_port *port)
{
    struct epoll_event event;
    if (port->late || epoll_wait(port->epoll, &event, 1, 0) != 0)
        return false;
    for (const sheaf_transport_link *link = port->links; link; link = link->next)
        if (sheaf_local_link_is_due(link))
            return false;
    return true;
}
