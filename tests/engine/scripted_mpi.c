/* SPDX-License-Identifier: BSD-3-Clause
 * See scripted_mpi.h.
 */
#include "scripted_mpi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGES = 1, DATA };

/* A send or a receive: listed until it has met its other one; then both are with the receive. */
struct op {
    uint64_t comm;
    bool is_send, has_ended, is_cancelled, is_ours;
    unsigned char *bytes;
    size_t count, came;
    int tag;
    struct op *other, *next;
};
static struct op *waiting, *met; /* the oldest first */

void (*script_receiving)(const unsigned char *memory);
unsigned script_flushes;

static void append(struct op **list, struct op *op)
{
    while (*list)
        list = &(*list)->next;
    op->next = NULL;
    *list = op;
}

static void take_out(struct op **list, const struct op *op)
{
    while (*list != op)
        list = &(*list)->next;
    *list = op->next;
}

static void end(struct op *receive)
{
    struct op *send = receive->other;
    receive->came = send->count < receive->count ? send->count : receive->count;
    memcpy(receive->bytes, send->bytes, receive->came);
    receive->has_ended = send->has_ended = true;
    if (!send->is_ours)
        return;
    free(send->bytes);
    free(send);
}

static void meet(struct op *send, struct op *receive)
{
    receive->other = send;
    if (receive->comm == MESSAGES)
        end(receive);
    else
        append(&met, receive);
}

static struct op *start(const struct op *given)
{
    struct op *op = malloc(sizeof *op), *other = waiting;
    *op = *given;
    while (other && (other->comm != op->comm || other->tag != op->tag || other->is_send == op->is_send))
        other = other->next;
    if (!other) {
        append(&waiting, op);
        return op;
    }
    take_out(&waiting, other);
    if (op->is_send)
        meet(op, other);
    else
        meet(other, op);
    return op;
}

static int send_bytes(const sheaf_mpi_comm *comm, const void *bytes, int count, int rank, int tag,
                      sheaf_mpi_request *request)
{
    (void)rank;
    request->handle = (uintptr_t)start(&(struct op){.comm = comm->handle, .is_send = true, .tag = tag,
                                                    .bytes = (unsigned char *)(uintptr_t)bytes,
                                                    .count = (size_t)count});
    return 0;
}

static int receive_bytes(const sheaf_mpi_comm *comm, void *bytes, int count, int source, int tag,
                         sheaf_mpi_request *request)
{
    (void)source;
    if (comm->handle == DATA && script_receiving)
        script_receiving(bytes);
    request->handle = (uintptr_t)start(&(struct op){.comm = comm->handle, .tag = tag, .bytes = bytes,
                                                    .count = (size_t)count});
    return 0;
}

static int test(sheaf_mpi_request *request, bool *has_ended, struct sheaf_mpi_arrival *arrival)
{
    struct op *op = (struct op *)(uintptr_t)request->handle;
    *has_ended = op->has_ended;
    if (op->has_ended && arrival)
        *arrival = (struct sheaf_mpi_arrival){0, op->came};
    if (op->has_ended)
        free(op);
    return 0;
}

static void cancel(sheaf_mpi_request *request)
{
    struct op *op = (struct op *)(uintptr_t)request->handle;
    if (op->has_ended || op->other)
        return;
    take_out(&waiting, op);
    op->has_ended = true;
}

static bool is_finalized(void)
{
    return false;
}

static void words(int error, char *text, size_t size)
{
    snprintf(text, size, "error %d", error);
}

static int put(const sheaf_mpi_window *window, const void *source, int count, int rank, uint64_t place,
               sheaf_mpi_request *request)
{
    struct op *op = request ? calloc(1, sizeof *op) : NULL;
    (void)rank;
    if (op) {
        op->has_ended = true;
        request->handle = (uint64_t)(uintptr_t)op;
    }
    memcpy((unsigned char *)(uintptr_t)window->handle + place, source, (size_t)count);
    return 0;
}

static int flush(const sheaf_mpi_window *window, int rank)
{
    (void)window, (void)rank;
    script_flushes++;
    return 0;
}

static const struct sheaf_mpi_shim shim = {.version = SHEAF_MPI_SHIM_VERSION, .is_finalized = is_finalized,
                                           .words = words, .send = send_bytes, .receive = receive_bytes,
                                           .test = test, .cancel = cancel, .put = put, .flush = flush};

void script_begin(const struct sheaf_transport_user *user)
{
    sheaf_mpi_state = (struct sheaf_mpi_state){.user = user, .shim = &shim, .messages = {MESSAGES},
                                               .data = {DATA}, .size = 1, .most_tag = 9999};
}

unsigned script_under_way(void)
{
    unsigned count = 0;
    for (const struct op *op = met; op; op = op->next)
        count++;
    return count;
}

void script_end(unsigned n)
{
    struct op *op = met;
    while (n-- > 0)
        op = op->next;
    take_out(&met, op);
    end(op);
}

static void send_ours(uint64_t comm, int tag, const void *bytes, size_t length)
{
    unsigned char *copy = calloc(1, length + 1);
    if (bytes)
        memcpy(copy, bytes, length);
    start(&(struct op){.comm = comm, .is_send = true, .is_ours = true, .tag = tag, .bytes = copy,
                       .count = length});
}

void script_inject(int tag, const void *bytes, size_t length)
{
    send_ours(MESSAGES, tag, bytes, length);
}

void script_answer(size_t length)
{
    const struct op *op = waiting;
    while (op && (op->comm != DATA || op->is_send))
        op = op->next;
    if (op)
        send_ours(DATA, op->tag, NULL, length);
}
