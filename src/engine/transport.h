/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A transport carries messages between PEs. Where it can, it also reads and writes their memory by
 * itself. The protocol in engine/message is written against this table alone: it defines the messages,
 * checks all that arrive, counts and orders. A transport knows links, bytes and keys. message/README.md
 * lists what a new transport must provide.
 *
 * Threads: all calls on one port and its links come one at a time, under a lock of the protocol.
 * Different ports are used at once. A transport calls the user only from within a call on the port
 * concerned: from turn(), and from the call that starts an operation if it ends at once.
 */
#ifndef SHEAF_ENGINE_TRANSPORT_H
#define SHEAF_ENGINE_TRANSPORT_H

#include "engine/engine.h"

/* A port is this PE's end of a stream of messages. A link leads to another PE's service port. A key stands
 * for another PE's memory, and a memory for this PE's, as the transport accesses them. All belong to the
 * transport. */
typedef struct sheaf_transport_port sheaf_transport_port;
typedef struct sheaf_transport_link sheaf_transport_link;
typedef struct sheaf_transport_key sheaf_transport_key;
typedef struct sheaf_transport_memory sheaf_transport_memory;

/* In bytes: the longest header, and the most data that goes as one message on every transport. Both
 * together, with a transport's own header, fit into 64 KiB. */
#define SHEAF_TRANSPORT_HEADER   128
#define SHEAF_TRANSPORT_FRAGMENT ((size_t)65408)

/* A message to send. header, and source until the end, must not move. */
struct sheaf_transport_message {
    const void *header;
    size_t header_bytes;
    const void *source;
    size_t bytes;
    bool is_answered; /* the receiver gets an origin, by which it can answer */
    bool may_ask;     /* the data may stay here until the receiver fetches it */
    bool may_pass;    /* data for destination() may be written before the data of earlier messages */
    void *operation;  /* for sent() */
};

/* A message that has arrived; it belongs to the transport again when the user returns. */
struct sheaf_transport_arrival {
    const void *header; /* of any alignment */
    size_t header_bytes;
    const void *data;   /* of any alignment; NULL: there is no data, or it is still at the sender */
    size_t bytes;
    void *waiting;      /* for fetch(), while the data is still at the sender; else NULL */
    sheaf_transport_link *origin; /* NULL: the sender expects no answer */
};

/* An atomic operation on another PE's memory: ADD, AND, OR, XOR, SWAP or COMPARE_SWAP. operand and reply
 * must not move until the end. */
struct sheaf_transport_atomic {
    enum sheaf_amo operation;
    unsigned bytes;  /* 4 or 8 */
    uint64_t remote; /* aligned to bytes */
    const uint64_t *operand; /* of COMPARE_SWAP: the value compared with */
    void *reply; /* gets the object's previous value; NULL: not wanted, possible with ADD, AND, OR and XOR
                    alone. With COMPARE_SWAP it first holds the value to store */
};

/* The protocol's callbacks. why is NULL on success, else the reason in words, which stay valid, here and
 * below. */
struct sheaf_transport_user {
    const struct sheaf_engine_job *job;

    /* A message has arrived, for the owner given to open(). waiting may be fetched from within the call.
     * Returns whether it will be fetched later; otherwise the transport drops it. */
    bool (*arrived)(void *owner, const struct sheaf_transport_arrival *arrival);

    /* For a message with more data than a fragment, before the data is here (data is NULL): the address
     * for the data. The transport receives the data there, and reports it with that address as data, in
     * the message's turn on the link. NULL: the message is dropped. Only transports that set longest call
     * this. */
    void *(*destination)(void *owner, const struct sheaf_transport_arrival *arrival);

    /* sent: source may be reused. An answer that proves the message's arrival allows that too. fetched:
     * the data that fetch() asked for is here. */
    void (*sent)(void *operation, const char *why);
    void (*fetched)(void *message, const char *why);

    /* done: a put's source may be reused, or a get's or an atomic operation's result is here. flushed:
     * everything started on the link before the flush is complete at the target. */
    void (*done)(void *operation, const char *why);
    void (*flushed)(void *operation, const char *why);

    /* The link to that peer has broken, whether or not anything is under way. Called once. */
    void (*lost)(void *peer, const char *why);

    /* A host has gone silent: connections lost from now on are lost because of that. */
    void (*host_died)(void);

    /* A connection from outside the job was refused, "host:port". From any thread. */
    void (*refused)(const char *from);

    /* No connection can be accepted at present, for this reason. From any thread. */
    void (*paused)(const char *why);
};

/* Abilities that start() has found, and chosen for the job. */
struct sheaf_transport_abilities {
    bool has_direct;       /* the transport carries out puts and gets itself */
    size_t longest_direct; /* in bytes: longer puts and gets are better messages; 0: none are */
    sheaf_amo_set atomics; /* the atomic operations that it carries out itself; 0: none */
    bool by_adapter;       /* the atomic operations are the open adapter's (verbs/adapter.h), not
                              direct->atomic */
    bool locks_nothing;    /* memory that the transport accesses need not be locked */
    bool sends_whole;      /* long messages travel best in one piece, else as fragments */
    size_t longest;        /* in bytes: the most data of a put's message, with or without destination(); 0:
                              a fragment */
    size_t longest_whole;  /* in bytes: the most data of another message, without destination(); 0: a
                              fragment */
    size_t last_part;      /* in bytes: the data of the last message of a long put or answer; 0: all */
};

/* Operations on another PE's memory without that PE's processor. Addresses are the target's. */
struct sheaf_transport_direct {
    /* Registers memory of this PE and returns its key for other PEs: malloc'ed, at most
     * SHEAF_TRANSPORT_KEY bytes. Returns NULL and the reason. */
    sheaf_transport_memory *(*offer)(void *start, size_t bytes, void **key, size_t *key_bytes,
                                     const char **why);
    void (*withdraw)(sheaf_transport_memory *memory);
    bool is_collective; /* offer and withdraw are collective: all PEs call them at the same time, in the
                           same order */

    /* Accepts a key that the link's peer has offered; its bytes may be arbitrary. Returns NULL and the
     * reason. */
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

    /* Puts before the fence reach each peer of the port before puts after it. */
    void (*fence)(sheaf_transport_port *port);

    /* Ends with flushed(operation). */
    void (*flush)(sheaf_transport_link *link, void *operation);

    /* The same where they end within the call, which may wait for the network: return whether they have
     * ended, with or without success. Otherwise nothing has begun. NULL: none ends so. */
    bool (*put_at_once)(sheaf_transport_link *link, sheaf_transport_key *key, uint64_t remote,
                        const void *source, size_t bytes, const char **why);
    bool (*get_at_once)(sheaf_transport_link *link, sheaf_transport_key *key, void *dest, uint64_t remote,
                        size_t bytes, const char **why);
    bool (*flush_at_once)(sheaf_transport_link *link, const char **why);
};
#define SHEAF_TRANSPORT_KEY 1024

struct sheaf_transport {
    const char *name;  /* as in SHEAF_ENGINE */
    const char *title; /* in messages to users: "UCX" */

    /* Loads its library. Returns 0, or prints one line that names setting, value and remedy, and returns
     * -1. stop() is called after every port is closed, and not after a failed start. */
    int (*start)(const struct sheaf_transport_user *user, struct sheaf_transport_abilities *abilities);
    void (*stop)(void);

    /* is_installed: whether its library is on this machine. The others as in engine.h, without a start. */
    bool (*is_installed)(void);
    bool (*drives_fabric)(void); /* NULL: no */
    bool (*describe)(FILE *out);
    sheaf_amo_set (*native_atomics)(char *why, size_t size);

    /* owner: for arrived(). Returns NULL and the reason. close() ends all operations under way; it may
     * report them, but nothing is reported after it. */
    sheaf_transport_port *(*open)(void *owner, const char **why);
    void (*close)(sheaf_transport_port *port);

    /* The address that others connect to: malloc'ed, of a size that does not depend on the number of PEs.
     * Returns 0, or -1 and the reason. */
    int (*address)(sheaf_transport_port *port, void **address, size_t *length, const char **why);

    /* A link to a PE's address, as that PE's address() gave it. peer: for lost(). Does not wait. Returns
     * NULL and the reason. Links end with their port. */
    sheaf_transport_link *(*connect)(sheaf_transport_port *port, const void *address, size_t length,
                                     void *peer,
                                     const char **why);

    /* Where links differ, else NULL. link_abilities: has_direct and longest, as start() gives them, for a
     * link that connect() has made by that address; address NULL: longest alone, of answers on the link.
     * title_of: the title of the link's network. */
    void (*link_abilities)(const sheaf_transport_link *link, const void *address, size_t length,
                           struct sheaf_transport_abilities *abilities);
    const char *(*title_of)(const sheaf_transport_link *link);

    /* This PE's devices that messages on the link may use, as the library names them. NULL: unknown. */
    const char *(*devices_of)(const sheaf_transport_link *link);

    /* Sends a message. Messages on one link, an origin's answers included, arrive whole and in order. Ends
     * with sent(message->operation). */
    void (*send)(sheaf_transport_link *link, const struct sheaf_transport_message *message);

    /* Fetches all of the data that waits at its sender. Ends with fetched(message). */
    void (*fetch)(sheaf_transport_port *port, void *waiting, void *dest, size_t bytes, void *message);

    /* One turn of work: reports what has arrived and what has ended. Returns whether anything happened. */
    bool (*turn)(sheaf_transport_port *port);

    /* The descriptor becomes readable when there is work for a turn that came after arm(). arm() returns
     * false if there is some already. */
    int (*descriptor)(sheaf_transport_port *port);
    bool (*arm)(sheaf_transport_port *port);

    /* Whether data is under way that only turns move and no descriptor announces. NULL: never. */
    bool (*needs_turns)(sheaf_transport_port *port);

    /* Called now and then, by any thread, for work that depends on the clock. NULL: there is none. */
    void (*look)(void);

    /* Where deaths do not end the job: the link's peer has died. Operations under way on the link end
     * within the call, nothing more is written to destination()'s addresses, and the network need not
     * deliver what it still holds. NULL: the transport notices by itself, and never calls destination(). */
    void (*give_up)(sheaf_transport_link *link);

    const struct sheaf_transport_direct *direct; /* NULL: the transport has only messages */
};

extern const struct sheaf_transport sheaf_transport_ucx;
extern const struct sheaf_transport sheaf_transport_ofi;
extern const struct sheaf_transport sheaf_transport_mpi;
extern const struct sheaf_transport sheaf_transport_several; /* those of the job's networks */

#endif
