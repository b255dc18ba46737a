/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The replicated log: entries in one order, the same on all nodes of a job. Entries are deaths of PEs,
 * votes, and nodes that are gone. The lowest live node is the sequencer: the others submit entries to it,
 * and it numbers them and sends them to all. When it is lost the next lowest node takes over, with the
 * longest log of a live node. agent.c calls this. The log knows no sockets, no clock and no control
 * area, so tests/boot/journal.c runs the logs of many nodes in one process, and tests/models/log.pml is a
 * model of it.
 *
 * The README of this folder states what holds.
 */
#ifndef SHEAF_BOOT_REPLICATED_LOG_JOURNAL_H
#define SHEAF_BOOT_REPLICATED_LOG_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sheaf_entry_kind {
    SHEAF_ENTRY_NODE_LOST = 1, /* body: int32_t each, the nodes: all their PEs are dead */
    SHEAF_ENTRY_NODE_SILENT,   /* the same; they may live on until they find that they are cut off */
    SHEAF_ENTRY_NODE_LEFT,     /* they have left in order: none of their PEs is dead */
    SHEAF_ENTRY_OF_USER        /* from here on: what was submitted */
};

/* What travels; body bytes follow. Hosts of one job are alike: no byte is swapped. */
struct sheaf_journal_head {
    uint32_t bytes;     /* of the body */
    uint16_t word;      /* enum sheaf_journal_word */
    uint16_t kind;      /* enum sheaf_entry_kind */
    int32_t node;       /* SUBMIT, ENTRY: who has submitted it */
    uint32_t unused;
    uint64_t number;    /* SUBMIT, ENTRY: the submitter's own, from 1; ASK, ANSWER: the question's */
    uint64_t position;  /* ENTRY: in the log, from 1; ACK, REPORT: the length of the sender's log */
    uint64_t stable;    /* ENTRY, ACK by the sequencer: all nodes have so many entries */
};
_Static_assert(sizeof(struct sheaf_journal_head) == 40, "as it travels");

enum sheaf_journal_word {
    SHEAF_JOURNAL_SUBMIT = 1,
    SHEAF_JOURNAL_ENTRY,
    SHEAF_JOURNAL_ACK,
    SHEAF_JOURNAL_REPORT, /* to the node that takes over, behind the entries that it may lack */
    SHEAF_JOURNAL_OUT,    /* the receiver is written off */
    SHEAF_JOURNAL_BYE,    /* the sender leaves in order */
    SHEAF_JOURNAL_ASK,    /* by the sequencer: does the receiver hear it? */
    SHEAF_JOURNAL_ANSWER, /* the question's number */
    SHEAF_JOURNAL_HEARTBEAT, /* nothing: mesh.c sends and drops it */
    SHEAF_JOURNAL_WORDS
};

/* Of a body, in an entry. */
#define SHEAF_JOURNAL_MOST_BYTES 8192

enum sheaf_node_end {
    SHEAF_NODE_CLOSED, /* its kernel has closed the connection: the process has ended */
    SHEAF_NODE_SILENT, /* it does not answer: it may be alive */
    SHEAF_NODE_LEFT    /* it has said so */
};

struct sheaf_journal_user {
    void *self;
    void (*send)(void *self, int node, const struct sheaf_journal_head *head, const void *body);
    /* The next entry of the log. */
    void (*apply)(void *self, const struct sheaf_journal_head *head, const void *body);
    /* The node is written off: nothing more is sent to it, and what it sends is dropped. */
    void (*expel)(void *self, int node);
    /* This node is written off, or in a part of the network that must not go on. It is the last call. */
    void (*end)(void *self);
};

struct sheaf_journal;

/* NULL without memory. */
struct sheaf_journal *sheaf_journal_create(int nodes, int node, const struct sheaf_journal_user *user);
void sheaf_journal_destroy(struct sheaf_journal *journal);

/* It becomes an entry of the log, once, unless this node ends. */
void sheaf_journal_submit(struct sheaf_journal *journal, unsigned kind, const void *body, uint32_t bytes);

/* Whether all that was submitted here is in the log. */
bool sheaf_journal_is_settled(const struct sheaf_journal *journal);

/* A message has come. False: no node of the job sends such a one. */
bool sheaf_journal_hear(struct sheaf_journal *journal, int from, const struct sheaf_journal_head *head,
                        const void *body);

/* The connection to a node has ended. */
void sheaf_journal_lose(struct sheaf_journal *journal, int node, enum sheaf_node_end how);

bool sheaf_journal_is_sequencer(const struct sheaf_journal *journal);

#endif
