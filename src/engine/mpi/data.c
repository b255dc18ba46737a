/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Data that travels separately: from the sender's memory to the receiver's, without a copy, once the
 * receiver has named the destination. The receiver posts its receive before it asks, so MPI never buffers
 * the data.
 */
#include "engine/mpi/mpi.h"

#include "base/mpi/family.h"

#include <stdlib.h>

/* In bytes: one message of MPI is counted in an int. */
#define PIECE ((size_t)1 << 30)

static struct sheaf_mpi_data *make_data(sheaf_transport_link *link, uint64_t number, bool is_sent,
                                        size_t bytes)
{
    struct sheaf_mpi_data *data = calloc(1, sizeof *data), **place = &link->data;
    if (!data)
        return NULL;
    data->link = link;
    data->number = number;
    data->is_sent = is_sent;
    data->bytes = bytes;
    while (*place)
        place = &(*place)->next;
    *place = data;
    return data;
}

static struct sheaf_mpi_data *find_data(const sheaf_transport_link *link, uint64_t number, bool is_sent)
{
    struct sheaf_mpi_data *data = link->data;
    while (data && (data->number != number || data->is_sent != is_sent))
        data = data->next;
    return data;
}

static void unlink_data(struct sheaf_mpi_data *data)
{
    struct sheaf_mpi_data **place = &data->link->data;
    while (*place != data)
        place = &(*place)->next;
    *place = data->next;
}

/* The data of a LONG has ended. At the receiver the link reports the message, in its turn. */
static void finish_long(struct sheaf_mpi_data *data)
{
    sheaf_transport_link *link = data->link;
    if (data->is_sent) {
        link->longs--;
        return;
    }
    data->incoming->is_here = true;
    if (link->is_due)
        return;
    link->is_due = true;
    link->next_due = link->port->due;
    link->port->due = link;
}

/* data must not be in the port's list of moving data. */
static void finish_data(struct sheaf_mpi_data *data, const char *why)
{
    void *operation = data->operation;
    bool is_sent = data->is_sent, is_told = data->is_told || data->incoming;
    if (data->number == 0)
        finish_long(data);
    unlink_data(data);
    free(data);
    if (is_told)
        return;
    if (is_sent)
        sheaf_mpi_state.user->sent(operation, why);
    else
        sheaf_mpi_state.user->fetched(operation, why);
}

/* Receivers draw even tags, senders odd ones, since both kinds travel between the same processes. All
 * ports of a process share the numbers, as MPI addresses only processes. */
static int draw_tag(uint32_t is_odd)
{
    static uint32_t given;
    uint32_t number = __atomic_fetch_add(&given, 1, __ATOMIC_RELAXED);
    return (int)(2 * (number % (((uint32_t)sheaf_mpi_state.most_tag + 1) / 2)) + is_odd);
}

/* Depends on the whole length, so that both ends compute the same. */
static size_t mpi_next_piece(const struct sheaf_mpi_data *data)
{
    size_t rest = data->bytes - data->at;
    size_t most = data->bytes <= sheaf_mpi_choice.at_once ? SHEAF_TRANSPORT_FRAGMENT : PIECE;
    return rest < most ? rest : most;
}

static int start_piece(struct sheaf_mpi_data *data)
{
    const struct sheaf_mpi_state *state = &sheaf_mpi_state;
    size_t bytes = mpi_next_piece(data);
    unsigned char *memory = data->memory + data->at;
    int rank = data->link->rank;
    int error = data->is_sent
                    ? state->shim->send(&state->data, memory, (int)bytes, rank, data->tag, &data->request)
                    : state->shim->receive(&state->data, memory, (int)bytes, rank, data->tag,
                                           &data->request);
    data->is_under_way = error == 0;
    data->piece = bytes;
    data->at += bytes;
    return error;
}

/* Returns whether all of the data has moved, or an error has ended it. */
static bool has_data_moved(struct sheaf_mpi_data *data)
{
    bool has_ended;
    struct sheaf_mpi_arrival end = {0};
    int error = sheaf_mpi_state.shim->test(&data->request, &has_ended, &end);
    if (!has_ended)
        return false;
    data->is_under_way = false;
    if (!error && !data->is_sent && end.bytes != data->piece)
        sheaf_mpi_break(data->link, "less data has come than was announced");
    if (!error && !data->link->why && data->at < data->bytes)
        error = start_piece(data);
    if (error)
        sheaf_mpi_break_by_error(data->link, error);
    return !data->is_under_way;
}

/* After a piece that MPI has sent at once the next one starts. */
static void start_moving(struct sheaf_mpi_data *data)
{
    sheaf_transport_port *port = data->link->port;
    int error = start_piece(data);
    data->next_moving = port->moving;
    port->moving = data;
    if (error)
        sheaf_mpi_break_by_error(data->link, error);
    else if (data->is_sent && data->at < data->bytes)
        has_data_moved(data);
}

uint64_t sheaf_mpi_retain_data(sheaf_transport_link *link, const struct sheaf_transport_message *message)
{
    struct sheaf_mpi_data *data = make_data(link, link->numbers + 1, true, message->bytes);
    if (!data)
        return 0;
    data->memory = (unsigned char *)(uintptr_t)message->source;
    data->operation = message->operation;
    return ++link->numbers;
}

void sheaf_mpi_take_fetch(sheaf_transport_link *link, uint64_t number, uint32_t tag)
{
    struct sheaf_mpi_data *data = find_data(link, number, true);
    if (number == 0 || !data || data->is_under_way || data->at || tag > (uint32_t)sheaf_mpi_state.most_tag)
        return;
    data->tag = (int)tag;
    start_moving(data);
}

void sheaf_mpi_take_drop(sheaf_transport_link *link, uint64_t number)
{
    struct sheaf_mpi_data *data = find_data(link, number, true);
    if (number != 0 && data && !data->is_under_way && !data->at)
        finish_data(data, NULL);
}

struct sheaf_mpi_data *sheaf_mpi_expect_data(sheaf_transport_link *link, uint64_t number, size_t bytes)
{
    return make_data(link, number, false, bytes);
}

bool sheaf_mpi_forget_unfetched(sheaf_transport_link *link, uint64_t number)
{
    struct sheaf_mpi_data *data = find_data(link, number, false);
    if (!data || data->memory)
        return false;
    unlink_data(data);
    free(data);
    return true;
}

int sheaf_mpi_begin_fetch(struct sheaf_mpi_data *data, void *dest, size_t bytes, void *message)
{
    const sheaf_transport_link *link = data->link;
    data->operation = message;
    if (link->why || bytes < data->bytes) {
        finish_data(data, link->why ? link->why : "there is less room than data");
        return -1;
    }
    int tag = data->tag = draw_tag(0);
    data->memory = dest;
    start_moving(data);
    return tag;
}

struct sheaf_mpi_data *sheaf_mpi_add_data(sheaf_transport_link *link,
                                          const struct sheaf_transport_message *message)
{
    struct sheaf_mpi_data *data = make_data(link, 0, true, message->bytes);
    if (!data)
        return NULL;
    data->memory = (unsigned char *)(uintptr_t)message->source;
    data->operation = message->operation;
    data->tag = draw_tag(1);
    return data;
}

void sheaf_mpi_send_data(struct sheaf_mpi_data *data)
{
    data->link->longs++;
    start_moving(data);
}

bool sheaf_mpi_receive_data(sheaf_transport_link *link, struct sheaf_mpi_incoming *incoming, size_t bytes,
                            uint32_t tag)
{
    struct sheaf_mpi_data *data = make_data(link, 0, false, bytes);
    if (!data)
        return false;
    data->incoming = incoming;
    data->memory = incoming->dest;
    data->tag = (int)tag;
    start_moving(data);
    return true;
}

/* Ends are reported only once the list is consistent again. */
bool sheaf_mpi_move_data(sheaf_transport_port *port)
{
    struct sheaf_mpi_data **place = &port->moving, *ended = NULL;
    while (*place) {
        struct sheaf_mpi_data *data = *place;
        if (data->is_under_way && !has_data_moved(data)) {
            place = &data->next_moving;
            continue;
        }
        *place = data->next_moving;
        data->next_moving = ended;
        ended = data;
    }
    bool any = ended != NULL;
    while (ended) {
        struct sheaf_mpi_data *next = ended->next_moving;
        finish_data(ended, ended->link->why);
        ended = next;
    }
    return any;
}

/* A receive ends by MPI's completion, in a later turn, since MPI may still write there. A send may never
 * be received. Data that was not fetched stays: its user may still ask for it. */
void sheaf_mpi_end_data(sheaf_transport_link *link)
{
    struct sheaf_mpi_data *data = link->data, *next;
    for (; data; data = next) {
        next = data->next;
        if (data->is_under_way && !data->is_sent)
            sheaf_mpi_state.shim->cancel(&data->request);
        if (!data->is_sent || data->is_told)
            continue;
        data->is_told = true;
        sheaf_mpi_state.user->sent(data->operation, link->why);
    }
}
