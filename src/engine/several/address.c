/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The address of a PE with several networks: an entry for each, with the address there. Both ends choose
 * by it, each for the link that it makes.
 */
#include "engine/several/several.h"

#include <stdio.h>
#include <stdlib.h>

/* Returns the reason, or NULL. */
static const char *add_address(const sheaf_transport_port *port, unsigned place,
                               struct sheaf_several_row *row)
{
    const struct sheaf_several_member *member = &sheaf_several_state.members[place];
    void *own;
    size_t length;
    const char *why;
    if (member->transport->address(port->ends[place].port, &own, &length, &why) != 0)
        return why;
    bool is_added = sheaf_several_append(row, member, own, length);
    free(own);
    return is_added ? NULL : "no memory";
}

int sheaf_several_address(sheaf_transport_port *port, void **address, size_t *length, const char **why)
{
    struct sheaf_several_row row = {0};
    *why = NULL;
    for (unsigned i = 0; i < sheaf_several_state.count && !*why; i++)
        *why = add_address(port, i, &row);
    if (*why) {
        free(row.bytes);
        return -1;
    }
    *address = row.bytes;
    *length = row.length;
    return 0;
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
    const char *at = address;
    struct sheaf_several_entry entry;
    size_t used = 0;
    text[0] = '\0';
    while (used < size && sheaf_several_next(&at, &length, &entry))
        used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", entry.network);
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
        const struct sheaf_several_member *member = &sheaf_several_state.members[i];
        struct sheaf_several_entry entry;
        const char *own = sheaf_several_find(address, length, member, &entry);
        sheaf_transport_link *link =
            own ? member->transport->connect(port->ends[i].port, own, entry.length, peer, why) : NULL;
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
    struct sheaf_several_entry entry;
    *abilities = member->abilities;
    abilities->has_direct &=
        !address || (sheaf_several_find(address, length, member, &entry) && entry.has_direct);
}
