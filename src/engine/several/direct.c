/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Puts and gets of the members that carry them out by themselves. Memory is offered by each of them, and
 * its key is all their keys; a peer takes that of the network by which it reaches this PE.
 *
 * Atomic operations are the processors' alone: a network's own would not be atomic with those that come
 * by another network.
 */
#include "engine/several/several.h"

#include <stdlib.h>

struct sheaf_transport_memory {
    sheaf_transport_memory *of_member[SHEAF_SEVERAL_MEMBERS]; /* NULL: none */
};

struct sheaf_transport_key {
    const struct sheaf_several_member *member;
    sheaf_transport_key *own;
};

static const struct sheaf_transport_direct *direct_at(unsigned place)
{
    const struct sheaf_several_member *member = &sheaf_several_state.members[place];
    return member->abilities.has_direct ? member->transport->direct : NULL;
}

static const struct sheaf_transport_direct *direct_of(const sheaf_transport_link *link)
{
    return sheaf_several_member_of(link)->transport->direct;
}

static void several_withdraw(sheaf_transport_memory *memory)
{
    for (unsigned i = 0; i < sheaf_several_state.count; i++)
        if (memory->of_member[i])
            direct_at(i)->withdraw(memory->of_member[i]);
    free(memory);
}

/* Returns the reason, or NULL. */
static const char *offer_by(unsigned place, sheaf_transport_memory *memory, void *start, size_t bytes,
                            struct sheaf_several_row *row)
{
    void *key;
    size_t length;
    const char *why = NULL;
    memory->of_member[place] = direct_at(place)->offer(start, bytes, &key, &length, &why);
    if (!memory->of_member[place])
        return why;
    bool is_added = sheaf_several_append(row, &sheaf_several_state.members[place], key, length);
    free(key);
    if (!is_added)
        return "no memory";
    return row->length > SHEAF_TRANSPORT_KEY ? "the networks' keys together are too long" : NULL;
}

static sheaf_transport_memory *several_offer(void *start, size_t bytes, void **key, size_t *key_bytes,
                                             const char **why)
{
    sheaf_transport_memory *memory = calloc(1, sizeof *memory);
    struct sheaf_several_row row = {0};
    *why = memory ? NULL : "no memory";
    for (unsigned i = 0; i < sheaf_several_state.count && !*why; i++)
        if (direct_at(i))
            *why = offer_by(i, memory, start, bytes, &row);
    *key = row.bytes;
    *key_bytes = row.length;
    if (!*why)
        return memory;
    free(row.bytes);
    if (memory)
        several_withdraw(memory);
    return NULL;
}

static sheaf_transport_key *several_accept(sheaf_transport_link *link, const void *key, size_t key_bytes,
                                           const char **why)
{
    const struct sheaf_several_member *member = sheaf_several_member_of(link);
    struct sheaf_several_entry entry;
    const char *own = sheaf_several_find(key, key_bytes, member, &entry);
    sheaf_transport_key *accepted = malloc(sizeof *accepted);
    *why = !own ? "it is of no network that leads there" : "no memory";
    if (own && accepted) {
        *accepted = (sheaf_transport_key){
            member, direct_of(link)->accept(sheaf_several_own(link), own, entry.length, why)};
        if (accepted->own)
            return accepted;
    }
    free(accepted);
    return NULL;
}

static void several_forget(sheaf_transport_key *key)
{
    key->member->transport->direct->forget(key->own);
    free(key);
}

static void several_put(sheaf_transport_link *link, sheaf_transport_key *key, uint64_t remote,
                        const void *source, size_t bytes, void *operation)
{
    direct_of(link)->put(sheaf_several_own(link), key->own, remote, source, bytes, operation);
}

static void several_get(sheaf_transport_link *link, sheaf_transport_key *key, void *dest, uint64_t remote,
                        size_t bytes, void *operation)
{
    direct_of(link)->get(sheaf_several_own(link), key->own, dest, remote, bytes, operation);
}

static void several_fence(sheaf_transport_port *port)
{
    for (unsigned i = 0; i < sheaf_several_state.count; i++)
        if (direct_at(i))
            direct_at(i)->fence(port->ends[i].port);
}

static void several_flush(sheaf_transport_link *link, void *operation)
{
    direct_of(link)->flush(sheaf_several_own(link), operation);
}

const struct sheaf_transport_direct sheaf_several_direct = {
    .offer = several_offer,
    .withdraw = several_withdraw,
    .accept = several_accept,
    .forget = several_forget,
    .put = several_put,
    .get = several_get,
    .fence = several_fence,
    .flush = several_flush,
};
