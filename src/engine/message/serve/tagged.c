/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The messages of collectives, on the service worker, matched here by sender and tag. A message that is
 * not long is sent at once, in fragments. Each is copied to its destination, or to memory of this engine
 * while no receive has been posted. For a long message the transport asks the receiver first, and the
 * data waits at the sender for the receive. The worker's lock guards all of this.
 */
#include "engine/message/serve/serve.h"

#include "base/atomic.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* A message at its receiver: its receive is posted, it has begun to arrive, or both. For one sender and tag
 * there are either posted receives that have not begun, or messages that have begun without a receive. */
struct message {
    int pe;
    uint32_t stamp;                /* the receiver's; before there is a receive, the sender's */
    uint64_t tag;
    size_t *remaining;                  /* engine.h's; NULL: no receive is posted */
    unsigned char *dest;           /* the caller's memory, or this engine's while no receive is posted */
    size_t room;                   /* bytes at dest */
    bool has_begun;
    size_t bytes, received; /* of the message, once it has begun */
    void *waiting;       /* the transport's handle while the data is still at the sender; or NULL */
    struct message *next;
    uint64_t word;       /* this engine's memory for up to 8 bytes; else it is malloc'ed */
};

/* By tag, each bucket in the order of arrival. */
#define BUCKETS 64
static struct message *buckets[BUCKETS], *free_messages;

static struct message **tag_bucket(uint64_t tag)
{
    return &buckets[tag % BUCKETS];
}

enum stage { POSTED, BEGUN, ARRIVING };

static bool is_at_stage(const struct message *message, enum stage stage)
{
    switch (stage) {
    case POSTED:
        return !message->has_begun;
    case BEGUN:
        return !message->remaining;
    default:
        return message->has_begun && message->received < message->bytes && !message->waiting;
    }
}

static struct message *find_message(int pe, uint64_t tag, enum stage stage)
{
    struct message *message = *tag_bucket(tag);
    while (message && (message->tag != tag || message->pe != pe || !is_at_stage(message, stage)))
        message = message->next;
    return message;
}

static struct message *add_message(int pe, uint64_t tag)
{
    struct message **place = tag_bucket(tag), *message = free_messages;
    if (message)
        free_messages = message->next;
    else if (!(message = malloc(sizeof *message)))
        sheaf_msg_failed(pe, "message", "no memory");
    *message = (struct message){.pe = pe, .tag = tag};
    while (*place)
        place = &(*place)->next;
    *place = message;
    return message;
}

static void drop_message(struct message *message)
{
    struct message **place = tag_bucket(message->tag);
    while (*place != message)
        place = &(*place)->next;
    *place = message->next;
    message->next = free_messages;
    free_messages = message;
}

/* Lets the message arrive in this engine's memory. */
static void use_own_memory(struct message *message)
{
    message->dest =
        message->bytes <= sizeof message->word ? (unsigned char *)&message->word : malloc(message->bytes);
    if (!message->dest)
        sheaf_msg_failed(message->pe, "message", "no memory");
}

static void free_own_memory(const struct message *message, void *own)
{
    if (own != &message->word)
        free(own);
}

static void complete_message(struct message *message)
{
    sheaf_store_release(message->remaining, *message->remaining - 1);
    drop_message(message);
}

/* Called before the lengths are compared: those of mismatched calls may differ too. */
static void check_stamp(const struct message *message, uint32_t stamp)
{
    if (sheaf_unlikely(message->stamp != stamp) && sheaf_msg_state.job.differs)
        sheaf_msg_state.job.differs(message->pe);
}

static void check_room(const struct message *message)
{
    if (message->bytes > message->room)
        sheaf_msg_failed(message->pe, "message", "message truncated");
}

void sheaf_msg_fetched(void *argument, const char *why)
{
    struct message *message = argument;
    if (sheaf_unlikely(why != NULL) && !sheaf_load_relaxed(&sheaf_msg_state.is_stopping))
        sheaf_msg_failed(message->pe, "message", why);
    complete_message(message);
}

/* Fetches data that is still at the sender. */
static void fetch_message(struct message *message, void *waiting)
{
    message->waiting = waiting;
    sheaf_msg_state.transport->fetch(sheaf_msg_state.service->port, waiting, message->dest, message->bytes,
                                     message);
}

/* Begins to receive a message, into its posted receive or into memory of this engine. */
static struct message *begin_message(const struct sheaf_msg_arrival *arrival, uint64_t tag, uint32_t stamp,
                                     size_t bytes)
{
    struct message *message = find_message(arrival->pe, tag, POSTED);
    if (!message) {
        message = add_message(arrival->pe, tag);
        message->stamp = stamp;
        message->room = bytes;
    }
    message->has_begun = true;
    message->bytes = bytes;
    if (!message->dest && !arrival->waiting)
        use_own_memory(message);
    check_stamp(message, stamp);
    check_room(message);
    return message;
}

static void append_part(struct message *message, const void *source, size_t bytes)
{
    memcpy(message->dest + message->received, source, bytes);
    message->received += bytes;
    if (message->received == message->bytes && message->remaining)
        complete_message(message);
}

bool sheaf_msg_admit_send(const struct sheaf_msg_arrival *arrival,
                          const union sheaf_msg_header *header)
{
    const struct sheaf_msg_send *call = &header->send;
    if (arrival->worker != sheaf_msg_state.service || call->bytes == 0)
        return false;
    if (call->offset == 0)
        return arrival->length == call->bytes ||
               (arrival->data && arrival->length < call->bytes && arrival->length > 0 &&
                (call->bytes < SHEAF_MESSAGE_ASKS || sheaf_msg_survives_deaths()));
    const struct message *message = find_message(arrival->pe, call->tag, ARRIVING);
    return message && arrival->data && message->bytes == call->bytes &&
           message->received == call->offset && arrival->length > 0 &&
           arrival->length <= message->bytes - message->received;
}

bool sheaf_msg_admit_send_word(const struct sheaf_msg_arrival *arrival,
                               const union sheaf_msg_header *header)
{
    const struct sheaf_msg_send_word *call = &header->send_word;
    return arrival->worker == sheaf_msg_state.service && call->bytes <= sizeof call->value;
}

void sheaf_msg_handle_send(const struct sheaf_msg_arrival *arrival,
                           const union sheaf_msg_header *header)
{
    const struct sheaf_msg_send *call = &header->send;
    struct message *message = call->offset == 0
                                ? begin_message(arrival, call->tag, (uint32_t)call->stamp, call->bytes)
                                : find_message(arrival->pe, call->tag, ARRIVING);
    if (!arrival->waiting) {
        append_part(message, arrival->data, arrival->length);
    } else if (message->remaining) {
        fetch_message(message, arrival->waiting);
    } else {
        message->waiting = arrival->waiting;
        *arrival->is_fetched_later = true;
    }
}

void sheaf_msg_handle_send_word(const struct sheaf_msg_arrival *arrival,
                                const union sheaf_msg_header *header)
{
    const struct sheaf_msg_send_word *call = &header->send_word;
    append_part(begin_message(arrival, call->tag, call->stamp, call->bytes), &call->value, call->bytes);
}

/* Gives a message that began before its receive was posted to that receive. */
static void give_to_receive(struct message *message, void *dest, size_t room)
{
    void *ours = message->dest;
    message->dest = dest;
    message->room = room;
    check_room(message);
    if (message->waiting) {
        fetch_message(message, message->waiting);
        return;
    }
    memcpy(dest, ours, message->received);
    free_own_memory(message, ours);
    if (message->received == message->bytes)
        complete_message(message);
}

void sheaf_msg_receive(int peer, uint64_t tag, uint32_t stamp, void *dest, size_t bytes, size_t *remaining)
{
    struct sheaf_msg_worker *worker = sheaf_msg_state.service;
    sheaf_msg_enter(worker);
    ++*remaining;
    struct message *message = find_message(peer, tag, BEGUN);
    bool has_begun = message != NULL;
    if (!has_begun)
        message = add_message(peer, tag);
    message->remaining = remaining;
    if (has_begun) {
        check_stamp(message, stamp);
        give_to_receive(message, dest, bytes);
    } else {
        message->stamp = stamp;
        message->dest = dest;
        message->room = bytes;
    }
    sheaf_msg_unlock(worker);
}

static void send_part(struct sheaf_msg_peer *peer, struct sheaf_msg_send call, const void *source,
                      size_t bytes, size_t *remaining)
{
    struct sheaf_msg_operation *operation =
        sheaf_msg_operation_get(sheaf_msg_state.service, peer);
    operation->header.send = call;
    sheaf_msg_operation_count(operation, remaining);
    sheaf_msg_send_operation(operation, peer->link, SHEAF_MSG_SEND, source, bytes);
}

/* Adapters receive long messages without a copy, and the transport knows from which length on. Where
 * members may leave a collective because of a death, no message waits for its receive. */
static void send_long(struct sheaf_msg_peer *peer, uint64_t tag, uint32_t stamp,
                      const unsigned char *source, size_t bytes, size_t *remaining)
{
    bool is_whole = !sheaf_msg_survives_deaths() && (sheaf_msg_state.sends_whole ||
                                                     bytes >= SHEAF_MESSAGE_ASKS);
    size_t most = is_whole ? bytes : SHEAF_TRANSPORT_FRAGMENT;
    for (size_t offset = 0; offset < bytes; offset += most) {
        size_t rest = bytes - offset;
        send_part(peer, (struct sheaf_msg_send){tag, bytes, offset, stamp}, source + offset,
                  rest < most ? rest : most, remaining);
    }
}

static void send_word(struct sheaf_msg_peer *peer, uint64_t tag, uint32_t stamp, const void *source,
                      size_t bytes, size_t *remaining)
{
    struct sheaf_msg_operation *operation =
        sheaf_msg_operation_get(sheaf_msg_state.service, peer);
    operation->header.send_word = (struct sheaf_msg_send_word){
        tag, sheaf_msg_word(source, bytes).value, (uint32_t)bytes, stamp};
    sheaf_msg_operation_count(operation, remaining);
    sheaf_msg_send_operation(operation, peer->link, SHEAF_MSG_SEND_WORD, NULL, 0);
}

void sheaf_msg_send(int peer, uint64_t tag, uint32_t stamp, const void *source, size_t bytes,
                    size_t *remaining)
{
    struct sheaf_msg_worker *worker = sheaf_msg_state.service;
    struct sheaf_msg_peer *target = sheaf_msg_peer_at(worker, peer);
    sheaf_msg_enter(worker);
    if (bytes <= sizeof(uint64_t))
        send_word(target, tag, stamp, source, bytes, remaining);
    else
        send_long(target, tag, stamp, source, bytes, remaining);
    sheaf_msg_unlock(worker);
}

static bool is_under(uint64_t one, uint64_t other, uint64_t mask)
{
    return (one & ~mask) == (other & ~mask);
}

/* Withdraws the receive of a message that has begun. */
static void withdraw_receive(struct message *message)
{
    use_own_memory(message);
    message->remaining = NULL;
}

static void abandon_receives(uint64_t tag, uint64_t mask)
{
    for (int i = 0; i < BUCKETS; i++)
        for (struct message *message = buckets[i], *next; message; message = next) {
            next = message->next;
            if (!message->remaining || !is_under(message->tag, tag, mask))
                continue;
            if (message->has_begun)
                withdraw_receive(message);
            else
                drop_message(message);
        }
}

static uint64_t tag_of(const struct sheaf_msg_operation *operation)
{
    return operation->common.kind == SHEAF_MSG_SEND ? operation->header.send.tag
        : operation->header.send_word.tag;
}

/* Whether the transport still reads a message under these tags. */
static bool has_sends(const struct sheaf_msg_worker *worker, uint64_t tag, uint64_t mask)
{
    for (uint32_t i = 0; i < worker->made; i++) {
        const struct sheaf_msg_operation *operation = worker->operations[i];
        bool is_tagged = operation->common.kind == SHEAF_MSG_SEND || operation->common.kind ==
            SHEAF_MSG_SEND_WORD;
        if (operation->remaining > 0 && operation->waiter && is_tagged && is_under(tag_of(operation), tag,
                                                                                   mask))
            return true;
    }
    return false;
}

/* Where the job survives deaths no send waits for a receive. So the network takes these messages, or
 * reports that it cannot. */
void sheaf_msg_abandon(uint64_t tag, uint64_t mask)
{
    struct sheaf_msg_worker *worker = sheaf_msg_state.service;
    sheaf_msg_enter(worker);
    abandon_receives(tag, mask);
    while (has_sends(worker, tag, mask)) {
        sheaf_msg_turn(worker, false);
        sheaf_msg_unlock(worker);
        sched_yield();
        sheaf_msg_enter(worker);
    }
    sheaf_msg_unlock(worker);
}

static void free_message_list(struct message *message)
{
    while (message) {
        struct message *next = message->next;
        if (message->has_begun && !message->remaining && !message->waiting)
            free_own_memory(message, message->dest);
        free(message);
        message = next;
    }
}

/* After the worker's end, which ends its operations under way. */
void sheaf_msg_forget_messages(void)
{
    for (int i = 0; i < BUCKETS; i++) {
        free_message_list(buckets[i]);
        buckets[i] = NULL;
    }
    for (struct message *message = free_messages; message; message = message->next)
        message->has_begun = false;
    free_message_list(free_messages);
    free_messages = NULL;
}
