/* SPDX-License-Identifier: BSD-3-Clause
 * See nothing.h.
 */
#include "nothing.h"

#include "engine/message/engine.h"

#include <string.h>

struct nothing nothing;

static int start(const struct sheaf_transport_user *user, struct sheaf_transport_abilities *abilities)
{
    (void)user;
    abilities->longest = nothing.longest;
    return 0;
}

static sheaf_transport_port *open_port(void *owner, const char **why)
{
    *why = NULL;
    return owner;
}

static int address_of(sheaf_transport_port *port, void **address, size_t *length, const char **why)
{
    (void)port, (void)why;
    *address = calloc(1, *length = 1);
    return *address ? 0 : -1;
}

static sheaf_transport_link *connect_to(sheaf_transport_port *port, const void *address, size_t length,
                                        void *peer, const char **why)
{
    (void)port, (void)address, (void)length, (void)why;
    return peer;
}

/* Reads all that would be sent. */
static void send_nothing(sheaf_transport_link *link, const struct sheaf_transport_message *message)
{
    (void)link;
    for (size_t i = 0; i < message->header_bytes; i++)
        (void)((const volatile unsigned char *)message->header)[i];
    for (size_t i = 0; i < message->bytes; i++)
        (void)((const volatile unsigned char *)message->source)[i];
    if (nothing.sending)
        nothing.sending(message->operation, message);
    sheaf_msg_sent(message->operation, NULL);
}

static void fetch_nothing(sheaf_transport_port *port, void *waiting, void *dest, size_t bytes,
                          void *message)
{
    (void)port, (void)waiting;
    memset(dest, 7, bytes);
    sheaf_msg_fetched(message, NULL);
}

static bool turn_nothing(sheaf_transport_port *port)
{
    (void)port;
    return false;
}

static int no_descriptor(sheaf_transport_port *port)
{
    (void)port;
    return -1;
}

static const struct sheaf_transport transport = {.name = "nothing", .title = "nothing",
                                                 .start = start, .open = open_port,
                                                 .address = address_of, .connect = connect_to,
                                                 .send = send_nothing, .fetch = fetch_nothing,
                                                 .turn = turn_nothing, .descriptor = no_descriptor};

static int peer_address(int pe, void **address, size_t *length)
{
    const void *own;
    (void)pe;
    sheaf_msg_address(&own, length);
    *address = malloc(*length);
    memcpy(*address, own, *length);
    return 0;
}

struct sheaf_msg_worker *nothing_start(struct sheaf_engine_job job)
{
    job.peer_address = peer_address;
    job.progress = SHEAF_PROGRESS_OFF;
    REQUIRE(sheaf_msg_start(&transport, &job) == 0, "the engine does not start over nothing");
    return sheaf_msg_state.service;
}
