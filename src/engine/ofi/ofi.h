/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the files of the libfabric transport share: the port with its links, what travels between ports,
 * and what is under way.
 */
#ifndef SHEAF_ENGINE_OFI_OFI_H
#define SHEAF_ENGINE_OFI_OFI_H

#include "engine/link_table.h"
#include "engine/transport.h"
#include "engine/ofi/library.h"
#include "engine/ofi/rules.h"

/* In bytes: a port's name as its provider gives it, at most. Sockets' have 16 or 28, cxi's and efa's up to
 * 48. */
#define SHEAF_OFI_NAME 128

/* What begins every message between ports; then come the sender's introduction, the header and the data. */
enum sheaf_ofi_kind {
    SHEAF_OFI_MESSAGE, /* header, data */
    SHEAF_OFI_ASK,     /* header; the data stays at the sender */
    SHEAF_OFI_FETCH,   /* by the receiver of an ASK */
    SHEAF_OFI_DROP,    /* likewise: the data is not wanted */
    SHEAF_OFI_PIECE,   /* of the data that was asked for, in order */
    SHEAF_OFI_GOODBYE, /* the sender's last one */
    SHEAF_OFI_KINDS
};
struct sheaf_ofi_frame {
    uint64_t secret; /* the receiver's: who lacks it is no PE of the job */
    uint64_t sender; /* the sending port */
    uint64_t number; /* of the message whose data stays at its sender; else 0 */
    uint64_t bytes;  /* of the message's data */
    uint32_t sequence;     /* of the messages from that port to this one */
    uint8_t kind;          /* enum sheaf_ofi_kind */
    uint8_t is_answered;
    uint8_t header_bytes;
    uint8_t introduction_bytes; /* 0 but in the first message */
};

/* How a port is reached; its name follows. In a sender's first message; and, with more, in what a port
 * publishes. */
struct sheaf_ofi_introduction {
    uint64_t secret;
};
#define SHEAF_OFI_INTRODUCTION (sizeof(struct sheaf_ofi_introduction) + SHEAF_OFI_NAME)
#define SHEAF_OFI_PROVIDER_NAME 32
struct sheaf_ofi_address {
    uint64_t port;
    uint32_t is_gated; /* connections begin with the job's key */
    uint32_t fragment; /* bytes of data in a message, at most */
    char provider[SHEAF_OFI_PROVIDER_NAME];
    struct sheaf_ofi_introduction introduction;
};

/* A message, and what there is to receive messages in. What costs over TCP is how many there are, not the
 * copy at the receiver (README.md): there they are long, and buffers few, since those that were written
 * last are in the processor's cache. Elsewhere the provider asks before it sends so much, or both ends
 * copy. */
struct sheaf_ofi_sizes {
    size_t fragment; /* bytes of data, at most. A power of two: such transfers leave no rest for one more */
    unsigned buffers; /* whatever comes while all are full waits within the provider */
    unsigned pieces;  /* of one message's data that the provider has at a time */
};
#define SHEAF_OFI_SHORT_FRAGMENT ((size_t)64 << 10)
#define SHEAF_OFI_LONG_FRAGMENT  ((size_t)256 << 10)

/* In bytes: what a message has before its data, at most. */
#define SHEAF_OFI_BEFORE_DATA                                                                      \
    (sizeof(struct sheaf_ofi_frame) + SHEAF_OFI_INTRODUCTION + SHEAF_TRANSPORT_HEADER)

/* In bytes: a message that is copied, so that its sender may go on at once. 1 KiB takes 20 ns. */
#define SHEAF_OFI_COPIED 1024

/* What the provider gives back when something has ended, with room for what it keeps meanwhile. */
enum sheaf_ofi_ticket_kind { SHEAF_OFI_RECEIVE, SHEAF_OFI_PARCEL, SHEAF_OFI_ACCESS };
struct sheaf_ofi_ticket {
    struct fi_context2 providers; /* first: its address is what libfabric knows */
    enum sheaf_ofi_ticket_kind kind;
    struct sheaf_ofi_ticket *next_late;
};

/* By a rule of tests: what the provider is given in the port's next turn, in order. */
struct sheaf_ofi_late {
    struct sheaf_ofi_ticket *first, *last;
};

/* Memory, registered with the domain where the provider wants that. */
struct sheaf_ofi_region {
    void *start;
    struct fid_mr *registration; /* or NULL */
    struct sheaf_ofi_region *next;
};

/* A message whose data stays here until it is fetched, and then leaves in pieces. */
struct sheaf_ofi_kept {
    uint64_t number;
    const unsigned char *source;
    size_t bytes, at; /* at: of the next piece */
    unsigned under_way; /* pieces */
    bool is_asked;
    void *operation;
    struct sheaf_ofi_kept *next;
};

/* A message whose data is still at its sender. */
struct sheaf_ofi_waiting {
    sheaf_transport_link *link;
    uint64_t number;
    size_t bytes, received;
    unsigned char *dest; /* NULL before fetch() */
    void *letter;
    struct sheaf_ofi_waiting *next;
};

/* A message that leaves: in its link's queue, then with the provider. */
struct sheaf_ofi_parcel {
    struct sheaf_ofi_ticket ticket;
    sheaf_transport_link *link;
    struct sheaf_ofi_region *region; /* that it lies in */
    void *operation;
    bool has_operation;            /* which ends once the parcel has left */
    struct sheaf_ofi_kept *kept;   /* of a PIECE */
    const void *source;            /* what is read when it leaves; NULL: all of it is in start */
    size_t source_bytes, start_bytes;
    struct sheaf_ofi_bounce *bounce; /* all of it, for a provider that takes one registered part */
    struct sheaf_ofi_parcel *next, *previous; /* in the link's queue, or among those with the provider */
    unsigned char start[SHEAF_OFI_COPIED];
};

struct sheaf_ofi_bounce {
    struct sheaf_ofi_bounce *next;
    unsigned char bytes[]; /* sheaf_ofi_most() */
};

/* An access to another PE's memory by the provider itself, piece by piece. From its start to its end it
 * stands in its link's order; and in its link's queue while a piece is to be given to the provider. */
enum sheaf_ofi_access_kind { SHEAF_OFI_PUT, SHEAF_OFI_GET, SHEAF_OFI_ATOMIC, SHEAF_OFI_FLUSH };
struct sheaf_ofi_access {
    struct sheaf_ofi_ticket ticket;
    sheaf_transport_link *link;
    struct sheaf_ofi_region *region; /* that it lies in */
    enum sheaf_ofi_access_kind kind;
    bool has_operation; /* whose end is still to be told */
    bool keeps_order;   /* among the link's puts, once the provider has it */
    void *operation;
    uint64_t key, remote;            /* of the next piece */
    unsigned char *local;            /* likewise */
    unsigned char *dest;             /* of a get through copy; else NULL */
    size_t bytes, piece;             /* still to go; that the provider has */
    struct sheaf_ofi_bounce *bounce; /* of that piece, or NULL */
    struct sheaf_transport_atomic atomic;
    uint64_t fences; /* of the port, before it */
    struct sheaf_ofi_access *next, *previous; /* in the order */
    struct sheaf_ofi_access *next_queued;
    _Alignas(8) unsigned char copy[SHEAF_OFI_COPIED];
};

/* Of a link; the ends of flushes are told once they are first. */
struct sheaf_ofi_order {
    struct sheaf_ofi_access *first, *last;
    struct sheaf_ofi_access *queued, **queued_last;
    size_t unordered; /* those that do not keep order */
};

/* This PE's memory that others may access; another one's. */
struct sheaf_transport_memory {
    uintptr_t start;
    size_t bytes;
    struct fid_mr *registration;
    struct sheaf_transport_memory *next;
};
struct sheaf_transport_key {
    uint64_t key;
    uint64_t start, bytes; /* as its owner names its addresses */
    uint64_t origin;       /* what the provider counts them from */
};

/* For what arrives. */
struct sheaf_ofi_buffer {
    struct sheaf_ofi_ticket ticket;
    struct sheaf_ofi_buffer *next; /* among those that could not be given to the provider yet */
    size_t length;                 /* of what has arrived */
    unsigned char bytes[];         /* sheaf_ofi_most() */
};

/* A message that has arrived before another one that was sent before it. */
struct sheaf_ofi_early {
    uint32_t sequence;
    size_t length;
    struct sheaf_ofi_early *next;
    unsigned char bytes[];
};

struct sheaf_transport_link {
    struct sheaf_link_entry entry; /* the other port's number */
    sheaf_transport_port *port;
    uint64_t secret;   /* likewise */
    fi_addr_t address;
    unsigned char name[SHEAF_OFI_NAME];
    bool is_known;     /* how it is reached: secret, address and name are set */
    bool has_peer;
    void *peer;        /* the user's */
    const char *why;   /* it has ended; NULL: it has not */
    sheaf_transport_link *next_broken;
    bool is_given_up;  /* its peer has died */
    sheaf_transport_link *next_given_up;
    unsigned hangups;  /* looks for its connections since then */

    uint32_t sequence; /* of the next message to it */
    struct sheaf_ofi_parcel *first, **last; /* that the provider has not taken yet */
    struct sheaf_ofi_parcel *posted;        /* that it has taken */
    bool is_blocked;   /* among the port's: the provider takes no more for now */
    sheaf_transport_link *next_blocked;
    struct sheaf_ofi_kept *kept;
    uint64_t numbers;  /* of messages whose data stayed here, so far */

    uint32_t expected; /* the next message from it */
    bool is_heard;     /* something has come since it was looked at */
    struct sheaf_ofi_probe *probe;
    struct sheaf_ofi_early *early;
    unsigned early_count;
    struct sheaf_ofi_waiting *waiting;
    struct sheaf_ofi_order order;

    sheaf_transport_link *next; /* in the port's list */
};

struct sheaf_transport_port {
    void *owner;
    uint64_t id, secret;
    struct fid_ep *endpoint;
    struct fid_cq *completions;
    struct fid_av *addresses;
    unsigned char name[SHEAF_OFI_NAME];
    size_t name_bytes;

    int epoll, timer; /* the descriptor, and what makes it readable where the provider does not */
    int wait_fd;      /* the provider's; -1: it has none */
    bool is_timer_set;
    uint64_t chance;  /* of what the rules do */

    sheaf_transport_link *links;
    struct sheaf_link_table table;
    sheaf_transport_link *blocked;
    sheaf_transport_link *broken; /* whose end is still to be told */
    sheaf_transport_link *given_up; /* of which the provider still has something */
    uint64_t next_hangup, next_search;
    unsigned turns, probes;       /* so far; under way */
    uint64_t next_round;          /* of looks at all links */

    struct sheaf_ofi_region *regions;
    struct sheaf_ofi_parcel *free;
    struct sheaf_ofi_access *free_accesses;
    uint64_t fences; /* so far */
    struct sheaf_ofi_bounce *bounces;
    struct sheaf_ofi_region *bounces_region;
    struct sheaf_ofi_buffer *idle; /* those to be given to the provider */
    struct sheaf_ofi_region *buffers_region;
    struct sheaf_ofi_shuffled shuffled;
    struct sheaf_ofi_late late;
};

/* Written by start.c, between start and stop. */
extern struct sheaf_ofi_state {
    const struct sheaf_transport_user *user;
    struct fi_info *info;
    struct fid_fabric *fabric;
    struct fid_domain *domain;
    bool registers;  /* whatever the provider reads and writes is to be registered */
    bool binds;      /* what is registered is one endpoint's */
    bool has_parts;  /* it takes a message in two parts */
    bool wakes_once; /* its descriptor is readable for ever once something has come: only news counts */
    bool is_gated;   /* connections begin with the job's key */
    bool has_listeners; /* a port's name is an address at which it listens for TCP connections */
    struct sheaf_ofi_sizes sizes;
    uint64_t keys;   /* asked for so far, where keys are the user's to choose */
    bool keeps_order; /* puts of up to most_in_order bytes stay in order */
    size_t most, most_in_order; /* bytes of an access */
    sheaf_amo_set atomics, plain; /* the provider's own; those of them that it has without a result too */
    sheaf_transport_port *service;  /* the first port, whose memory it is that others access */
    struct sheaf_transport_memory *offered;
} sheaf_ofi_state;

/* In bytes: a whole message, at most. */
static inline size_t sheaf_ofi_most(void)
{
    return SHEAF_OFI_BEFORE_DATA + sheaf_ofi_state.sizes.fragment;
}

/* The first reason stays; what is under way ends with it in the next turn. */
static inline void sheaf_ofi_break(sheaf_transport_link *link, const char *why)
{
    if (link->why)
        return;
    link->why = why;
    link->next_broken = link->port->broken;
    link->port->broken = link;
}

/* Something of the link waits for the provider: it is looked at in each turn. */
static inline void sheaf_ofi_block(sheaf_transport_link *link)
{
    if (link->is_blocked)
        return;
    link->is_blocked = true;
    link->next_blocked = link->port->blocked;
    link->port->blocked = link;
}

static inline void sheaf_ofi_put_late(struct sheaf_ofi_late *late, struct sheaf_ofi_ticket *ticket)
{
    ticket->next_late = NULL;
    *(late->first ? &late->last->next_late : &late->first) = ticket;
    late->last = ticket;
}

/* A provider that injects short data has copied it when the call returns, tcp's does up to 128 bytes;
 * others read it later. Returns whether this one is to be like those. */
static inline bool sheaf_ofi_postpones(sheaf_transport_port *port, struct sheaf_ofi_ticket *ticket)
{
    if (!sheaf_ofi_has(SHEAF_OFI_NO_INJECT))
        return false;
    sheaf_ofi_put_late(&port->late, ticket);
    return true;
}

/* provider.c */
/* What there is that could carry messages, and has these abilities of libfabric's (FI_RMA, FI_ATOMIC) too:
 * to be freed, or NULL and why not. */
struct fi_info *sheaf_ofi_providers(uint64_t abilities, char *why, size_t size);
/* Of the list the one to be used, which stays in it, and why that one; or NULL and why not. */
const struct fi_info *sheaf_ofi_choose(const struct fi_info *all, char *why, size_t size);
/* "tcp;ofi_rxm on eth0 (10.0.0.1)" */
void sheaf_ofi_print_provider(const struct fi_info *info, char *text, size_t size);
/* "tcp;ofi_rxm, sockets" */
void sheaf_ofi_list(const struct fi_info *all, char *text, size_t size);
/* What the network's hardware does there, of FI_RMA and FI_ATOMIC: the rest is the target's processor's. */
uint64_t sheaf_ofi_in_hardware(const struct fi_info *info);

bool sheaf_ofi_drives_fabric(void);
/* Whether its ports listen for TCP connections at the address that is their name. */
bool sheaf_ofi_has_listeners(const struct fi_info *info);
/* Of a socket. */
bool sheaf_ofi_is_loopback(const void *address);
/* Whether it is TCP's own, without a layer of messages between. */
bool sheaf_ofi_is_plain_tcp(const struct fi_info *info);

/* gate.c. Whether connections of that provider begin with the job's key from now on; not, where libfabric
 * is built otherwise. */
bool sheaf_ofi_gate(const struct fi_info *info);
/* A call of libfabric, or a function made of such calls, that may connect one of our ports: the connections
 * that come about meanwhile, in this thread, are ours. */
extern __thread bool sheaf_ofi_is_inside __attribute__((tls_model("initial-exec")));
#define SHEAF_OFI_INSIDE(call)                                                                     \
    __extension__({                                                                                \
        sheaf_ofi_is_inside = sheaf_ofi_state.is_gated;                                            \
        __typeof__(call) sheaf_ofi_result = (call);                                                \
        sheaf_ofi_is_inside = false;                                                               \
        sheaf_ofi_result;                                                                          \
    })

/* eager.c. From now on, where the provider is tcp's, our endpoints send whole messages at once. */
void sheaf_ofi_raise_eager_limit(const struct fi_info *info);

/* domain.c: opens the provider, for these abilities (FI_RMA, FI_ATOMIC) too. Returns NULL, or why not. */
const char *sheaf_ofi_open_domain(const struct fi_info *chosen, uint64_t abilities);
void sheaf_ofi_close_domain(void);
/* The atomic operations that such a provider has; opens one of its own. */
sheaf_amo_set sheaf_ofi_probe_atomics(const struct fi_info *info);

/* region.c: memory that the port's provider may read and write. NULL: there is none. */
struct sheaf_ofi_region *sheaf_ofi_make_region(sheaf_transport_port *port, size_t bytes);
void sheaf_ofi_free_regions(sheaf_transport_port *port);
/* The key is random, where it is the user's to choose; port: to which it is bound, where the provider wants
 * that. Returns what libfabric does. */
int sheaf_ofi_register(sheaf_transport_port *port, void *start, size_t bytes, uint64_t access,
                       struct fid_mr **registration);
/* What is said where there is none. */
const char *sheaf_ofi_no_memory(void);
/* Where the provider wants what it reads in one part, or in such memory. Returns 0, or -1: there is no
 * memory. */
int sheaf_ofi_make_bounces(sheaf_transport_port *port);
/* They are few. NULL: none is free now. */
struct sheaf_ofi_bounce *sheaf_ofi_take_bounce(sheaf_transport_port *port);
void sheaf_ofi_give_bounce(sheaf_transport_port *port, struct sheaf_ofi_bounce *bounce);
static inline void *sheaf_ofi_descriptor(const struct sheaf_ofi_region *region)
{
    return region && region->registration ? fi_mr_desc(region->registration) : NULL;
}

/* port.c */
sheaf_transport_port *sheaf_ofi_open(void *owner, const char **why);
void sheaf_ofi_close(sheaf_transport_port *port);
int sheaf_ofi_address(sheaf_transport_port *port, void **address, size_t *length, const char **why);
bool sheaf_ofi_turn(sheaf_transport_port *port);
int sheaf_ofi_port_descriptor(sheaf_transport_port *port);
bool sheaf_ofi_arm(sheaf_transport_port *port);

/* link.c */
sheaf_transport_link *sheaf_ofi_connect(sheaf_transport_port *port, const void *address, size_t length,
                                        void *peer, const char **why);
sheaf_transport_link *sheaf_ofi_find_link(sheaf_transport_port *port, uint64_t id);
sheaf_transport_link *sheaf_ofi_make_link(sheaf_transport_port *port, uint64_t id);
/* Returns NULL, or why not. */
const char *sheaf_ofi_introduce(sheaf_transport_link *link, uint64_t secret, const void *name);
void sheaf_ofi_free_link(sheaf_transport_link *link);

/* send.c */
void sheaf_ofi_send(sheaf_transport_link *link, const struct sheaf_transport_message *message);
void sheaf_ofi_send_control(sheaf_transport_link *link, enum sheaf_ofi_kind kind, uint64_t number);
/* The other end wants the data, or does not. */
void sheaf_ofi_take_fetch(sheaf_transport_link *link, uint64_t number);
void sheaf_ofi_take_drop(sheaf_transport_link *link, uint64_t number);
/* To the provider. Returns what libfabric does. */
ssize_t sheaf_ofi_give_parcel(struct sheaf_ofi_parcel *parcel);
/* The provider is done with it; why: NULL, or it has failed. */
void sheaf_ofi_parcel_ended(struct sheaf_ofi_parcel *parcel, const char *why);
/* Whether the provider took anything. */
bool sheaf_ofi_send_blocked(sheaf_transport_port *port);
void sheaf_ofi_end_sends(sheaf_transport_link *link);

/* memory.c: keys, and the local memory of accesses. */
sheaf_transport_memory *sheaf_ofi_offer(void *start, size_t bytes, void **key, size_t *key_bytes,
                                        const char **why);
void sheaf_ofi_withdraw(sheaf_transport_memory *memory);
sheaf_transport_key *sheaf_ofi_accept(sheaf_transport_link *link, const void *key, size_t key_bytes,
                                      const char **why);
void sheaf_ofi_forget(sheaf_transport_key *key);
/* The local memory of the next piece, and of how many bytes that is. Returns whether there is one now. */
bool sheaf_ofi_place(struct sheaf_ofi_access *access, struct iovec *place, void **descriptor);
/* The provider is done with it. */
void sheaf_ofi_take_back(struct sheaf_ofi_access *access);

/* atomic.c: which the domain has, and which of them without a result too; and one that is given to the
 * provider, as fi_atomic() returns. */
void sheaf_ofi_query_atomics(struct fid_domain *domain, sheaf_amo_set *all, sheaf_amo_set *plain);
void sheaf_ofi_take_operands(struct sheaf_ofi_access *access);
ssize_t sheaf_ofi_post_atomic(struct sheaf_ofi_access *access);
void sheaf_ofi_take_result(struct sheaf_ofi_access *access);

/* access.c */
extern const struct sheaf_transport_direct sheaf_ofi_direct;
ssize_t sheaf_ofi_give_access(struct sheaf_ofi_access *access); /* to the provider, as a parcel */
void sheaf_ofi_access_ended(struct sheaf_ofi_access *access, const char *why);
/* Whether the provider took any. */
bool sheaf_ofi_pump(sheaf_transport_link *link);
void sheaf_ofi_end_accesses(sheaf_transport_link *link);

/* late.c: the end of a parcel or an access, why: NULL, or it has failed; and what NO_INJECT has put off.
 * Returns whether there was any. */
void sheaf_ofi_end_ticket(struct sheaf_ofi_ticket *ticket, const char *why);
bool sheaf_ofi_give_late(sheaf_transport_port *port);

/* receive.c */
int sheaf_ofi_start_receiving(sheaf_transport_port *port, const char **why);
void sheaf_ofi_buffer_filled(sheaf_transport_port *port, struct sheaf_ofi_buffer *buffer, size_t length);
void sheaf_ofi_give_back(sheaf_transport_port *port, struct sheaf_ofi_buffer *buffer);
/* Returns 0, or what libfabric does: it takes none any more, and has none. */
ssize_t sheaf_ofi_give_buffers(sheaf_transport_port *port);
void sheaf_ofi_take(sheaf_transport_port *port, const unsigned char *bytes, size_t length);
void sheaf_ofi_fetch(sheaf_transport_port *port, void *waiting, void *dest, size_t bytes, void *letter);
void sheaf_ofi_end_fetches(sheaf_transport_link *link);

/* end.c */
void sheaf_ofi_end_broken(sheaf_transport_port *port);
/* Its peer has died; and, in each turn where there are such links, what the provider has for them. */
void sheaf_ofi_give_up(sheaf_transport_link *link);
void sheaf_ofi_take_leave(sheaf_transport_port *port);
void sheaf_ofi_look_for_lost(sheaf_transport_port *port);
/* To all that the port has met, as far as the provider takes it now; nothing is told any more. */
void sheaf_ofi_say_goodbye(sheaf_transport_port *port);

/* probe.c: whether anybody is still there, of whom nothing is heard. In each turn. */
void sheaf_ofi_look(sheaf_transport_port *port);
void sheaf_ofi_probe_stop(sheaf_transport_link *link);

#endif
