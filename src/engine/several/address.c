/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The address of a PE with several networks: an entry for each, with the address there. Both ends choose
 * by it, each for the link that it makes.
 */
#include "engine/several/several.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The network's address follows, filled up to a multiple of the entry's alignment. */
struct entry {
    char network[8];
    uint32_t length;
    uint32_t has_direct; /* its memory is offered there */
};

static size_t room_of(size_t length)
{
    return sizeof(struct entry) + (length + sizeof(uint64_t) - 1) / sizeof(uint64_t) * sizeof(uint64_t);
}

/* Returns the reason, or NULL. */
static const char *add_entry(unsigned place, sheaf_transport_port *port, char **address, size_t *length)
{
    const struct sheaf_several_member *member = &sheaf_several_state.members[place];
    void *own;
    size_t own_length;
    const char *why;
    if (member->transport->address(port->ends[place].port, &own, &own_length, &why) != 0)
        return why;
    struct entry entry = {.length = (uint32_t)own_length, .has_direct = member->abilities.has_direct};
    char *longer = own_length > UINT32_MAX ? NULL : realloc(*address, *length + room_of(own_length));
    if (longer) {
        snprintf(entry.network, sizeof entry.network, "%s", member->transport->name);
        memset(longer + *length, 0, room_of(own_length));
        memcpy(longer + *length, &entry, sizeof entry);
        memcpy(longer + *length + sizeof entry, own, own_length);
        *length += room_of(own_length);
        *address = longer;
    }
    free(own);
    return longer ? NULL : "no memory";
}

int sheaf_several_address(sheaf_transport_port *port, void **address, size_t *length, const char **why)
{
    char *all = NULL;
    *length = 0;
    *why = NULL;
    for (unsigned i = 0; i < sheaf_several_state.count && !*why; i++)
        *why = add_entry(i, port, &all, length);
    if (*why) {
        free(all);
        return -1;
    }
    *address = all;
    return 0;
}

/* The entry at the address, whose length is within what is left; NULL: there is none. */
static const char *next_entry(const char *at, size_t left, struct entry *entry)
{
    if (left < sizeof *entry)
        return NULL;
    memcpy(entry, at, sizeof *entry);
    bool fits = entry->length <= left - sizeof *entry && room_of(entry->length) <= left &&
                memchr(entry->network, '\0', sizeof entry->network);
    return fits ? at + sizeof *entry : NULL;
}

/* The peer's address on a network of this name; NULL: it has none. */
static const char *find_entry(const void *address, size_t length, const char *network, struct entry *entry)
{
    const char *at = address, *end = at + length, *own;
    while ((own = next_entry(at, (size_t)(end - at), entry)) && strcmp(entry->network, network) != 0)
        at += room_of(entry->length);
    return own;
}

static void list_ours(char *text, size_t size)
{
    size_t used = 0;
    for (unsigned i = 0; i < sheaf_several_state.count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "",
                                 sheaf_several_state.members[i].transport->name);
}

static void list_theirs(const void *address, size_t length, char *text, size_t size)
{
    const char *at = address, *end = at + length;
    struct entry entry;
    size_t used = 0;
    text[0] = '\0';
    while (next_entry(at, (size_t)(end - at), &entry) && used < size) {
        used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", entry.network);
        at += room_of(entry.length);
    }
}

static const char *explain_none(sheaf_transport_port *port, const void *address, size_t length)
{
    char ours[32] = "", theirs[32];
    list_ours(ours, sizeof ours);
    list_theirs(address, length, theirs, sizeof theirs);
    snprintf(port->why, sizeof port->why,
             "the two hosts have no network in common: here are %s, there %s (oshinfo says why)", ours,
             theirs[0] ? theirs : "none");
    return port->why;
}

/* A member may refuse an address of its network, of another provider say: the next one is tried. */
sheaf_transport_link *sheaf_several_connect(sheaf_transport_port *port, const void *address, size_t length,
                                            void *peer, const char **why)
{
    *why = NULL;
    for (unsigned i = 0; i < sheaf_several_state.count; i++) {
        const struct sheaf_transport *transport = sheaf_several_state.members[i].transport;
        struct entry entry;
        const char *own = find_entry(address, length, transport->name, &entry);
        sheaf_transport_link *link =
            own ? transport->connect(port->ends[i].port, own, entry.length, peer, why) : NULL;
        if (link)
            return sheaf_several_link(link, i);
    }
    if (!*why)
        *why = explain_none(port, address, length);
    return NULL;
}

void sheaf_several_link_abilities(const sheaf_transport_link *link, const void *address, size_t length,
                                  struct sheaf_transport_abilities *abilities)
{
    const struct sheaf_several_member *member = sheaf_several_member_of(link);
    struct entry entry;
    *abilities = member->abilities;
    abilities->has_direct &=
        !address || (find_entry(address, length, member->transport->name, &entry) && entry.has_direct);
}
