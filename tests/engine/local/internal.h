/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the local transport's files share: the port with its links, what travels on a link, and the tree
 * that all processes have in common.
 */
#ifndef SHEAF_ENGINE_LOCAL_INTERNAL_H
#define SHEAF_ENGINE_LOCAL_INTERNAL_H

#include "local/local.h"

#include <pthread.h>
#include <sys/types.h>

/* A port's or a link's rest, in turns, at most: every message arrives after so many turns of both ends,
 * times the messages before it. */
#define SHEAF_LOCAL_LONGEST_REST 5

/* In bytes: data that travels with its header at most; whatever is longer stays until it is fetched. */
#define SHEAF_LOCAL_MOST_INLINE ((size_t)1 << 20)

/* What begins every frame of a link's stream. */
enum sheaf_local_kind {
    SHEAF_LOCAL_MESSAGE, /* header, data */
    SHEAF_LOCAL_LONG,    /* the same, with data that goes straight where it belongs */
    SHEAF_LOCAL_ASK,     /* header; the data stays at the sender */
    SHEAF_LOCAL_FETCH,   /* by the receiver of an ASK */
    SHEAF_LOCAL_DROP,    /* likewise: the data is not wanted */
    SHEAF_LOCAL_PIECE,   /* of the data that was asked for, in order */
    SHEAF_LOCAL_KINDS
};
struct sheaf_local_frame {
    uint32_t kind;
    uint16_t header_bytes;
    uint16_t is_answered;
    uint64_t number; /* of the message whose data stays at its sender; else 0 */
    uint64_t bytes;  /* of the data */
};

/* A frame that is to leave; header and source are read as it does. */
struct sheaf_local_send_buffer {
    struct sheaf_local_frame frame;
    const void *header, *source;
    size_t source_bytes; /* that follow; 0 for ASK */
    size_t written;
    bool has_operation;  /* which ends once the buffer has left */
    void *operation;
    void *block;         /* malloc'ed, goes with the buffer; or NULL */
    struct sheaf_local_send_buffer *next;
};

/* A message whose data stays here, and one whose data is still at its sender. */
struct sheaf_local_retained {
    uint64_t number;
    const void *source;
    size_t bytes;
    bool has_operation;
    void *operation;
    void *block;
    struct sheaf_local_retained *next;
};
struct sheaf_local_waiting {
    sheaf_transport_link *link;
    uint64_t number;
    size_t bytes, received;
    unsigned char *dest; /* NULL before fetch() */
    void *message;
    struct sheaf_local_waiting *next;
};

/* A sent() that comes late. */
struct sheaf_local_end {
    void *operation;
    unsigned turns;
    struct sheaf_local_end *next;
};

struct sheaf_local_direct; /* direct.c */

struct sheaf_transport_link {
    sheaf_transport_port *port;
    int fd;
    int pe;           /* at the other end */
    void *peer;       /* the user's */
    bool is_accepted; /* by this end: its end is nobody's news */
    const char *why;  /* it has ended; NULL: it has not */
    bool is_told;     /* what was under way has been told so */
    int calling;     /* the other end's descriptor, which its port has not got yet; or -1 */
    uint32_t calls_at;
    unsigned rest;    /* turns */
    bool is_readable, is_blocked; /* as epoll says */
    bool has_frames;  /* whole ones, which have been read and not taken */

    struct sheaf_local_send_buffer *first, **last;
    uint64_t numbers; /* of messages whose data stayed here, so far */
    struct sheaf_local_retained *retained;

    unsigned char *in; /* read: from begin to end */
    size_t begin, end, room;
    struct sheaf_local_waiting *waiting;

    struct sheaf_local_direct *direct, **last_direct; /* by age */
    sheaf_transport_link *next;
};

/* A connection that somebody has made to a port. */
struct sheaf_local_caller {
    int fd, pe;
};

struct sheaf_transport_port {
    void *owner;
    uint32_t number;
    uint64_t chance;
    int epoll, wake; /* wake: another port has taken a caller for this one */
    bool is_listening, has_calls;
    unsigned idle; /* turns */
    sheaf_transport_link *links;
    struct sheaf_local_end *late;
    uint64_t fences;
    struct sheaf_local_caller *callers; /* guarded by the lock of port.c, as are next and callers' count */
    size_t callers_count;
    sheaf_transport_port *next;
};

/* state.c: of this process, from start to stop. */
extern struct sheaf_local_state {
    struct sheaf_transport_user user;
    int pe;
    unsigned opened, offered, sent; /* calls so far */
} sheaf_local;

/* Counts a call; whether it is the n-th. */
static inline bool sheaf_local_is_nth(unsigned *calls, unsigned nth)
{
    return __atomic_add_fetch(calls, 1, __ATOMIC_RELAXED) == nth;
}

/* Never NULL: a test without memory ends. */
void *sheaf_local_allocate(size_t bytes);

/* The first reason stays; what is under way ends with it in the next turn, or at once. */
void sheaf_local_break(sheaf_transport_link *link, const char *why);
void sheaf_local_watch(sheaf_transport_link *link, int epoll_operation);
void sheaf_local_sent(sheaf_transport_port *port, void *operation);

/* Chance: the same numbers for the same seed. */
static inline uint64_t sheaf_local_next(uint64_t *chance)
{
    uint64_t z = *chance += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static inline size_t sheaf_local_below(sheaf_transport_port *port, size_t limit)
{
    return (size_t)(sheaf_local_next(&port->chance) % limit);
}

static inline bool sheaf_local_happens(sheaf_transport_port *port, uint8_t of_256)
{
    return of_256 && sheaf_local_next(&port->chance) % 256 < of_256;
}

static inline unsigned sheaf_local_rest(sheaf_transport_port *port, uint8_t of_256)
{
    return sheaf_local_happens(port, of_256)
               ? 1 + (unsigned)sheaf_local_below(port, SHEAF_LOCAL_LONGEST_REST)
               : 0;
}

/* tree.c. What PEs offer stands in memory that all of them share. */
#define SHEAF_LOCAL_MOST_OFFERS 128
struct sheaf_local_offer {
    uint64_t start, bytes;
    uint64_t secret; /* which keys of it hold; 0: withdrawn */
};
struct sheaf_local_tree {
    int pes;
    uint64_t token[2]; /* random: whoever has it belongs to the tree */
    struct sheaf_local_offer offers[SHEAF_LOCAL_MOST_PES][SHEAF_LOCAL_MOST_OFFERS];
};
extern struct sheaf_local_tree *sheaf_local_tree;

/* Each PE has a door, at which others hand in one end of a connection. */
struct sheaf_local_call {
    uint64_t token[2];
    uint32_t port;
    int32_t pe; /* that calls */
};
void sheaf_local_enter_tree(int pe);
int sheaf_local_door(void);
/* Returns 0, EAGAIN where the door is crowded, or another errno. */
int sheaf_local_call(int pe, uint32_t port, int fd);
/* The next call: a descriptor; -1: there is none. Strangers are refused. */
int sheaf_local_take_call(struct sheaf_local_call *call);

/* link.c */
sheaf_transport_link *sheaf_local_connect(sheaf_transport_port *port, const void *address, size_t length,
                                          void *peer, const char **why);
void sheaf_local_accept(sheaf_transport_port *port, const struct sheaf_local_caller *caller);
bool sheaf_local_link_turn(sheaf_transport_link *link);
/* Whether there is something for a turn that no descriptor tells of. */
bool sheaf_local_link_is_due(const sheaf_transport_link *link);
void sheaf_local_end_link(sheaf_transport_link *link);
void sheaf_local_free_link(sheaf_transport_link *link);

/* What others connect to. */
struct sheaf_local_address {
    uint64_t token[2];
    uint32_t pe, port;
};

/* send.c */
void sheaf_local_send(sheaf_transport_link *link, const struct sheaf_transport_message *message);
void sheaf_local_send_kept(sheaf_transport_link *link, struct sheaf_local_retained *retained);
void sheaf_local_send_control(sheaf_transport_link *link, enum sheaf_local_kind kind, uint64_t number);
bool sheaf_local_write(sheaf_transport_link *link);
void sheaf_local_end_sends(sheaf_transport_link *link);

/* receive.c */
bool sheaf_local_read(sheaf_transport_link *link);
bool sheaf_local_take_frames(sheaf_transport_link *link);
void sheaf_local_fetch(sheaf_transport_port *port, void *waiting, void *dest, size_t bytes, void *message);
void sheaf_local_end_fetches(sheaf_transport_link *link);

/* direct.c */
extern const struct sheaf_transport_direct sheaf_local_direct;
bool sheaf_local_direct_turn(sheaf_transport_link *link);
void sheaf_local_end_direct(sheaf_transport_link *link);

#endif
