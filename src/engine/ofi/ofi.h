/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shared by the files of the libfabric transport: the port with its links, the frames that travel between
 * ports, and the operations under way.
 */
#ifndef SHEAF_ENGINE_OFI_OFI_H
#define SHEAF_ENGINE_OFI_OFI_H

#include "engine/link_table.h"
#include "engine/transport.h"
#include "engine/ofi/library.h"
#include "engine/ofi/rules.h"

/* In bytes: the longest name of a port that a provider may give. Names of sockets have 16 or 28, of cxi
 * and efa up to 48. */
#define SHEAF_OFI_NAME 128

/* A frame begins every message between ports. The sender's introduction, the header and the data follow. */
enum sheaf_ofi_kind {
    SHEAF_OFI_MESSAGE, /* header, data */
    SHEAF_OFI_ASK,     /* header; the data stays at the sender */
    SHEAF_OFI_FETCH,   /* by the receiver of an ASK: send the data */
    SHEAF_OFI_DROP,    /* by the receiver of an ASK: the data is not wanted */
    SHEAF_OFI_PIECE,   /* the next piece of data that was fetched */
    SHEAF_OFI_GOODBYE, /* the sender's last message */
    SHEAF_OFI_KINDS
};
struct sheaf_ofi_frame {
    uint64_t secret; /* the receiver's: a sender without it is no PE of the job */
    uint64_t sender; /* the sending port */
    uint64_t number; /* of the message whose data stays at its sender; else 0 */
    uint64_t bytes;  /* of the message's data */
    uint32_t sequence;     /* number among the messages from that port to this one */
    uint8_t kind;          /* enum sheaf_ofi_kind */
    uint8_t is_answered;
    uint8_t header_bytes;
    uint8_t introduction_bytes; /* 0 except in the first message */
};

/* How to reach a port; its name follows. It is in a sender's first message and in the address that a port
 * publishes. */
struct sheaf_ofi_introduction {
    uint64_t secret;
};
#define SHEAF_OFI_INTRODUCTION (sizeof(struct sheaf_ofi_introduction) + SHEAF_OFI_NAME)
#define SHEAF_OFI_PROVIDER_NAME 32
struct sheaf_ofi_address {
    uint64_t port;
    uint32_t is_gated; /* its connections begin with the job's key */
    uint32_t fragment; /* most bytes of data in a message */
    char provider[SHEAF_OFI_PROVIDER_NAME];
    struct sheaf_ofi_introduction introduction;
};

/* Sizes of messages and receive buffers. Over TCP the number of messages costs, not the copy at the
 * receiver (docs/understand/engines.md): so messages are long there, and buffers few, since those written
 * last are in the processor's cache. Over other networks the provider asks before it sends so much, or
 * both ends copy. */
struct sheaf_ofi_sizes {
    size_t fragment; /* most bytes of data. A power of two, so that transfers of powers of two leave no
                        rest */
    unsigned buffers; /* further messages wait within the provider while all are full */
    unsigned pieces;  /* of one message's data that the provider has at a time */
};
#define SHEAF_OFI_SHORT_FRAGMENT ((size_t)64 << 10)
#define SHEAF_OFI_LONG_FRAGMENT  ((size_t)256 << 10)

/* In bytes: the most that a message has before its data. */
#define SHEAF_OFI_BEFORE_DATA                                                                      \
    (sizeof(struct sheaf_ofi_frame) + SHEAF_OFI_INTRODUCTION + SHEAF_TRANSPORT_HEADER)

/* In bytes: a message up to this size is copied, so that its sender may continue at once. 1 KiB takes 20
 * ns. */
#define SHEAF_OFI_COPIED 1024

/* The context of an operation, which the provider returns at its end, with room for the provider's own
 * use. */
enum sheaf_ofi_context_kind { SHEAF_OFI_RECEIVE, SHEAF_OFI_SEND, SHEAF_OFI_ACCESS };
struct sheaf_ofi_context {
    struct fi_context2 providers; /* first: libfabric knows its address */
    enum sheaf_ofi_context_kind kind;
    struct sheaf_ofi_context *next_late;
};

/* By a rule of tests: sends and accesses that the provider gets in the port's next turn, in order. */
struct sheaf_ofi_late {
    struct sheaf_ofi_context *first, *last;
};

/* Memory, registered with the domain where the provider needs that. */
struct sheaf_ofi_region {
    void *start;
    struct fid_mr *registration; /* or NULL */
    struct sheaf_ofi_region *next;
};

/* A message whose data stays here until it is fetched, and then leaves in pieces. */
struct sheaf_ofi_retained {
    uint64_t number;
    const unsigned char *source;
    size_t bytes, at; /* at: offset of the next piece */
    unsigned under_way; /* pieces */
    bool is_asked;
    void *operation;
    struct sheaf_ofi_retained *next;
};

/* A message whose data is still at its sender. */
struct sheaf_ofi_waiting {
    sheaf_transport_link *link;
    uint64_t number;
    size_t bytes, received;
    unsigned char *dest; /* NULL before fetch() */
    void *message;
    struct sheaf_ofi_waiting *next;
};

/* A message to send: in its link's queue, then with the provider. */
struct sheaf_ofi_send_buffer {
    struct sheaf_ofi_context context;
    sheaf_transport_link *link;
    struct sheaf_ofi_region *region; /* memory that holds this */
    void *operation;
    bool has_operation;            /* operation ends once this has been sent */
    struct sheaf_ofi_retained *retained;   /* of a PIECE */
    const void *source;            /* read when this is sent; NULL: all of the message is in start */
    size_t source_bytes, start_bytes;
    struct sheaf_ofi_bounce *bounce; /* the whole message, for a provider that takes one registered part */
    struct sheaf_ofi_send_buffer *next, *previous; /* in the link's queue, or in its list of those with the
                                                      provider */
    unsigned char start[SHEAF_OFI_COPIED];
};

struct sheaf_ofi_bounce {
    struct sheaf_ofi_bounce *next;
    unsigned char bytes[]; /* sheaf_ofi_most() */
};

/* An access to another PE's memory by the provider itself, in pieces. It is in its link's order from its
 * start to its end, and in its link's queue while a piece is to be given to the provider. */
enum sheaf_ofi_access_kind { SHEAF_OFI_PUT, SHEAF_OFI_GET, SHEAF_OFI_ATOMIC, SHEAF_OFI_FLUSH };
struct sheaf_ofi_access {
    struct sheaf_ofi_context context;
    sheaf_transport_link *link;
    struct sheaf_ofi_region *region; /* memory that holds this */
    enum sheaf_ofi_access_kind kind;
    bool has_operation; /* its end is still to be reported */
    bool keeps_order;   /* the provider keeps it in order among the link's puts */
    void *operation;
    uint64_t key, remote;            /* of the next piece */
    unsigned char *local;            /* of the next piece */
    unsigned char *dest;             /* of a get through copy; else NULL */
    size_t bytes, piece;             /* bytes that remain; bytes that the provider has */
    struct sheaf_ofi_bounce *bounce; /* of the piece that the provider has, or NULL */
    struct sheaf_transport_atomic atomic;
    uint64_t fences; /* the port's count of fences before it */
    struct sheaf_ofi_access *next, *previous; /* in the order */
    struct sheaf_ofi_access *next_queued;
    _Alignas(8) unsigned char copy[SHEAF_OFI_COPIED];
};

/* The accesses of a link in order. The end of a flush is reported once it is first. */
struct sheaf_ofi_order {
    struct sheaf_ofi_access *first, *last;
    struct sheaf_ofi_access *queued, **queued_last;
    size_t unordered; /* number of accesses that do not keep order */
};

/* This PE's memory that others may access; and another PE's. */
struct sheaf_transport_memory {
    uintptr_t start;
    size_t bytes;
    struct fid_mr *registration;
    struct sheaf_transport_memory *next;
};
struct sheaf_transport_key {
    uint64_t key;
    uint64_t start, bytes; /* as its owner names its addresses */
    uint64_t origin;       /* the provider counts addresses from here */
};

/* For a message that arrives. */
struct sheaf_ofi_receive_buffer {
    struct sheaf_ofi_context context;
    struct sheaf_ofi_receive_buffer *next; /* in the list of idle ones */
    size_t length;                 /* of the message */
    unsigned char bytes[];         /* sheaf_ofi_most() */
};

/* A message that has arrived before an earlier one of the same sender. */
struct sheaf_ofi_early {
    uint32_t sequence;
    size_t length;
    struct sheaf_ofi_early *next;
    unsigned char bytes[];
};

struct sheaf_transport_link {
    struct sheaf_link_entry entry; /* the other port's number */
    sheaf_transport_port *port;
    uint64_t secret;   /* the other port's */
    fi_addr_t address;
    unsigned char name[SHEAF_OFI_NAME];
    bool is_known;     /* secret, address and name are set */
    bool has_peer;
    void *peer;        /* the user's */
    const char *why;   /* reason of its end; NULL: it has not ended */
    sheaf_transport_link *next_broken;
    bool is_given_up;  /* its peer has died */
    sheaf_transport_link *next_given_up;
    unsigned hangups;  /* searches for its connections since then */

    uint32_t sequence; /* of the next message to it */
    struct sheaf_ofi_send_buffer *first, **last; /* those that the provider has not accepted yet */
    struct sheaf_ofi_send_buffer *posted;        /* those that it has accepted */
    bool is_blocked;   /* in the port's list: the provider accepts no more at present */
    sheaf_transport_link *next_blocked;
    struct sheaf_ofi_retained *retained;
    uint64_t numbers;  /* number of messages whose data stayed here, so far */

    uint32_t expected; /* sequence of the next message from it */
    bool is_heard;     /* a message has come since the last check */
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

    int epoll, timer; /* the descriptor; and a timer that makes it readable where the provider does not */
    int wait_fd;      /* the provider's descriptor; -1: it has none */
    bool is_timer_set;
    uint64_t chance;  /* random state for the rules of tests */

    sheaf_transport_link *links;
    struct sheaf_link_table table;
    sheaf_transport_link *blocked;
    sheaf_transport_link *broken; /* links whose end is still to be reported */
    sheaf_transport_link *given_up; /* links of dead peers for which the provider still holds something */
    uint64_t next_hangup, next_search;
    unsigned turns, probes;       /* turns so far; probes under way */
    uint64_t next_round;          /* time of the next check of all links */

    struct sheaf_ofi_region *regions;
    struct sheaf_ofi_send_buffer *free;
    struct sheaf_ofi_access *free_accesses;
    uint64_t fences; /* so far */
    struct sheaf_ofi_bounce *bounces;
    struct sheaf_ofi_region *bounces_region;
    struct sheaf_ofi_receive_buffer *idle; /* those to be given to the provider */
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
    bool registers;  /* all memory that the provider reads and writes must be registered */
    bool binds;      /* registered memory is bound to one endpoint */
    bool has_parts;  /* the provider takes a message in two parts */
    bool wakes_once; /* its descriptor stays readable once something has come: only new events count */
    bool is_gated;   /* connections begin with the job's key */
    bool has_listeners; /* a port's name is an address at which it listens for TCP connections */
    char device[64];    /* "tcp;ofi_rxm/eth0" */
    struct sheaf_ofi_sizes sizes;
    uint64_t keys;   /* keys drawn so far, where the user chooses keys */
    bool keeps_order; /* puts of up to most_in_order bytes stay in order */
    size_t most, most_in_order; /* bytes of an access */
    sheaf_amo_set atomics, plain; /* operations that the provider has; those that it also has without a
                                     result */
    sheaf_transport_port *service;  /* the first port, to which the memory that others access belongs */
    struct sheaf_transport_memory *offered;
} sheaf_ofi_state;

/* In bytes: a whole message, at most. */
static inline size_t sheaf_ofi_most(void)
{
    return SHEAF_OFI_BEFORE_DATA + sheaf_ofi_state.sizes.fragment;
}

/* Ends the link. The first reason stays; operations under way end with it in the next turn. */
static inline void sheaf_ofi_break(sheaf_transport_link *link, const char *why)
{
    if (link->why)
        return;
    link->why = why;
    link->next_broken = link->port->broken;
    link->port->broken = link;
}

/* An operation of the link waits for the provider: the link is served in each turn. */
static inline void sheaf_ofi_block(sheaf_transport_link *link)
{
    if (link->is_blocked)
        return;
    link->is_blocked = true;
    link->next_blocked = link->port->blocked;
    link->port->blocked = link;
}

static inline void sheaf_ofi_put_late(struct sheaf_ofi_late *late, struct sheaf_ofi_context *context)
{
    context->next_late = NULL;
    *(late->first ? &late->last->next_late : &late->first) = context;
    late->last = context;
}

/* A provider that injects short data has copied it when the call returns; tcp does so up to 128 bytes.
 * Others read it later. Returns whether, by a rule of tests, this one behaves so. */
static inline bool sheaf_ofi_postpones(sheaf_transport_port *port, struct sheaf_ofi_context *context)
{
    if (!sheaf_ofi_has(SHEAF_OFI_NO_INJECT))
        return false;
    sheaf_ofi_put_late(&port->late, context);
    return true;
}

/* provider.c */
/* The providers that can carry messages and have these abilities of libfabric (FI_RMA, FI_ATOMIC): a list
 * to be freed, or NULL and the reason. */
struct fi_info *sheaf_ofi_providers(uint64_t abilities, char *why, size_t size);
/* The provider of the list to use, which stays in the list, and why that one; or NULL and the reason. */
const struct fi_info *sheaf_ofi_choose(const struct fi_info *all, char *why, size_t size);
/* "tcp;ofi_rxm on eth0 (10.0.0.1)" */
void sheaf_ofi_print_provider(const struct fi_info *info, char *text, size_t size);
/* "tcp;ofi_rxm, sockets" */
void sheaf_ofi_list(const struct fi_info *all, char *text, size_t size);
/* Which of FI_RMA and FI_ATOMIC the network's hardware does: the target's processor does the rest. */
uint64_t sheaf_ofi_in_hardware(const struct fi_info *info);

bool sheaf_ofi_drives_fabric(void);
/* Whether its ports listen for TCP connections at the address that is their name. */
bool sheaf_ofi_has_listeners(const struct fi_info *info);
/* address: of a socket. */
bool sheaf_ofi_is_loopback(const void *address);
/* Whether it is TCP without a layer of messages on top. */
bool sheaf_ofi_is_plain_tcp(const struct fi_info *info);

/* gate.c. Whether connections of that provider begin with the job's key from now on. They do not where
 * libfabric is built in another way. */
bool sheaf_ofi_gate(const struct fi_info *info);
/* Wraps a call of libfabric, or a function of such calls, that may connect one of our ports. Connections
 * that this thread makes within it are ours. */
extern __thread bool sheaf_ofi_is_inside __attribute__((tls_model("initial-exec")));
#define SHEAF_OFI_INSIDE(call)                                                                     \
    __extension__({                                                                                \
        sheaf_ofi_is_inside = sheaf_ofi_state.is_gated;                                            \
        __typeof__(call) sheaf_ofi_result = (call);                                                \
        sheaf_ofi_is_inside = false;                                                               \
        sheaf_ofi_result;                                                                          \
    })

/* eager.c. From now on, if the provider is tcp;ofi_rxm, our endpoints send whole messages at once. */
void sheaf_ofi_raise_eager_limit(const struct fi_info *info);

/* domain.c: opens the provider with these abilities (FI_RMA, FI_ATOMIC). Returns NULL, or the reason. */
const char *sheaf_ofi_open_domain(const struct fi_info *chosen, uint64_t abilities);
void sheaf_ofi_close_domain(void);
/* The atomic operations of such a provider; opens a domain of its own. */
sheaf_amo_set sheaf_ofi_probe_atomics(const struct fi_info *info);

/* region.c: memory that the port's provider may read and write. NULL: there is none. */
struct sheaf_ofi_region *sheaf_ofi_make_region(sheaf_transport_port *port, size_t bytes);
void sheaf_ofi_free_regions(sheaf_transport_port *port);
/* Registers memory. The key is random where the user chooses it. port: the memory is bound to it where the
 * provider needs that. Returns libfabric's status. */
int sheaf_ofi_register(sheaf_transport_port *port, void *start, size_t bytes, uint64_t access,
                       struct fid_mr **registration);
/* The message for lack of memory. */
const char *sheaf_ofi_no_memory(void);
/* Makes bounce buffers where the provider needs a message in one part, or in registered memory. Returns 0,
 * or -1: no memory. */
int sheaf_ofi_make_bounces(sheaf_transport_port *port);
/* There are few. NULL: none is free at present. */
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
/* Returns NULL, or the reason. */
const char *sheaf_ofi_introduce(sheaf_transport_link *link, uint64_t secret, const void *name);
void sheaf_ofi_free_link(sheaf_transport_link *link);

/* send.c */
void sheaf_ofi_send(sheaf_transport_link *link, const struct sheaf_transport_message *message);
void sheaf_ofi_send_control(sheaf_transport_link *link, enum sheaf_ofi_kind kind, uint64_t number);
/* The other end wants the retained data, or does not. */
void sheaf_ofi_take_fetch(sheaf_transport_link *link, uint64_t number);
void sheaf_ofi_take_drop(sheaf_transport_link *link, uint64_t number);
/* Gives it to the provider. Returns libfabric's status. */
ssize_t sheaf_ofi_give_send(struct sheaf_ofi_send_buffer *buffer);
/* The provider has completed the send; why: NULL, or it has failed. */
void sheaf_ofi_send_ended(struct sheaf_ofi_send_buffer *buffer, const char *why);
/* Returns whether the provider accepted anything. */
bool sheaf_ofi_send_blocked(sheaf_transport_port *port);
void sheaf_ofi_end_sends(sheaf_transport_link *link);

/* memory.c: keys, and the local memory of accesses. */
sheaf_transport_memory *sheaf_ofi_offer(void *start, size_t bytes, void **key, size_t *key_bytes,
                                        const char **why);
void sheaf_ofi_withdraw(sheaf_transport_memory *memory);
sheaf_transport_key *sheaf_ofi_accept(sheaf_transport_link *link, const void *key, size_t key_bytes,
                                      const char **why);
void sheaf_ofi_forget(sheaf_transport_key *key);
/* Finds the local memory of the next piece, and the piece's bytes. Returns whether there is memory at
 * present. */
bool sheaf_ofi_find_local(struct sheaf_ofi_access *access, struct iovec *place, void **descriptor);
/* The provider has completed the piece. */
void sheaf_ofi_take_back(struct sheaf_ofi_access *access);

/* atomic.c: the atomic operations of the domain, and those that it also has without a result. post_atomic
 * gives one to the provider, and returns as fi_atomic() does. */
void sheaf_ofi_query_atomics(struct fid_domain *domain, sheaf_amo_set *all, sheaf_amo_set *plain);
void sheaf_ofi_take_operands(struct sheaf_ofi_access *access);
ssize_t sheaf_ofi_post_atomic(struct sheaf_ofi_access *access);
void sheaf_ofi_take_result(struct sheaf_ofi_access *access);

/* access.c */
extern const struct sheaf_transport_direct sheaf_ofi_direct;
ssize_t sheaf_ofi_give_access(struct sheaf_ofi_access *access); /* gives it to the provider */
void sheaf_ofi_access_ended(struct sheaf_ofi_access *access, const char *why);
/* Returns whether the provider accepted any. */
bool sheaf_ofi_give_queued(sheaf_transport_link *link);
void sheaf_ofi_end_accesses(sheaf_transport_link *link);

/* late.c: complete: the end of a send or an access; why: NULL, or it has failed. give_late: starts those
 * that NO_INJECT has postponed; returns whether there were any. */
void sheaf_ofi_complete(struct sheaf_ofi_context *context, const char *why);
bool sheaf_ofi_give_late(sheaf_transport_port *port);

/* receive.c */
int sheaf_ofi_start_receiving(sheaf_transport_port *port, const char **why);
void sheaf_ofi_receive_ended(sheaf_transport_port *port, struct sheaf_ofi_receive_buffer *buffer,
                             size_t length);
void sheaf_ofi_give_back(sheaf_transport_port *port, struct sheaf_ofi_receive_buffer *buffer);
/* Returns 0, or libfabric's status: it accepts no buffers any more, and has none. */
ssize_t sheaf_ofi_give_buffers(sheaf_transport_port *port);
void sheaf_ofi_handle_message(sheaf_transport_port *port, const unsigned char *bytes, size_t length);
void sheaf_ofi_fetch(sheaf_transport_port *port, void *waiting, void *dest, size_t bytes, void *message);
void sheaf_ofi_end_fetches(sheaf_transport_link *link);

/* end.c */
void sheaf_ofi_end_broken(sheaf_transport_port *port);
/* give_up: the link's peer has died. take_leave: in each turn, for such links, looks after operations that
 * the provider still has. */
void sheaf_ofi_give_up(sheaf_transport_link *link);
void sheaf_ofi_take_leave(sheaf_transport_port *port);
void sheaf_ofi_look_for_lost(sheaf_transport_port *port);
/* Tells all peers that the port has met of its end, as far as the provider accepts that now. Nothing is
 * reported afterwards. */
void sheaf_ofi_say_goodbye(sheaf_transport_port *port);

/* probe.c: checks whether a silent peer still exists. In each turn. */
void sheaf_ofi_look(sheaf_transport_port *port);
void sheaf_ofi_probe_stop(sheaf_transport_link *link);

#endif
