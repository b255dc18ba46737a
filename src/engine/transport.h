/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A transport: what carries messages between PEs, and, where it can, reads and writes their memory by
 * itself. The protocol in engine/message is written against this table alone: it says what the messages
 * mean, checks all that arrives, counts and orders. A transport knows links, bytes and keys. See
 * message/README.md for what a new one must give.
 *
 * Threads: all calls on one port and its links come one at a time, under a lock of the protocol. Different
 * ports are used at once. What is told to the user is told from within a call on the port that it concerns:
 * ends within turn, and within the call that starts something, where it ends at once.
 */
#ifndef SHEAF_ENGINE_TRANSPORT_H
#define SHEAF_ENGINE_TRANSPORT_H

#include "engine/engine.h"

/* This PE's end of a stream of messages; a link to another PE's service port; another PE's memory, and this
 * PE's, as the transport reaches it. All are the transport's own. */
typedef struct sheaf_transport_port sheaf_transport_port;
typedef struct sheaf_transport_link sheaf_transport_link;
typedef struct sheaf_transport_key sheaf_transport_key;
typedef struct sheaf_transport_memory sheaf_transport_memory;

/* In bytes: the header, at most; and data that goes as one message on every transport. Over UCX's TCP both
 * together fill the 64 KiB that it receives at once, so that nothing is put together from pieces. */
#define SHEAF_TRANSPORT_HEADER   128
#define SHEAF_TRANSPORT_FRAGMENT ((size_t)65408)

/* To be sent. header, and source until the end, stay where they are. */
struct sheaf_transport_message {
    const void *header;
    size_t header_bytes;
    const void *source;
    size_t bytes;
    bool is_answered; /* the receiver gets an origin, to answer by */
    bool may_ask;     /* the data may stay here until the receiver fetches it */
    bool may_pass;    /* data for place() may be written before that of the messages in front of it */
    void *operation;  /* for sent() */
};

/* Has arrived; all of it is the transport's again on return. */
struct sheaf_transport_arrival {
    const void *header; /* of any alignment */
    size_t header_bytes;
    const void *data;   /* of any alignment; NULL: there is none, or it is still at the sender */
    size_t bytes;
    void *waiting;      /* for fetch(), where the data is still at the sender; else NULL */
    sheaf_transport_link *origin; /* NULL: the sender expects no answer */
};

/* An atomic operation on another PE's memory: one of ADD, AND, OR, XOR, SWAP, COMPARE_SWAP. operand and
 * reply stay where they are until the end. */
struct sheaf_transport_atomic {
    enum sheaf_amo operation;
    unsigned bytes;  /* 4 or 8 */
    uint64_t remote; /* aligned to bytes */
    const uint64_t *operand; /* of COMPARE_SWAP what is compared */
    void *reply; /* gets what the object held; NULL: not wanted, with ADD, AND, OR and XOR alone. With
                    COMPARE_SWAP it holds what is stored */
};

/* The protocol. Whatever has a why has failed unless it is NULL: words that stay where they are, here and
 * below. */
struct sheaf_transport_user {
    const struct sheaf_engine_job *job;

    /* From this time on, to whoever has opened the port. waiting may be fetched from within the call.
     * Returns whether it is going to be fetched later; what is neither, the transport drops. */
    bool (*arrived)(void *owner, const struct sheaf_transport_arrival *arrival);

    /* Of a message with more data than a fragment, before the data is here (data is NULL): where it
     * belongs. It is received there, and told with that address as data, in its turn among the link's
     * messages. NULL: the message is dropped. Only from transports that say what is the longest. */
    void *(*place)(void *owner, const struct sheaf_transport_arrival *arrival);

    /* source may be reused, as it may once an answer proves that the message has arrived; what fetch() was
     * asked for is here. */
    void (*sent)(void *operation, const char *why);
    void (*fetched)(void *letter, const char *why);

    /* A put's source may be reused, a get's or an atomic operation's result is here; and a flush's end: all
     * that was started on the link before it is complete at the target. */
    void (*done)(void *operation, const char *why);
    void (*flushed)(void *operation, const char *why);

    /* The link to that peer has broken, whether or not anything is under way; once. */
    void (*lost)(void *peer, const char *why);

    /* A host has gone away without a word: what is lost from now on is lost because of that. */
    void (*host_died)(void);

    /* Somebody from outside the job was refused, "host:port". From any thread. */
    void (*refused)(const char *from);

    /* No connection can be accepted just now: why. From any thread. */
    void (*paused)(const char *why);
};

/* What start() found, and chose for the job. */
struct sheaf_transport_abilities {
    bool has_direct;       /* puts and gets are to be its own */
    sheaf_amo_set atomics; /* so are these; 0: none */
    bool by_adapter;       /* they are the open adapter's (verbs/adapter.h), not direct->atomic */
    bool locks_nothing;    /* memory that it is to access need not be locked */
    bool sends_whole;      /* long messages travel best in one piece, else as fragments */
    size_t longest;        /* in bytes: the most data of a put's message, place() or not; 0: a fragment */
};

/* Operations on another PE's memory that its processor has no part in. Addresses are the target's. */
struct sheaf_transport_direct {
    /* Memory of this PE, and its key as others get it: malloc'ed, at most SHEAF_TRANSPORT_KEY bytes.
     * Returns NULL and why not. */
    sheaf_transport_memory *(*offer)(void *start, size_t bytes, void **key, size_t *key_bytes,
                                     const char **why);
    void (*withdraw)(sheaf_transport_memory *memory);
    bool is_collective; /* both are: all PEs call them at one time, in one order */

    /* A key that the link's peer has offered, of any bytes. Returns NULL and why not. */
    sheaf_transport_key *(*accept)(sheaf_transport_link *link, const void *key, size_t key_bytes,
                                   const char **why);
    void (*forget)(sheaf_transport_key *key);

    /* Each ends with done(operation). */
    void (*put)(sheaf_transport_link *link, sheaf_transport_key *key, uint64_t remote, const void *source,
                size_t bytes, void *operation);
    void (*get)(sheaf_transport_link *link, sheaf_transport_key *key, void *dest, uint64_t remote,
                size_t bytes,
                void *operation);
    void (*atomic)(sheaf_transport_link *link, sheaf_transport_key *key,
                   const struct sheaf_transport_atomic *atomic, void *operation);

    /* Puts before it reach each peer of the port before puts after it. */
    void (*fence)(sheaf_transport_port *port);

    /* Ends with flushed(operation). */
    void (*flush)(sheaf_transport_link *link, void *operation);
};
#define SHEAF_TRANSPORT_KEY 1024

struct sheaf_transport {
    const char *name;  /* as in SHEAF_ENGINE */
    const char *title; /* in messages: "UCX" */

    /* Loads what it needs. Returns 0, or prints one line that names setting, value and what to do, and
     * returns -1. stop() after every port is closed, and after a start that failed not. */
    int (*start)(const struct sheaf_transport_user *user, struct sheaf_transport_abilities *abilities);
    void (*stop)(void);

    /* Whether its library is on this machine; and as in engine.h; without a start. */
    bool (*is_installed)(void);
    bool (*drives_fabric)(void); /* NULL: no */
    bool (*describe)(FILE *out);
    sheaf_amo_set (*native_atomics)(char *why, size_t size);

    /* owner: for arrived(). Returns NULL and why not. close() ends all that is under way: told
     * or not, but never afterwards. */
    sheaf_transport_port *(*open)(void *owner, const char **why);
    void (*close)(sheaf_transport_port *port);

    /* What others connect to: malloc'ed, constant in size in the number of PEs. Returns 0, or -1 and why
     * not. */
    int (*address)(sheaf_transport_port *port, void **address, size_t *length, const char **why);

    /* A link to a PE's address, as its address() gave it. peer: for lost(). Does not wait. Returns NULL and
     * why not. Links end with their port. */
    sheaf_transport_link *(*connect)(sheaf_transport_port *port, const void *address, size_t length,
                                     void *peer,
                                     const char **why);

    /* Messages on one link arrive whole and in order, also where they are an origin's answers; ends with
     * sent(message->operation). */
    void (*send)(sheaf_transport_link *link, const struct sheaf_transport_message *message);

    /* Data that waits at its sender: all of it. Ends with fetched(letter). */
    void (*fetch)(sheaf_transport_port *port, void *waiting, void *dest, size_t bytes, void *letter);

    /* One turn of work: what arrived is told, what ended is told. Returns whether anything happened. */
    bool (*turn)(sheaf_transport_port *port);

    /* The descriptor becomes readable when there is something for a turn that came after arm(), which
     * returns false where there is something already. */
    int (*descriptor)(sheaf_transport_port *port);
    bool (*arm)(sheaf_transport_port *port);

    /* Whether data is under way that only turns move, and no descriptor tells of. NULL: never. */
    bool (*needs_turns)(sheaf_transport_port *port);

    /* Called now and then, by any thread: for what needs a look at the clock. NULL: nothing does. */
    void (*look)(void);

    /* Where deaths do not end the job: the link's peer has died. What is under way on it ends within the
     * call, nothing more of it is written where place() has said, and what the network still has for the
     * peer is of no use any more. NULL: the transport finds out by itself, and asks no place(). */
    void (*give_up)(sheaf_transport_link *link);

    const struct sheaf_transport_direct *direct; /* NULL: messages are all it has */
};

extern const struct sheaf_transport sheaf_transport_ucx;
extern const struct sheaf_transport sheaf_transport_ofi;
extern const struct sheaf_transport sheaf_transport_mpi;

#endif
