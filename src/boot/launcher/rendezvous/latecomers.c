/* SPDX-License-Identifier: BSD-3-Clause
 * See latecomers.h.
 */
#include "boot/launcher/rendezvous/latecomers.h"

#include "boot/launcher/rendezvous/guest.h"

#include <errno.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#define GUESTS      8    /* at once: the next takes the place of the one that came first */
#define MOST_GUESTS 1000 /* in all: then the listeners close, so that a stranger costs a job little */

static struct {
    struct sheaf_listeners listeners;
    const struct sheaf_rendezvous_plan *plan;
    int events;
    uint32_t first;
    unsigned guests; /* that have come */
    struct sheaf_guest guest[GUESTS];
} late;

static bool await_events(int fd, uint32_t number)
{
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = late.first + number};
    return epoll_ctl(late.events, EPOLL_CTL_ADD, fd, &event) == 0;
}

void sheaf_latecomers_open(const struct sheaf_listeners *listeners,
                           const struct sheaf_rendezvous_plan *plan, int events, uint32_t first)
{
    late.listeners = *listeners;
    late.plan = plan;
    late.events = events;
    late.first = first;
    for (int i = 0; i < listeners->count; i++)
        await_events(listeners->fd[i], GUESTS + (uint32_t)i);
}

void sheaf_latecomers_close(void)
{
    while (late.listeners.count > 0)
        close(late.listeners.fd[--late.listeners.count]);
    for (int i = 0; i < GUESTS; i++)
        sheaf_channel_close(&late.guest[i].channel);
}

/* Without a free descriptor nobody is told any more. */
static void accept_guest(int listener)
{
    int fd = sheaf_interface_accept(late.listeners.fd[listener]);
    if (fd < 0 && errno == EAGAIN)
        return;
    if (fd < 0 || late.guests == MOST_GUESTS) {
        if (fd >= 0)
            close(fd);
        sheaf_latecomers_close();
        return;
    }
    uint32_t number = late.guests++ % GUESTS;
    if (late.listeners.is_local[listener] && !sheaf_contact_is_own(fd)) {
        close(fd);
        return;
    }
    struct sheaf_guest *guest = &late.guest[number];
    sheaf_channel_close(&guest->channel);
    sheaf_guest_open(guest, fd, late.listeners.is_local[listener]);
    if (!await_events(fd, number))
        sheaf_channel_close(&guest->channel);
}

static void answer_guest(struct sheaf_guest *guest)
{
    enum sheaf_refusal why;
    if (sheaf_guest_hear(guest, late.plan->secret, 0, &why) == SHEAF_GUEST_PROVEN)
        sheaf_guest_tell_late(&guest->channel, &guest->joining, late.plan);
}

void sheaf_latecomers_answer(uint32_t number)
{
    number -= late.first;
    if (number < GUESTS && late.guest[number].channel.is_open)
        answer_guest(&late.guest[number]);
    else if (number >= GUESTS && number - GUESTS < (uint32_t)late.listeners.count)
        accept_guest((int)(number - GUESTS));
}
