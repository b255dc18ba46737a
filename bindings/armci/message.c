/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages between two processes. Each process has room for one piece of a message from each other
 * one. A sender writes a piece there when the room is free, which the receiver tells it. A receiver
 * that looks for one message takes in what else has come, and so does a sender that waits for room:
 * two processes that send to each other first do not wait for ever.
 */
#include "internal.h"

#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#define PIECE 1008 /* bytes of a message, of the 1 KiB of a room */

struct room {
    int tag, length; /* length is that of the whole message */
    _Alignas(16) char data[PIECE];
};

struct message {
    struct message *next;
    int from, tag, length, arrived;
    char data[];
};

/* Symmetric, one for each process. */
static struct room *rooms;  /* for what it sends */
static uint64_t *is_full;   /* whether its room here is */
static uint64_t *is_unread; /* whether my room there is */

static struct message *first, **last = &first; /* in the order in which they began to arrive */

void sheaf_armci_messages_init(void)
{
    size_t size = (size_t)sheaf_armci.size;
    rooms = shmem_calloc(size, sizeof *rooms);
    is_full = shmem_calloc(2 * size, sizeof *is_full);
    if (!rooms || !is_full)
        sheaf_armci_refuse("ARMCI_Init", "the symmetric heap has no %zu bytes for messages",
                           size * sizeof *rooms);
    is_unread = is_full + size;
    last = &first;
}

void sheaf_armci_messages_fini(void)
{
    shmem_free(rooms);
    shmem_free(is_full);
    while (first) {
        struct message *next = first->next;
        free(first);
        first = next;
    }
}

static struct message *find_partial(int from)
{
    struct message *message = first;
    while (message && (message->from != from || message->arrived == message->length))
        message = message->next;
    return message;
}

static struct message *add_message(const char *call, int from)
{
    int length = rooms[from].length;
    if (length < 0)
        sheaf_armci_refuse(call, "process %d has sent a message of %d bytes", from, length);
    struct message *added = malloc(sizeof *added + (size_t)length);
    if (!added)
        sheaf_armci_refuse(call, "no memory for a message of %d bytes from process %d", length,
                           from);
    *added = (struct message){.from = from, .tag = rooms[from].tag, .length = length};
    *last = added;
    last = &added->next;
    return added;
}

/* Takes in the piece of that process, if there is one. */
static bool take_piece(const char *call, int from)
{
    if (!shmem_uint64_test(&is_full[from], SHMEM_CMP_NE, 0))
        return false;
    struct message *message = find_partial(from);
    if (!message)
        message = add_message(call, from);
    int left = message->length - message->arrived, part = left < PIECE ? left : PIECE;
    memcpy(message->data + message->arrived, rooms[from].data, (size_t)part);
    message->arrived += part;
    __atomic_store_n(&is_full[from], 0, __ATOMIC_RELEASE);
    shmem_uint64_p(&is_unread[sheaf_armci.me], 0, from);
    return true;
}

static bool take_pieces(const char *call)
{
    bool any = false;
    for (int pe = 0; pe < sheaf_armci.size; pe++)
        any |= take_piece(call, pe);
    return any;
}

void armci_msg_snd(int tag, void *buffer, int bytes, int to)
{
    WAITS
    sheaf_armci_check_process(CALL, to);
    if (bytes < 0)
        sheaf_armci_refuse(CALL, "buflen is %d, which is negative", bytes);
    if (bytes > 0 && !buffer)
        sheaf_armci_refuse(CALL, "buffer is a null pointer");
    struct room piece = {.tag = tag, .length = bytes};
    int at = 0;
    do {
        while (!shmem_uint64_test(&is_unread[to], SHMEM_CMP_EQ, 0))
            if (!take_pieces(CALL))
                sched_yield();
        int part = bytes - at < PIECE ? bytes - at : PIECE;
        if (part > 0)
            memcpy(piece.data, (char *)buffer + at, (size_t)part);
        __atomic_store_n(&is_unread[to], 1, __ATOMIC_RELAXED);
        shmem_putmem_signal(&rooms[sheaf_armci.me], &piece,
                            offsetof(struct room, data) + (size_t)part, &is_full[sheaf_armci.me], 1,
                            SHMEM_SIGNAL_SET, to);
        at += part;
    } while (at < bytes);
}

/* The first whole one of that process, or of any where from is below 0. */
static struct message **find_message(int tag, int from)
{
    struct message **at = &first;
    while (*at && ((*at)->tag != tag || (from >= 0 && (*at)->from != from) ||
                   (*at)->arrived < (*at)->length))
        at = &(*at)->next;
    return at;
}

static int receive(const char *call, int tag, void *buffer, int room, int *length, int from)
{
    struct message **at;
    while (!*(at = find_message(tag, from))) {
        if (from >= 0) {
            shmem_uint64_wait_until(&is_full[from], SHMEM_CMP_NE, 0);
            take_piece(call, from);
        } else {
            size_t size = (size_t)sheaf_armci.size;
            take_piece(call,
                       (int)shmem_uint64_wait_until_any(is_full, size, NULL, SHMEM_CMP_NE, 0));
        }
    }
    struct message *message = *at;
    if (message->length > room)
        sheaf_armci_refuse(call,
                           "a message of %d bytes with tag %d from process %d, for a buffer of %d",
                           message->length, tag, message->from, room);
    if (message->length > 0 && !buffer)
        sheaf_armci_refuse(call, "buffer is a null pointer");
    if (message->length > 0)
        memcpy(buffer, message->data, (size_t)message->length);
    if (length)
        *length = message->length;
    from = message->from;
    *at = message->next;
    if (last == &message->next)
        last = at;
    free(message);
    return from;
}

void armci_msg_rcv(int tag, void *buffer, int room, int *length, int from)
{
    WAITS
    sheaf_armci_check_process(CALL, from);
    receive(CALL, tag, buffer, room, length, from);
}

int armci_msg_rcvany(int tag, void *buffer, int room, int *length)
{
    WAITS
    sheaf_armci_check_up(CALL);
    return receive(CALL, tag, buffer, room, length, -1);
}
