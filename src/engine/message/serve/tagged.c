/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The messages of collectives, on the service worker, matched here by sender and tag. One that is not
 * long is sent at once: in pieces of a fragment, each of which is copied where it belongs, or into
 * memory of its own while nobody has asked for it. For a long one the transport asks the receiver first,
 * and its data waits at the sender for the receive. All under the worker's lock.
 */
#include "engine/message/serve/serve.h"

#include "base/atomic.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* A message at its receiver: asked for, begun to arrive, or both. Of one sender and tag there are either
 * some that were asked for and have not begun, or some that have begun and were not asked for. */
struct letter {
    int pe;
    uint32_t stamp;                /* the receiver's, or, until it has one, the sender's */
    uint64_t tag;
    size_t *left;                  /* engine.h's; NULL: not asked for */
    unsigned char *dest;           /* the caller's memory, or ours while nobody has asked */
    size_t room;                   /* there */
    bool has_begun;
    size_t bytes, received; /* of the message, once begun */
    void *waiting;       /* the transport's, where the data is still at the sender; or NULL */
    struct letter *next;
};

/* By tag, each in the order of arrival. */
#define DRAWERS 64
static struct letter *drawers[DRAWERS], *unused;

static struct letter **drawer_of(uint64_t tag)
{
    return &drawers[tag % DRAWERS];
}

enum stage { ASKED_FOR, BEGUN, ARRIVING };

static bool is_at(const struct letter *letter, enum stage stage)
{
    switch (stage) {
    case ASKED_FOR:
        return !letter->has_begun;
    case BEGUN:
        return !letter->left;
    default:
        return letter->has_begun && letter->received < letter->bytes && !letter->waiting;
    }
}

static struct letter *find(int pe, uint64_t tag, enum stage stage)
{
    struct letter *letter = *drawer_of(tag);
    while (letter && (letter->tag != tag || letter->pe != pe || !is_at(letter, stage)))
        letter = letter->next;
    return letter;
}

static struct letter *add(int pe, uint64_t tag)
{
    struct letter **place = drawer_of(tag), *letter = unused;
    if (letter)
        unused = letter->next;
    else if (!(letter = malloc(sizeof *letter)))
        sheaf_msg_failed(pe, "message", "no memory");
    *letter = (struct letter){.pe = pe, .tag = tag};
    while (*place)
        place = &(*place)->next;
    *place = letter;
    return letter;
}

static void drop(struct letter *letter)
{
    struct letter **place = drawer_of(letter->tag);
    while (*place != letter)
        place = &(*place)->next;
    *place = letter->next;
    letter->next = unused;
    unused = letter;
}

static void complete(struct letter *letter)
{
    sheaf_store_release(letter->left, *letter->left - 1);
    drop(letter);
}

/* Before the lengths are compared: of calls that do not fit together these may differ too. */
static void check_stamp(const struct letter *letter, uint32_t stamp)
{
    if (sheaf_unlikely(letter->stamp != stamp) && sheaf_msg_state.job.differs)
        sheaf_msg_state.job.differs(letter->pe);
}

static void check_room(const struct letter *letter)
{
    if (letter->bytes > letter->room)
        sheaf_msg_failed(letter->pe, "message", "message truncated");
}

void sheaf_msg_fetched(void *argument, const char *why)
{
    struct letter *letter = argument;
    if (sheaf_unlikely(why != NULL) && !sheaf_load_relaxed(&sheaf_msg_state.is_stopping))
        sheaf_msg_failed(letter->pe, "message", why);
    complete(letter);
}

/* The data is still at the sender. */
static void fetch(struct letter *letter, void *waiting)
{
    letter->waiting = waiting;
    sheaf_msg_state.transport->fetch(sheaf_msg_state.service->port, waiting, letter->dest, letter->bytes,
                                     letter);
}

/* A message begins: where it goes. */
static struct letter *begin(const struct sheaf_msg_arrival *arrival, uint64_t tag, uint32_t stamp,
                            size_t bytes)
{
    struct letter *letter = find(arrival->pe, tag, ASKED_FOR);
    if (!letter) {
        letter = add(arrival->pe, tag);
        letter->stamp = stamp;
        letter->room = bytes;
        if (!arrival->waiting && !(letter->dest = malloc(bytes ? bytes : 1)))
            sheaf_msg_failed(arrival->pe, "message", "no memory");
    }
    letter->has_begun = true;
    letter->bytes = bytes;
    check_stamp(letter, stamp);
    check_room(letter);
    return letter;
}

static void take_part(struct letter *letter, const void *source, size_t bytes)
{
    memcpy(letter->dest + letter->received, source, bytes);
    letter->received += bytes;
    if (letter->received == letter->bytes && letter->left)
        complete(letter);
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
                (call->bytes < SHEAF_MESSAGE_ASKS || sheaf_msg_bears_deaths()));
    const struct letter *letter = find(arrival->pe, call->tag, ARRIVING);
    return letter && arrival->data && letter->bytes == call->bytes &&
           letter->received == call->offset && arrival->length > 0 &&
           arrival->length <= letter->bytes - letter->received;
}

bool sheaf_msg_admit_send_word(const struct sheaf_msg_arrival *arrival,
                               const union sheaf_msg_header *header)
{
    const struct sheaf_msg_send_word *call = &header->send_word;
    return arrival->worker == sheaf_msg_state.service && call->bytes <= sizeof call->value;
}

void sheaf_msg_take_send(const struct sheaf_msg_arrival *arrival,
                         const union sheaf_msg_header *header)
{
    const struct sheaf_msg_send *call = &header->send;
    struct letter *letter = call->offset == 0
                                ? begin(arrival, call->tag, (uint32_t)call->stamp, call->bytes)
                                : find(arrival->pe, call->tag, ARRIVING);
    if (!arrival->waiting) {
        take_part(letter, arrival->data, arrival->length);
    } else if (letter->left) {
        fetch(letter, arrival->waiting);
    } else {
        letter->waiting = arrival->waiting;
        *arrival->is_kept = true;
    }
}

void sheaf_msg_take_send_word(const struct sheaf_msg_arrival *arrival,
                              const union sheaf_msg_header *header)
{
    const struct sheaf_msg_send_word *call = &header->send_word;
    take_part(begin(arrival, call->tag, call->stamp, call->bytes), &call->value, call->bytes);
}

/* A message that began before anybody asked for it. */
static void hand_over(struct letter *letter, void *dest, size_t room)
{
    void *ours = letter->dest;
    letter->dest = dest;
    letter->room = room;
    check_room(letter);
    if (letter->waiting) {
        fetch(letter, letter->waiting);
        return;
    }
    memcpy(dest, ours, letter->received);
    free(ours);
    if (letter->received == letter->bytes)
        complete(letter);
}

void sheaf_msg_receive(int peer, uint64_t tag, uint32_t stamp, void *dest, size_t bytes, size_t *left)
{
    struct sheaf_msg_worker *worker = sheaf_msg_state.service;
    sheaf_msg_enter(worker);
    ++*left;
    struct letter *letter = find(peer, tag, BEGUN);
    bool has_begun = letter != NULL;
    if (!has_begun)
        letter = add(peer, tag);
    letter->left = left;
    if (has_begun) {
        check_stamp(letter, stamp);
        hand_over(letter, dest, bytes);
    } else {
        letter->stamp = stamp;
        letter->dest = dest;
        letter->room = bytes;
    }
    sheaf_msg_unlock(worker);
}

static void send_part(struct sheaf_msg_peer *peer, struct sheaf_msg_send call, const void *source,
                      size_t bytes, size_t *left)
{
    struct sheaf_msg_operation *operation =
        sheaf_msg_operation_get(sheaf_msg_state.service, peer);
    operation->header.send = call;
    sheaf_msg_operation_count(operation, left);
    sheaf_msg_send_operation(operation, peer->link, SHEAF_MSG_SEND, source, bytes);
}

/* Adapters put long messages together without a copy, and the transport knows from which length on.
 * Where members may leave a collective because of a death, no message waits for its receive. */
static void send_long(struct sheaf_msg_peer *peer, uint64_t tag, uint32_t stamp,
                      const unsigned char *source, size_t bytes, size_t *left)
{
    bool is_whole = !sheaf_msg_bears_deaths() && (sheaf_msg_state.sends_whole ||
                                                  bytes >= SHEAF_MESSAGE_ASKS);
    size_t most = is_whole ? bytes : SHEAF_TRANSPORT_FRAGMENT;
    for (size_t offset = 0; offset < bytes; offset += most) {
        size_t rest = bytes - offset;
        send_part(peer, (struct sheaf_msg_send){tag, bytes, offset, stamp}, source + offset,
                  rest < most ? rest : most, left);
    }
}

static void send_word(struct sheaf_msg_peer *peer, uint64_t tag, uint32_t stamp, const void *source,
                      size_t bytes, size_t *left)
{
    struct sheaf_msg_operation *operation =
        sheaf_msg_operation_get(sheaf_msg_state.service, peer);
    operation->header.send_word = (struct sheaf_msg_send_word){
        tag, sheaf_msg_word(source, bytes).value, (uint32_t)bytes, stamp};
    sheaf_msg_operation_count(operation, left);
    sheaf_msg_send_operation(operation, peer->link, SHEAF_MSG_SEND_WORD, NULL, 0);
}

void sheaf_msg_send(int peer, uint64_t tag, uint32_t stamp, const void *source, size_t bytes, size_t *left)
{
    struct sheaf_msg_worker *worker = sheaf_msg_state.service;
    struct sheaf_msg_peer *target = sheaf_msg_peer_at(worker, peer);
    sheaf_msg_enter(worker);
    if (bytes <= sizeof(uint64_t))
        send_word(target, tag, stamp, source, bytes, left);
    else
        send_long(target, tag, stamp, source, bytes, left);
    sheaf_msg_unlock(worker);
}

static bool is_under(uint64_t one, uint64_t other, uint64_t mask)
{
    return (one & ~mask) == (other & ~mask);
}

/* From now on it is one that nobody has asked for. */
static void disown(struct letter *letter)
{
    void *ours = malloc(letter->bytes ? letter->bytes : 1);
    if (!ours)
        sheaf_msg_failed(letter->pe, "message", "no memory");
    letter->dest = ours;
    letter->left = NULL;
}

static void abandon_receives(uint64_t tag, uint64_t mask)
{
    for (int i = 0; i < DRAWERS; i++)
        for (struct letter *letter = drawers[i], *next; letter; letter = next) {
            next = letter->next;
            if (!letter->left || !is_under(letter->tag, tag, mask))
                continue;
            if (letter->has_begun)
                disown(letter);
            else
                drop(letter);
        }
}

static uint64_t tag_of(const struct sheaf_msg_operation *operation)
{
    return operation->seal.kind == SHEAF_MSG_SEND ? operation->header.send.tag
        : operation->header.send_word.tag;
}

/* Whether the transport still reads one of those. */
static bool has_sends(const struct sheaf_msg_worker *worker, uint64_t tag, uint64_t mask)
{
    for (uint32_t i = 0; i < worker->made; i++) {
        const struct sheaf_msg_operation *operation = worker->operations[i];
        bool is_tagged = operation->seal.kind == SHEAF_MSG_SEND || operation->seal.kind ==
            SHEAF_MSG_SEND_WORD;
        if (operation->left > 0 && operation->waiter && is_tagged && is_under(tag_of(operation), tag,
                                                                              mask))
            return true;
    }
    return false;
}

/* None waits for a receive, so the network takes them, or says that it cannot. */
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

static void free_letters(struct letter *letter)
{
    while (letter) {
        struct letter *next = letter->next;
        if (letter->has_begun && !letter->left && !letter->waiting)
            free(letter->dest);
        free(letter);
        letter = next;
    }
}

/* Behind the worker's end, which ends what it had under way. */
void sheaf_msg_forget_messages(void)
{
    for (int i = 0; i < DRAWERS; i++) {
        free_letters(drawers[i]);
        drawers[i] = NULL;
    }
    for (struct letter *letter = unused; letter; letter = letter->next)
        letter->has_begun = false;
    free_letters(unused);
    unused = NULL;
}
