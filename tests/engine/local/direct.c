/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Direct operations: this process reads and writes the other one's memory, which all processes have
 * mapped at the same addresses. Each operation is carried out in some later turn, in any order that the
 * table of engine/transport.h allows; a put may end before the target has it.
 */
#include "local/internal.h"

#include "engine/perform.h"

#include <stdlib.h>
#include <string.h>

struct sheaf_transport_key {
    int pe;
    uint32_t offer;
    uint64_t secret;
};

struct sheaf_transport_memory {
    uint32_t offer;
};

/* A key as it travels. */
struct packed_key {
    uint64_t token[2], secret;
    uint32_t pe, offer;
};

enum what { PUT, GET, ATOMIC, FLUSH };

struct sheaf_local_direct {
    enum what what;
    const sheaf_transport_key *key;
    unsigned char *remote, *local;
    size_t bytes;
    struct sheaf_transport_atomic atomic;
    void *operation;
    uint64_t fences;      /* of the port, before it */
    unsigned char *taken; /* a put's data, once its source may be reused; or NULL */
    struct sheaf_local_direct *next;
};

static pthread_mutex_t offers_lock = PTHREAD_MUTEX_INITIALIZER;

static struct sheaf_local_offer *free_offer(uint32_t *number)
{
    struct sheaf_local_offer *offers = sheaf_local_tree->offers[sheaf_local.pe];
    for (uint32_t i = 0; i < SHEAF_LOCAL_MOST_OFFERS; i++)
        if (offers[i].secret == 0) {
            *number = i;
            return &offers[i];
        }
    return NULL;
}

static void *pack(const struct sheaf_transport_memory *memory, uint64_t secret)
{
    struct packed_key *packed = sheaf_local_allocate(sizeof *packed);
    memcpy(packed->token, sheaf_local_tree->token, sizeof packed->token);
    packed->secret = secret;
    packed->pe = (uint32_t)sheaf_local.pe;
    packed->offer = memory->offer;
    return packed;
}

static sheaf_transport_memory *offer(void *start, size_t bytes, void **key, size_t *key_bytes,
                                     const char **why)
{
    static uint64_t secrets; /* never twice, so that an old key opens nothing new */
    struct sheaf_transport_memory memory;
    if (sheaf_local_is_nth(&sheaf_local.offered, sheaf_local_settings.refused_offer)) {
        *why = "this registration is refused by the test's settings";
        return NULL;
    }
    pthread_mutex_lock(&offers_lock);
    struct sheaf_local_offer *place = free_offer(&memory.offer);
    if (place) {
        place->start = (uintptr_t)start;
        place->bytes = bytes;
        sheaf_store_release(&place->secret, ++secrets);
        *key = pack(&memory, secrets);
    }
    pthread_mutex_unlock(&offers_lock);
    if (!place) {
        *why = "too much memory is offered already";
        return NULL;
    }
    *key_bytes = sizeof(struct packed_key);
    sheaf_transport_memory *offered = sheaf_local_allocate(sizeof *offered);
    *offered = memory;
    return offered;
}

static void withdraw(sheaf_transport_memory *memory)
{
    sheaf_store_release(&sheaf_local_tree->offers[sheaf_local.pe][memory->offer].secret, 0);
    free(memory);
}

static sheaf_transport_key *accept_key(sheaf_transport_link *link, const void *key, size_t key_bytes,
                                       const char **why)
{
    struct packed_key packed;
    *why = "this is no key of this transport";
    if (key_bytes != sizeof packed)
        return NULL;
    memcpy(&packed, key, sizeof packed);
    if (memcmp(packed.token, sheaf_local_tree->token, sizeof packed.token) != 0 ||
        packed.offer >= SHEAF_LOCAL_MOST_OFFERS || packed.secret == 0)
        return NULL;
    *why = "this key is another PE's";
    if (packed.pe != (uint32_t)link->pe)
        return NULL;
    sheaf_transport_key *accepted = sheaf_local_allocate(sizeof *accepted);
    *accepted = (sheaf_transport_key){link->pe, packed.offer, packed.secret};
    return accepted;
}

static void forget(sheaf_transport_key *key)
{
    free(key);
}

/* As an adapter does at each access. NULL: it may. */
static const char *check_access(const struct sheaf_local_direct *direct)
{
    const struct sheaf_transport_key *key = direct->key;
    const struct sheaf_local_offer *offer = &sheaf_local_tree->offers[key->pe][key->offer];
    if (sheaf_load_acquire(&offer->secret) != key->secret)
        return "the memory has been withdrawn";
    uint64_t at = (uintptr_t)direct->remote - offer->start;
    return at < offer->bytes && direct->bytes <= offer->bytes - at ? NULL
                                                                   : "outside of what the key is for";
}

static void add(sheaf_transport_link *link, const struct sheaf_local_direct *direct)
{
    struct sheaf_local_direct *added = sheaf_local_allocate(sizeof *added);
    *added = *direct;
    added->fences = link->port->fences;
    *link->last_direct = added;
    link->last_direct = &added->next;
}

static void finish(struct sheaf_local_direct *direct, const char *why)
{
    if (direct->what == FLUSH)
        sheaf_local.user.flushed(direct->operation, why);
    else if (!direct->taken)
        sheaf_local.user.done(direct->operation, why);
    free(direct->taken);
    free(direct);
}

static void start(sheaf_transport_link *link, struct sheaf_local_direct direct)
{
    const char *why = link->why;
    if (!why && direct.what != FLUSH)
        why = check_access(&direct);
    if (!why)
        add(link, &direct);
    else if (direct.what == FLUSH)
        sheaf_local.user.flushed(direct.operation, why);
    else
        sheaf_local.user.done(direct.operation, why);
}

static unsigned char *at(uint64_t remote)
{
    return (unsigned char *)(uintptr_t)remote;
}

static void put(sheaf_transport_link *link, sheaf_transport_key *key, uint64_t remote, const void *source,
                size_t bytes, void *operation)
{
    start(link, (struct sheaf_local_direct){.what = PUT,
                                            .key = key,
                                            .remote = at(remote),
                                            .local = (unsigned char *)(uintptr_t)source,
                                            .bytes = bytes,
                                            .operation = operation});
}

static void get(sheaf_transport_link *link, sheaf_transport_key *key, void *dest, uint64_t remote,
                size_t bytes, void *operation)
{
    start(link, (struct sheaf_local_direct){.what = GET,
                                            .key = key,
                                            .remote = at(remote),
                                            .local = dest,
                                            .bytes = bytes,
                                            .operation = operation});
}

static void atomic(sheaf_transport_link *link, sheaf_transport_key *key,
                   const struct sheaf_transport_atomic *atomic, void *operation)
{
    start(link, (struct sheaf_local_direct){.what = ATOMIC,
                                            .key = key,
                                            .remote = at(atomic->remote),
                                            .bytes = atomic->bytes,
                                            .atomic = *atomic,
                                            .operation = operation});
}

static void fence(sheaf_transport_port *port)
{
    port->fences++;
}

static void flush(sheaf_transport_link *link, void *operation)
{
    start(link, (struct sheaf_local_direct){.what = FLUSH, .operation = operation});
}

/* A word in one piece: somebody may be waiting for it. */
static void store(unsigned char *dest, const unsigned char *source, size_t bytes)
{
    uint64_t word;
    uint32_t half;
    if (bytes == sizeof word && (uintptr_t)dest % sizeof word == 0) {
        memcpy(&word, source, sizeof word);
        sheaf_store_release((uint64_t *)dest, word);
    } else if (bytes == sizeof half && (uintptr_t)dest % sizeof half == 0) {
        memcpy(&half, source, sizeof half);
        sheaf_store_release((uint32_t *)dest, half);
    } else {
        memcpy(dest, source, bytes);
    }
}

static void perform(const struct sheaf_local_direct *direct)
{
    const struct sheaf_transport_atomic *atomic = &direct->atomic;
    struct sheaf_amo_call call = {.operation = atomic->operation, .bytes = atomic->bytes};
    memcpy(&call.operand, atomic->operand, sizeof call.operand);
    if (atomic->operation == SHEAF_AMO_COMPARE_SWAP) {
        call.compare = call.operand;
        call.operand = 0;
        memcpy(&call.operand, atomic->reply, atomic->bytes);
    }
    uint64_t before = sheaf_amo_perform(direct->remote, &call);
    if (atomic->reply)
        memcpy(atomic->reply, &before, atomic->bytes);
}

/* Operations under way complete first, but nothing orders a get. */
static bool perform_at_once(sheaf_transport_link *link, const struct sheaf_local_direct *direct,
                            const char **why)
{
    if ((link->direct && direct->what != GET) ||
        !sheaf_local_happens(link->port, sheaf_local_settings.at_once))
        return false;
    *why = link->why || direct->what == FLUSH ? link->why : check_access(direct);
    if (!*why && direct->what == PUT)
        store(direct->remote, direct->local, direct->bytes);
    else if (!*why && direct->what == GET)
        memcpy(direct->local, direct->remote, direct->bytes);
    return true;
}

static bool put_at_once(sheaf_transport_link *link, sheaf_transport_key *key, uint64_t remote,
                        const void *source, size_t bytes, const char **why)
{
    unsigned char *local = (unsigned char *)(uintptr_t)source;
    const struct sheaf_local_direct direct = {
        .what = PUT, .key = key, .remote = at(remote), .local = local, .bytes = bytes};
    return perform_at_once(link, &direct, why);
}

static bool get_at_once(sheaf_transport_link *link, sheaf_transport_key *key, void *dest, uint64_t remote,
                        size_t bytes, const char **why)
{
    const struct sheaf_local_direct direct = {
        .what = GET, .key = key, .remote = at(remote), .local = dest, .bytes = bytes};
    return perform_at_once(link, &direct, why);
}

static bool flush_at_once(sheaf_transport_link *link, const char **why)
{
    return perform_at_once(link, &(struct sheaf_local_direct){.what = FLUSH}, why);
}

/* Some of a put's data, or of what is got: the rest stays for a later turn. Whether nothing is left. */
static bool move_some(sheaf_transport_link *link, struct sheaf_local_direct *direct)
{
    size_t bytes = direct->bytes;
    if (bytes > sizeof(uint64_t) && sheaf_local_happens(link->port, sheaf_local_settings.pieces))
        bytes = 1 + sheaf_local_below(link->port, bytes);
    if (direct->what == PUT)
        store(direct->remote, direct->local, bytes);
    else
        memcpy(direct->local, direct->remote, bytes);
    direct->remote += bytes;
    direct->local += bytes;
    direct->bytes -= bytes;
    return direct->bytes == 0;
}

/* The source may be reused, although the target has nothing yet. */
static void take_data(struct sheaf_local_direct *put)
{
    unsigned char *taken = sheaf_local_allocate(put->bytes);
    memcpy(taken, put->local, put->bytes);
    put->local = taken;
    void *operation = put->operation;
    put->taken = taken;
    sheaf_local.user.done(operation, NULL);
}

/* A put not before the puts that a fence orders before it, a flush behind all that is older. */
static bool may_go(const sheaf_transport_link *link, const struct sheaf_local_direct *direct)
{
    if (direct->what == FLUSH)
        return direct == link->direct;
    for (const struct sheaf_local_direct *older = link->direct; older != direct; older = older->next)
        if (direct->what == PUT && older->what == PUT && older->fences < direct->fences)
            return false;
    return true;
}

static void remove_direct(sheaf_transport_link *link, const struct sheaf_local_direct *direct)
{
    struct sheaf_local_direct **place = &link->direct;
    while (*place != direct)
        place = &(*place)->next;
    *place = direct->next;
    if (!*place)
        link->last_direct = place;
}

static void carry_out(sheaf_transport_link *link, struct sheaf_local_direct *direct)
{
    const char *why = direct->what == FLUSH ? NULL : check_access(direct);
    if (!why && direct->what == PUT && !direct->taken &&
        sheaf_local_happens(link->port, sheaf_local_settings.late_ends)) {
        take_data(direct);
        return;
    }
    if (!why && direct->what == ATOMIC)
        perform(direct);
    else if (!why && direct->what != FLUSH && !move_some(link, direct))
        return;
    if (why && direct->taken) /* nobody else would learn it */
        sheaf_local_break(link, why);
    remove_direct(link, direct);
    finish(direct, why);
}

/* One of the oldest, the first of which may always go. */
#define WINDOW 16
static void go_on(sheaf_transport_link *link)
{
    struct sheaf_local_direct *able[WINDOW], *direct = link->direct;
    size_t count = 0;
    for (int i = 0; i < WINDOW && direct; i++, direct = direct->next)
        if (may_go(link, direct))
            able[count++] = direct;
    carry_out(link, able[sheaf_local_settings.rests ? sheaf_local_below(link->port, count) : 0]);
}

/* All of them, or by chance some. */
bool sheaf_local_direct_turn(sheaf_transport_link *link)
{
    bool any = false;
    while (link->direct && !link->why) {
        go_on(link);
        any = true;
        if (sheaf_local_settings.rests && sheaf_local_below(link->port, 2))
            break;
    }
    return any;
}

void sheaf_local_end_direct(sheaf_transport_link *link)
{
    while (link->direct) {
        struct sheaf_local_direct *direct = link->direct;
        remove_direct(link, direct);
        finish(direct, link->why);
    }
}

const struct sheaf_transport_direct sheaf_local_direct = {
    .offer = offer,
    .withdraw = withdraw,
    .accept = accept_key,
    .forget = forget,
    .put = put,
    .get = get,
    .atomic = atomic,
    .fence = fence,
    .flush = flush,
    .put_at_once = put_at_once,
    .get_at_once = get_at_once,
    .flush_at_once = flush_at_once,
};
