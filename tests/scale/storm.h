/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Many PEs that address few: the library's own engine/message for each simulated PE, over a transport that is imitated, on a
 * network with TCP's limits. storm.c has the programs, storm_pe.c the PEs, storm_wire.c the network.
 *
 * Every PE has its own copy of all that the engine's files write: it is copied in and out when another PE's turn comes. So a PE
 * has what a process would have. The transport does what UCX's over TCP does: a message ends once the kernel's send buffer has
 * taken it, and one that finds the buffer full waits in the transport's memory. A connection carries bytes: TCP's slow start,
 * windows, fast retransmission, and retransmission after a time that doubles. A connection that has unacknowledged bytes for
 * unheard is lost. The port of a node's switch holds so many bytes, and drops what finds it full.
 */
#ifndef SHEAF_TEST_STORM_H
#define SHEAF_TEST_STORM_H

#include "engine/message/engine.h"

/* Nanoseconds, bytes. */
struct storm_network {
    double latency, overhead, per_byte;
    uint64_t port;              /* what a port of a switch holds */
    uint64_t sends, receives;   /* the kernel's buffers of a connection */
    double retransmit, unheard; /* without an acknowledgement: the first retransmission; the end of a connection */
};

struct storm_pe;
typedef bool storm_program(struct storm_pe *pe); /* one step; returns false where it waits for the network */

struct storm_pe {
    int pe, node;
    double now;           /* its own clock; at most that of the network while it waits */
    double slowness;      /* what it does takes so many times as long */
    double stopped_from, stopped_until;
    bool is_scheduled, is_gone, is_dead; /* is_dead: and all others know */
    bool has_news, is_to_hear; /* since it last looked; of a death */
    unsigned char *state; /* of the engine's files, while another PE runs */
    bool batch_is_mine;   /* a variable of the engine's thread */
    void *address;
    size_t length;
    uint64_t segment[64]; /* its symmetric memory */
    uint64_t *heap;
    size_t remaining;
    uint64_t issued, chance, sent; /* sent: messages */
    int phase;
    double done;          /* when its program ended */
    int64_t held, most;   /* bytes that the engine has allocated */
    struct sheaf_transport_port *port;
};

struct storm_counts {
    uint64_t messages, dropped, retransmitted; /* dropped: parts */
    uint64_t most_in_port; /* bytes in a switch's port */
    uint64_t most_unread;  /* bytes that have arrived at a PE, in its kernel */
    uint64_t most_waiting; /* messages that a PE's kernel has not taken, in its transport */
    int lost;              /* connections between PEs that are there */
};
extern struct storm_counts storm_counts;
extern const struct storm_network *storm_network;
extern struct storm_pe *storm_me, *storm_pes;
extern int storm_npes, storm_per_node;
extern bool storm_needs_credit; /* else puts go without, as in a job of few PEs */

/* storm_pe.c: the job; a PE's engine; the memory that it takes. */
void storm_begin(const struct sheaf_transport *transport, int npes, int per_node, size_t heap_bytes, uint64_t seed);
void storm_end(void);
void storm_enter(struct storm_pe *pe);
void storm_work(double ns);
int64_t storm_engine_state(void); /* bytes */
bool storm_own_allocations(bool are_engine); /* allocations count as the engine's from here on, or not; returns the former */

/* storm_wire.c: runs until nothing happens any more; frees the links of a job that has ended. */
extern const struct sheaf_transport sheaf_transport_storm;
void storm_run(storm_program *program);
void storm_free_links(void);
void storm_schedule(struct storm_pe *pe, double at);
void storm_kill(int node, double at, double known);

#endif
