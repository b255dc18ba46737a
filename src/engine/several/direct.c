/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Puts and gets of the members that carry them out by themselves. Memory is offered by each of them, and
 * its key is all their keys; a peer takes that of the network by which it reaches this PE.
 *
 * Atomic operations are the processors' alone: a network's own would not be atomic with those that come
 * by another network.
 */
#include "engine/several/several.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sheaf_transport_memory {
    sheaf_transport_memory *of_member[SHEAF_SEVERAL_MEMBERS]; /* NULL: none */
};

struct sheaf_transport_key {
    const struct sheaf_several_member *member;
    sheaf_transport_key *own;
};

/* Before a member's key. Names are as short as transports' are. */
struct entry {
    char network[8];
    uint64_t bytes;
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

/* Appends a member's key to all, which has room for SHEAF_TRANSPORT_KEY bytes. Returns the reason, or
 * NULL. */
static const char *add_key(unsigned place, const void *key, size_t bytes, char *all, size_t *used)
{
    struct entry entry = {.bytes = bytes};
    if (bytes > SHEAF_TRANSPORT_KEY - *used || SHEAF_TRANSPORT_KEY - *used - bytes < sizeof entry)
        return "the networks' keys together are too long";
    snprintf(entry.network, sizeof entry.network, "%s",
             sheaf_several_state.members[place].transport->name);
    memcpy(all + *used, &entry, sizeof entry);
    memcpy(all + *used + sizeof entry, key, bytes);
    *used += sizeof entry + bytes;
    return NULL;
}

static const char *offer_by(unsigned place, sheaf_transport_memory *memory, void *start, size_t bytes,
                            char *all, size_t *used)
{
    void *key;
    size_t key_bytes;
    const char *why = NULL;
    memory->of_member[place] = direct_at(place)->offer(start, bytes, &key, &key_bytes, &why);
    if (!memory->of_member[place])
        return why;
    why = add_key(place, key, key_bytes, all, used);
    free(key);
    return why;
}

static sheaf_transport_memory *several_offer(void *start, size_t bytes, void **key, size_t *key_bytes,
                                             const char **why)
{
    sheaf_transport_memory *memory = calloc(1, sizeof *memory);
    char *all = malloc(SHEAF_TRANSPORT_KEY);
    *key_bytes = 0;
    *why = memory && all ? NULL : "no memory";
    for (unsigned i = 0; i < sheaf_several_state.count && !*why; i++)
        if (direct_at(i))
            *why = offer_by(i, memory, start, bytes, all, key_bytes);
    *key = all;
    if (!*why)
        return memory;
    free(all);
    if (memory)
        several_withdraw(memory);
    return NULL;
}

/* The member's key among all that the peer has sent; NULL: it is not there. */
static const char *find_key(const char *name, const char *all, size_t left, struct entry *entry)
{
    while (left >= sizeof *entry) {
        memcpy(entry, all, sizeof *entry);
        if (entry->bytes > left - sizeof *entry)
            return NULL;
        if (strncmp(entry->network, name, sizeof entry->network) == 0)
            return all + sizeof *entry;
        all += sizeof *entry + entry->bytes;
        left -= sizeof *entry + entry->bytes;
    }
    return NULL;
}

static sheaf_transport_key *several_accept(sheaf_transport_link *link, const void *key, size_t key_bytes,
                                           const char **why)
{
    const struct sheaf_several_member *member = sheaf_several_member_of(link);
    struct entry entry;
    const char *own = find_key(member->transport->name, key, key_bytes, &entry);
    sheaf_transport_key *accepted = malloc(sizeof *accepted);
    *why = !own ? "it is of no network that leads there" : "no memory";
    if (own && accepted) {
        *accepted = (sheaf_transport_key){
            member, direct_of(link)->accept(sheaf_several_own(link), own, entry.bytes, why)};
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
