/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The port: an endpoint for reliable datagrams with an address vector and a completion queue; its turns,
 * and the descriptor on which a thread sleeps between them.
 */
#include "engine/ofi/ofi.h"

#include "base/times.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/timerfd.h>
#include <unistd.h>

/* Completions read at once, and most reads in one turn. */
#define ENTRIES 16
#define ROUNDS  16

static int open_completions(sheaf_transport_port *port)
{
    struct fi_cq_attr attributes = {.format = FI_CQ_FORMAT_MSG, .wait_obj = FI_WAIT_FD};
    struct fid_domain *domain = sheaf_ofi_state.domain;
    port->wait_fd = -1;
    if (!sheaf_ofi_has(SHEAF_OFI_NO_WAKE) &&
        fi_cq_open(domain, &attributes, &port->completions, NULL) == 0) {
        if (fi_control(&port->completions->fid, FI_GETWAIT, &port->wait_fd) == 0)
            return 0;
        fi_close(&port->completions->fid);
        port->completions = NULL;
        port->wait_fd = -1;
    }
    attributes.wait_obj = FI_WAIT_NONE;
    return fi_cq_open(domain, &attributes, &port->completions, NULL);
}

static int open_endpoint(sheaf_transport_port *port)
{
    struct fi_av_attr attributes = {.type = sheaf_ofi_state.info->domain_attr->av_type};
    int status = open_completions(port);
    if (status == 0)
        status = fi_av_open(sheaf_ofi_state.domain, &attributes, &port->addresses, NULL);
    if (status == 0)
        status = fi_endpoint(sheaf_ofi_state.domain, sheaf_ofi_state.info, &port->endpoint, NULL);
    if (status == 0)
        status = fi_ep_bind(port->endpoint, &port->completions->fid, FI_TRANSMIT | FI_RECV);
    if (status == 0)
        status = fi_ep_bind(port->endpoint, &port->addresses->fid, 0);
    if (status == 0)
        status = fi_enable(port->endpoint);
    port->name_bytes = sizeof port->name;
    return status ? status : fi_getname(&port->endpoint->fid, port->name, &port->name_bytes);
}

static int ofi_watch_descriptor(sheaf_transport_port *port, int fd, uint32_t how)
{
    struct epoll_event event = {.events = EPOLLIN | how, .data.fd = fd};
    return fd < 0 ? 0 : epoll_ctl(port->epoll, EPOLL_CTL_ADD, fd, &event);
}

/* Returns NULL, or the reason. */
static const char *open_descriptor(sheaf_transport_port *port)
{
    port->epoll = epoll_create1(EPOLL_CLOEXEC);
    port->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    if (port->epoll < 0 || port->timer < 0 || ofi_watch_descriptor(port, port->timer, 0) != 0 ||
        ofi_watch_descriptor(port, port->wait_fd, sheaf_ofi_state.wakes_once ? EPOLLET : 0) != 0)
        return strerror(errno);
    return NULL;
}

static const char *ofi_open_port_parts(sheaf_transport_port *port)
{
    uint64_t drawn[2];
    const char *why;
    int status = SHEAF_OFI_INSIDE(open_endpoint(port));
    if (status != 0)
        return sheaf_ofi_words(status);
    if ((why = open_descriptor(port)) != NULL)
        return why;
    if (getrandom(drawn, sizeof drawn, 0) != (ssize_t)sizeof drawn)
        return "no random numbers";
    port->id = drawn[0];
    port->secret = drawn[1];
    port->chance = port->id;
    return sheaf_ofi_start_receiving(port, &why) == 0 ? NULL : why;
}

sheaf_transport_port *sheaf_ofi_open(void *owner, const char **why)
{
    sheaf_transport_port *port = calloc(1, sizeof *port);
    *why = "no memory";
    if (!port)
        return NULL;
    port->owner = owner;
    port->epoll = port->timer = port->wait_fd = -1;
    *why = ofi_open_port_parts(port);
    if (!*why && !sheaf_ofi_state.service)
        sheaf_ofi_state.service = port;
    if (!*why)
        return port;
    sheaf_ofi_close(port);
    return NULL;
}

/* Returns whether the provider has released the object. */
static bool close_object(struct fid *object)
{
    return !object || fi_close(object) == 0;
}

void sheaf_ofi_close(sheaf_transport_port *port)
{
    sheaf_ofi_say_goodbye(port);
    if (sheaf_ofi_state.service == port)
        sheaf_ofi_state.service = NULL;
    bool is_closed = close_object(port->endpoint ? &port->endpoint->fid : NULL);
    close_object(port->completions ? &port->completions->fid : NULL);
    close_object(port->addresses ? &port->addresses->fid : NULL);
    while (port->links) {
        sheaf_transport_link *link = port->links;
        port->links = link->next;
        sheaf_ofi_free_link(link);
    }
    if (is_closed) /* otherwise the provider may still write there */
        sheaf_ofi_free_regions(port);
    if (port->epoll >= 0)
        close(port->epoll);
    if (port->timer >= 0)
        close(port->timer);
    sheaf_link_table_free(&port->table);
    free(port);
}

int sheaf_ofi_address(sheaf_transport_port *port, void **address, size_t *length, const char **why)
{
    struct sheaf_ofi_address *all = calloc(1, sizeof *all + port->name_bytes);
    *why = all ? NULL : "no memory";
    if (!all)
        return -1;
    all->port = port->id;
    all->is_gated = sheaf_ofi_state.is_gated;
    all->fragment = (uint32_t)sheaf_ofi_state.sizes.fragment;
    strncpy(all->provider, sheaf_ofi_state.info->fabric_attr->prov_name, sizeof all->provider - 1);
    all->introduction.secret = port->secret;
    memcpy(all + 1, port->name, port->name_bytes);
    *address = all;
    *length = sizeof *all + port->name_bytes;
    return 0;
}

static struct sheaf_ofi_receive_buffer *receive_buffer_of(struct sheaf_ofi_context *context)
{
    size_t offset = offsetof(struct sheaf_ofi_receive_buffer, context);
    return (struct sheaf_ofi_receive_buffer *)(void *)((char *)context - offset);
}

static void take_completion(sheaf_transport_port *port, const struct fi_cq_msg_entry *entry)
{
    struct sheaf_ofi_context *context = entry->op_context;
    if (!context)
        return;
    if (context->kind == SHEAF_OFI_RECEIVE)
        sheaf_ofi_receive_ended(port, receive_buffer_of(context), entry->len);
    else
        sheaf_ofi_complete(context, NULL);
}

/* An error without a context concerns a connection; errors of its sends follow. */
static void take_error(sheaf_transport_port *port)
{
    struct fi_cq_err_entry entry = {0};
    if (fi_cq_readerr(port->completions, &entry, 0) <= 0 || !entry.op_context)
        return;
    struct sheaf_ofi_context *context = entry.op_context;
    if (context->kind == SHEAF_OFI_RECEIVE)
        sheaf_ofi_give_back(port, receive_buffer_of(context));
    else
        sheaf_ofi_complete(context, sheaf_ofi_words(entry.err));
}

/* Whether another read is worth while. Either all entries were filled. Or the last one is a full piece of
 * long data: the next piece usually follows, and one turn sends one acknowledgement. */
static bool is_more_likely(const struct fi_cq_msg_entry *entries, ssize_t count)
{
    return count == ENTRIES || (count > 0 && entries[count - 1].len >= sheaf_ofi_state.sizes.fragment);
}

/* Ends all links: the port cannot receive any more. */
static void fail_port(sheaf_transport_port *port, ssize_t status)
{
    for (sheaf_transport_link *link = port->links; link; link = link->next)
        sheaf_ofi_break(link, sheaf_ofi_words(status));
}

static bool take_completions(sheaf_transport_port *port)
{
    struct fi_cq_msg_entry entries[ENTRIES];
    bool any = false, goes_on = true;
    ssize_t status;
    for (int round = 0; goes_on && round < ROUNDS; round++) {
        ssize_t count = SHEAF_OFI_INSIDE(fi_cq_read(port->completions, entries, ENTRIES));
        if (count == -FI_EAVAIL)
            take_error(port);
        else if (count <= 0) {
            if (count != 0 && count != -FI_EAGAIN)
                fail_port(port, count);
            break;
        }
        for (ssize_t i = 0; i < count; i++)
            take_completion(port, &entries[i]);
        if (port->idle && (status = sheaf_ofi_give_buffers(port)) != 0)
            fail_port(port, status);
        any = true;
        goes_on = count < 0 || is_more_likely(entries, count);
    }
    return any;
}

static bool take_shuffled(sheaf_transport_port *port, bool all)
{
    struct sheaf_ofi_receive_buffer *buffer;
    bool any = false;
    while ((buffer = sheaf_ofi_take_aside(&port->shuffled, all, &port->chance)) != NULL) {
        sheaf_ofi_handle_message(port, buffer->bytes, buffer->length);
        sheaf_ofi_give_back(port, buffer);
        any = true;
    }
    return any;
}

static void ofi_set_port_timer(sheaf_transport_port *port, uint64_t ns)
{
    const struct itimerspec time = {.it_value = sheaf_times_spec(ns)};
    timerfd_settime(port->timer, 0, &time, NULL);
    port->is_timer_set = ns != 0;
}

bool sheaf_ofi_turn(sheaf_transport_port *port)
{
    if (port->is_timer_set)
        ofi_set_port_timer(port, 0);
    ssize_t status;
    bool any = take_completions(port);
    if (port->late.first)
        any |= sheaf_ofi_give_late(port);
    if (sheaf_ofi_has(SHEAF_OFI_NO_ORDER))
        any |= take_shuffled(port, !any);
    if (port->idle && (status = sheaf_ofi_give_buffers(port)) != 0)
        fail_port(port, status);
    if (port->blocked)
        any |= sheaf_ofi_send_blocked(port);
    if (port->given_up)
        sheaf_ofi_take_leave(port);
    sheaf_ofi_look(port);
    sheaf_ofi_look_for_lost(port);
    if (port->broken) {
        sheaf_ofi_end_broken(port);
        any = true;
    }
    return any;
}

int sheaf_ofi_port_descriptor(sheaf_transport_port *port)
{
    return port->epoll;
}

/* The provider's descriptor stays readable. So earlier events are dropped, and then the queue must be
 * empty. */
static bool forget_wakes(sheaf_transport_port *port)
{
    struct epoll_event events[2];
    return epoll_wait(port->epoll, events, 2, 0) >= 0 &&
           fi_cq_read(port->completions, NULL, 0) == -FI_EAGAIN;
}

static bool has_nothing(sheaf_transport_port *port)
{
    struct fid *completions = &port->completions->fid;
    return fi_trywait(sheaf_ofi_state.fabric, &completions, 1) == 0 &&
           (!sheaf_ofi_state.wakes_once || forget_wakes(port));
}

bool sheaf_ofi_arm(sheaf_transport_port *port)
{
    if (port->shuffled.count || port->late.first || port->broken)
        return false;
    if (port->wait_fd < 0 || port->blocked || port->idle || port->probes)
        ofi_set_port_timer(port, sheaf_times.ofi_look);
    return port->wait_fd < 0 || SHEAF_OFI_INSIDE(has_nothing(port));
}
