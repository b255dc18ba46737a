/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A simulated PE: a program that carries out a list of operations, a progress thread, and a network
 * between PEs. It does what core/pe/wait.c and engine/message do and decides nothing: base/pace/pace.h
 * decides. Its costs are those of TCP in a virtual machine.
 */
#ifndef SHEAF_TEST_PACE_PROCESS_H
#define SHEAF_TEST_PACE_PROCESS_H

#include "base/pace/pace.h"
#include "machine.h"

#define MOST_PROCESSES 64

enum operation {
    COMPUTE, /* for amount ns, without a call */
    PUT,     /* of a word to peer: adds 1 to its value */
    AWAIT,   /* until the own value is amount more than at the last such wait */
    QUIET,   /* until all puts are acknowledged */
    GET,     /* of a word of peer */
    GET_NBI, /* of amount bytes; QUIET waits for it */
    STORE,   /* into the value of peer, which shares memory: adds 1 */
    MEET,    /* all processes, in shared memory; sleepers are woken */
};
struct step {
    enum operation operation;
    int peer;
    uint64_t amount;
};

struct message {
    enum { ARRIVED_PUT, ARRIVED_GET, ARRIVED_DATA, ARRIVED_ACKNOWLEDGEMENT } kind;
    int from;
    uint64_t amount;
};

/* One end's state, by who writes: the program, the thread, either. */
struct process {
    struct sheaf_pace pace;
    struct task program, thread;
    int number;
    uint64_t ran;

    const struct step *steps;
    int step_count, step_at;
    uint64_t rounds, rounds_done; /* of the steps */
    bool is_in_step, is_over;
    uint64_t target;              /* of AWAIT, MEET */
    uint64_t spins;
    struct sheaf_pace_wait wait;
    bool has_polled, holds_lock;
    uint64_t yield_begun;         /* 0: none */
    bool is_in_sleep;             /* until something arrives */
    bool is_on_descriptor;        /* of its own: without the thread's help */
    unsigned needless_wakes;
    uint32_t polls, calls;

    struct sheaf_pace_thread pacing;
    enum { AWAKE, NAPS, LINGERS, SLEEPS } thread_state;
    uint64_t nap_ns, nap_begun, nap_ran;
    enum { UNTOLD, TOLD, IN_KERNEL } word; /* that something has arrived */
    bool has_looked;
    struct sheaf_pace_look look;
    uint32_t polls_seen, calls_seen;

    uint64_t value, taken_value;
    uint64_t sent, acknowledged, asked, answered;
    int owed[MOST_PROCESSES];
    int owes;
    unsigned held_turns;
    uint64_t held_since, idle_since;
    struct sheaf_bet held, next, gets;
    bool is_handed_over, is_delegated;
    uint32_t activity; /* when it was delegated */
    struct message inbox[256];
    int arrived;

    /* What is measured. */
    uint64_t level_changes, learned, news;
    uint32_t level_before;
    bool was_crowded;
    uint64_t neglect, most_neglect; /* with a message there and nobody who will take it, in a row */
};

extern struct process processes[MOST_PROCESSES];
extern int process_count;

/* Begins a machine with so many processes, not yet running. is_far: they reach each other by messages.
 * Those of a program are bound to processors in turn; outnumbered is what they think. */
void processes_begin(int processors, int count, bool is_far, bool is_outnumbered);
void process_program(int number, const struct step *steps, int count, uint64_t rounds);

/* Runs all to their end and returns how long that took, in ns; 0: not within a minute. */
uint64_t processes_run(void);

#endif
