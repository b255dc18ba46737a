/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A transport made of several: each link is a link of one of them, the first that both PEs have. Inside
 * this folder only.
 */
#ifndef SHEAF_ENGINE_SEVERAL_SEVERAL_H
#define SHEAF_ENGINE_SEVERAL_SEVERAL_H

#include "engine/transport.h"

/* A transport that this one is made of. Most that there can be. */
#define SHEAF_SEVERAL_MEMBERS 3
struct sheaf_several_member {
    const struct sheaf_transport *transport;
    struct sheaf_engine_job job; /* the job, as this member is to see it */
    struct sheaf_transport_user user;
    struct sheaf_transport_abilities abilities;
};

/* The members that are on this host, the preferred one first. Written by start. */
extern struct sheaf_several_state {
    const struct sheaf_transport_user *user;
    unsigned count;
    struct sheaf_several_member members[SHEAF_SEVERAL_MEMBERS];
} sheaf_several_state;

/* A port of one member: the owner that the member knows. */
struct sheaf_several_end {
    sheaf_transport_port *whole;
    sheaf_transport_port *port;
};

/* Data that is still at its sender, of one member's port. */
struct sheaf_several_waiting {
    const struct sheaf_several_end *end;
    void *waiting;
    struct sheaf_several_waiting *next;
};

struct sheaf_transport_port {
    void *owner;
    struct sheaf_several_end ends[SHEAF_SEVERAL_MEMBERS];
    int events; /* an epoll descriptor: of all members' */
    struct sheaf_several_waiting *waiting;
    char why[160]; /* the reason of the last connection that failed */
};

/* A link is its member's, with the member's place in the lowest bits of the pointer, which are 0 in
 * whatever malloc returns: an arrival's origin becomes one without a search. */
#define SHEAF_SEVERAL_PLACE ((uintptr_t)3)
_Static_assert(SHEAF_SEVERAL_MEMBERS <= SHEAF_SEVERAL_PLACE + 1, "a place fits into the bits");

static inline sheaf_transport_link *sheaf_several_link(sheaf_transport_link *of_member, unsigned place)
{
    return of_member ? (sheaf_transport_link *)((uintptr_t)of_member | place) : NULL;
}

static inline unsigned sheaf_several_place(const sheaf_transport_link *link)
{
    return (unsigned)((uintptr_t)link & SHEAF_SEVERAL_PLACE);
}

static inline sheaf_transport_link *sheaf_several_own(const sheaf_transport_link *link)
{
    return (sheaf_transport_link *)((uintptr_t)link & ~SHEAF_SEVERAL_PLACE);
}

static inline const struct sheaf_several_member *sheaf_several_member_of(const sheaf_transport_link *link)
{
    return &sheaf_several_state.members[sheaf_several_place(link)];
}

/* An entry of a row; the network's own bytes follow. */
struct sheaf_several_entry {
    char network[8];
    uint32_t length;     /* of those bytes */
    uint32_t has_direct; /* the PE's memory is offered on this network */
};
struct sheaf_several_row {
    char *bytes; /* malloc'ed; NULL: it is empty */
    size_t length;
};

/* entries.c. append: false without memory. next: the bytes of the entry at *at, which moves behind it;
 * NULL where no whole one is left. find: those of the member's network, or NULL. What is read may be
 * anything. */
bool sheaf_several_append(struct sheaf_several_row *row, const struct sheaf_several_member *member,
                          const void *own, size_t length);
const char *sheaf_several_next(const char **at, size_t *left, struct sheaf_several_entry *entry);
const char *sheaf_several_find(const void *row, size_t length, const struct sheaf_several_member *member,
                               struct sheaf_several_entry *entry);

/* address.c: the members' addresses in a row, and a link by the first that is usable at both ends. */
int sheaf_several_address(sheaf_transport_port *port, void **address, size_t *length, const char **why);
sheaf_transport_link *sheaf_several_connect(sheaf_transport_port *port, const void *address, size_t length,
                                            void *peer, const char **why);
void sheaf_several_link_abilities(const sheaf_transport_link *link, const void *address, size_t length,
                                  struct sheaf_transport_abilities *abilities);

/* port.c: the entries of the table, and the callbacks that the members get. */
sheaf_transport_port *sheaf_several_open(void *owner, const char **why);
void sheaf_several_close(sheaf_transport_port *port);
bool sheaf_several_turn(sheaf_transport_port *port);
int sheaf_several_descriptor(sheaf_transport_port *port);
bool sheaf_several_arm(sheaf_transport_port *port);
bool sheaf_several_needs_turns(sheaf_transport_port *port);
void sheaf_several_fetch(sheaf_transport_port *port, void *waiting, void *dest, size_t bytes,
                         void *message);
bool sheaf_several_arrived(void *owner, const struct sheaf_transport_arrival *arrival);
void *sheaf_several_destination(void *owner, const struct sheaf_transport_arrival *arrival);

/* direct.c */
extern const struct sheaf_transport_direct sheaf_several_direct;

#endif
