/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The port: a tag of the communicator for messages, with receives for all that come by it; its turns, and
 * the descriptor on which a thread sleeps between them. MPI has no descriptor for messages: a timer wakes
 * the sleeper.
 */
#include "engine/mpi/mpi.h"

#include "base/clock.h"
#include "base/times.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/timerfd.h>
#include <unistd.h>

/* A sleeper sleeps an eighth of the time since the last activity, within bounds. MPI moves long data in
 * several steps, each of which waits for a look. */
#define REST_SHARE 8

/* Tags count up, so that late messages to a closed port meet no other port for long. */
static int next_tag(void)
{
    static uint32_t given;
    uint32_t number = __atomic_fetch_add(&given, 1, __ATOMIC_RELAXED);
    return (int)(number % ((uint32_t)sheaf_mpi_state.most_tag + 1));
}

static const char *mpi_open_port_parts(sheaf_transport_port *port)
{
    uint64_t drawn[2];
    const char *why;
    port->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    if (port->timer < 0)
        return strerror(errno);
    if (getrandom(drawn, sizeof drawn, 0) != (ssize_t)sizeof drawn)
        return "no random numbers";
    port->id = drawn[0];
    port->secret = drawn[1];
    port->tag = next_tag();
    return sheaf_mpi_start_receiving(port, &why) == 0 ? NULL : why;
}

sheaf_transport_port *sheaf_mpi_open(void *owner, const char **why)
{
    sheaf_transport_port *port = calloc(1, sizeof *port);
    *why = "no memory";
    if (!port)
        return NULL;
    port->owner = owner;
    port->timer = -1;
    port->active_ns = sheaf_clock_ns();
    port->queue_last = &port->queue;
    port->posted_last = &port->posted;
    port->moves_last = &port->moves;
    *why = mpi_open_port_parts(port);
    if (!*why)
        return port;
    sheaf_mpi_close(port);
    return NULL;
}

/* Nothing is reported to the user any more. */
static void send_goodbyes(sheaf_transport_port *port)
{
    uint64_t until = sheaf_clock_ns() + sheaf_times.mpi_leaves;
    for (sheaf_transport_link *link = port->links; link; link = link->next)
        if (link->has_met && !link->why && !link->queued)
            sheaf_mpi_send_control(link, SHEAF_MPI_GOODBYE, 0, 0);
    while (port->posted && sheaf_clock_ns() < until)
        sheaf_mpi_take_sent(port);
}

void sheaf_mpi_close(sheaf_transport_port *port)
{
    bool is_up = !sheaf_mpi_state.shim->is_finalized();
    if (is_up)
        send_goodbyes(port);
    for (struct sheaf_mpi_data *data = port->moving; is_up && data; data = data->next_moving)
        if (data->is_under_way && !data->is_sent)
            sheaf_mpi_state.shim->cancel(&data->request);
    if (port->buffers && is_up && sheaf_mpi_stop_receiving(port))
        free(port->buffers); /* otherwise MPI may still write there */
    sheaf_mpi_free_accesses(port);
    sheaf_mpi_free_links(port);
    sheaf_mpi_free_send_buffers(port);
    if (port->timer >= 0)
        close(port->timer);
    free(port);
}

int sheaf_mpi_address(sheaf_transport_port *port, void **address, size_t *length, const char **why)
{
    struct sheaf_mpi_address *all = malloc(sizeof *all);
    *why = all ? NULL : "no memory";
    if (!all)
        return -1;
    *all = (struct sheaf_mpi_address){port->id, port->secret, (uint32_t)sheaf_mpi_state.rank,
                                      (uint32_t)port->tag};
    *address = all;
    *length = sizeof *all;
    return 0;
}

static void mpi_set_port_timer(sheaf_transport_port *port, uint64_t ns)
{
    const struct itimerspec time = {.it_value = sheaf_times_spec(ns)};
    timerfd_settime(port->timer, 0, &time, NULL);
    port->is_timer_set = ns != 0;
}

bool sheaf_mpi_turn(sheaf_transport_port *port)
{
    if (port->is_timer_set)
        mpi_set_port_timer(port, 0);
    bool any = sheaf_mpi_take_arrivals(port);
    if (port->posted)
        any |= sheaf_mpi_take_sent(port);
    if (port->queue)
        any |= sheaf_mpi_send_queued(port);
    if (port->moving)
        any |= sheaf_mpi_move_data(port);
    if (port->due)
        any |= sheaf_mpi_report_incoming(port);
    if (port->moves || port->waiting)
        any |= sheaf_mpi_take_accesses(port);
    if (port->broken) {
        sheaf_mpi_end_broken(port);
        any = true;
    }
    if (any)
        port->active_ns = sheaf_clock_ns();
    return any;
}

int sheaf_mpi_descriptor(sheaf_transport_port *port)
{
    return port->timer;
}

bool sheaf_mpi_needs_turns(sheaf_transport_port *port)
{
    return port->moving && sheaf_clock_ns() - port->active_ns < sheaf_times.mpi_data_moves;
}

/* Operations under way need looks too. */
bool sheaf_mpi_arm(sheaf_transport_port *port)
{
    if (port->broken || sheaf_mpi_needs_turns(port))
        return false;
    uint64_t rest = (sheaf_clock_ns() - port->active_ns) / REST_SHARE;
    uint64_t least = sheaf_times.mpi_rest_least, most = sheaf_times.mpi_rest_most;
    mpi_set_port_timer(port, rest < least ? least : rest > most ? most : rest);
    return true;
}
