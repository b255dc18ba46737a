/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A PE that uses a transport's table directly: its ports, messages that say by themselves what they
 * hold, and everything that a transport tells, checked as it comes.
 */
#ifndef SHEAF_TEST_ENGINE_TRANSPORT_PE_H
#define SHEAF_TEST_ENGINE_TRANSPORT_PE_H

#include "local/local.h"
#include "processes.h"

#define MOST_TURNS   2000000
#define MOST_ADDRESS 4096
#define MOST_ANSWERS 4096
#define ROOM         ((size_t)1 << 20) /* of a PE, for direct operations */

extern const struct sheaf_transport *transport;
extern struct sheaf_transport_abilities abilities;
extern uint64_t seed, chance;

/* Shared by the processes, as a launcher would be. */
extern struct board {
    size_t length[MOST_PES];
    unsigned char address[MOST_PES][MOST_ADDRESS];
    size_t key_bytes[MOST_PES];
    unsigned char key[MOST_PES][SHEAF_TRANSPORT_KEY];
    uint32_t told; /* by one PE to the others */
    _Alignas(64) unsigned char rooms[MOST_PES][ROOM];
} *board;

/* Of a port: what arrives at it. */
extern struct owner {
    sheaf_transport_port *port;
    sheaf_transport_link *links[MOST_PES];
    uint32_t next[MOST_PES];    /* number of the message that is to arrive from there next */
    uint32_t answers[MOST_PES]; /* likewise of the answer */
    uint64_t arrived;
} service;

/* Something that is under way, and that ends once. */
struct call {
    unsigned ends;
    bool has_failed;
    unsigned char header[SHEAF_TRANSPORT_HEADER];
    unsigned char *data;
    size_t bytes;
};

/* A message begins with it; what follows in the header belongs to its number, as does the data. */
struct note {
    uint32_t from, number;
    uint64_t bytes;
    bool is_answer;
};

/* What becomes of data that is still at its sender. */
extern enum wish { AT_ONCE, LATER, NEVER } wish;
extern struct letter {
    struct call call;
    struct note note;
    void *waiting;
} *letters; /* of one test at a time */
extern unsigned letters_count;

extern bool wants_answers; /* messages are answered */
extern struct call answers[MOST_ANSWERS];
extern unsigned answers_sent;

extern uint64_t lost[MOST_PES];

/* The service port is open and its address known to all; and the end of that. */
void start_pe(void);
void stop_pe(void);
void turn_service(void);
void connect_to(struct owner *owner, int pe);

/* The call's header, data and lengths, as the note says; call->data is malloc'ed. */
void write_message(struct call *call, const struct note *note, struct sheaf_transport_message *message);

#define TURN_UNTIL(condition, owner)                                                               \
    for (unsigned turns_ = 0; !(condition); turns_++) {                                            \
        REQUIRE(turns_ < MOST_TURNS, "not within %d turns", MOST_TURNS);                           \
        transport->turn((owner)->port);                                                            \
        step();                                                                                    \
    }

/* transport_direct.c */
void test_direct(void);
void test_keys(void);
void test_refusal(void);

#endif
