/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Many PEs in one process, each a coroutine with a clock of its own, on a network by the LogGP model.
 * What they run is the library's own code: teams, barriers and collectives. What that code asks of the
 * rest of the library is imitated: library.c.
 *
 * Node k has the PEs from k * per_node on. A message of n bytes takes its sender's processor for
 * overhead, its node's adapter for gap + n * per_byte (the larger of the two if the adapter is still busy
 * with another), the wire for latency, the target's adapter as long as the sender's, and the receiver's
 * processor for overhead. A PE that waits for a word of its node's memory goes on near after the store. A
 * basic block of the library's code takes block. Not imitated: rendezvous of large messages, caches,
 * other processes.
 *
 * With a host all nodes are one machine with a few processors, as tests/pace simulates them. A PE computes, sends, and
 * receives on one of them, and so waits for one. A PE that waits looks, yields and sleeps as the library's own pace says
 * (base/pace): it takes turns of the network, which cost time too. A message goes in segments, which are sent and taken
 * one by one.
 */
#ifndef SHEAF_TEST_SIMULATION_H
#define SHEAF_TEST_SIMULATION_H

#include "base/pace/pace.h"
#include "core/team/team.h"

#include <stddef.h>
#include <stdint.h>

/* A machine's processors, and nanoseconds that one of them spends: hosts.tsv explains them. */
struct host {
    int processors;
    double send, send_byte, leaves, take, take_byte, turn, turn_alone, yield, wake, sleep, change, copy_byte;
    size_t segment;
};

/* A line of hosts.tsv, and the name that it begins with. */
bool host_read(const char *line, char name[64], struct host *host);

/* Nanoseconds. */
struct wire {
    double latency, overhead, gap, per_byte, near, block;
    const struct host *host; /* NULL: each PE has a processor of its own */
};

struct counts {
    uint64_t messages, bytes; /* sent */
    uint64_t blocks;          /* basic blocks of the library's code, the instructions' measure */
    uint64_t copied;          /* bytes, on a host */
};

/* The PE that runs. */
struct sim_pe {
    int pe, node, slot;
    double now;
    int rounds; /* messages on the longest chain, each sent after the last arrived, that ends here */
    struct counts counts;
    struct sheaf_team *world;
    char *heap;          /* heap_bytes of each PE: symmetric */
    struct sim_inbox *inbox;
    uint32_t *word;      /* that it waits for; NULL: none */
    struct sim_pe *next; /* of those that wait on its node */
    uint64_t joined;     /* them; a number that grows */
    bool waits_for_message, has_ended;
};
extern struct sim_pe *sim_me;
extern int sim_nodes, sim_per_node;
extern size_t sim_heap_bytes;

/* Runs the program on every PE until all have ended; ends this program where they wait for each other for
 * ever. With a world team: its making is neither counted nor timed. */
typedef void sim_program(void *argument);
void sim_run(int nodes, int per_node, size_t heap_bytes, const struct wire *wire, sim_program *program,
             void *argument);
void sim_run_with_world(int nodes, int per_node, size_t heap_bytes, const struct wire *wire,
                        sim_program *program, void *argument);

/* The counts and the clock of the PE that runs begin again. */
void sim_begin(void);

/* All PEs have one heap: for times of collectives, which do not depend on the data, where each PE's would not fit. */
extern bool sim_has_one_heap;

/* Where the PE of a slot runs, the same on each node; NULL: all in one domain. */
extern struct sheaf_domains (*sim_domains_of)(int slot);

/* Whether an address is in memory that the PEs of a node share: its control area, their heaps. */
bool sim_is_shared(const void *address);

/* Called before each of the library's copies; NULL: nothing is. */
extern void (*sim_on_copy)(void *dest, const void *source, size_t bytes);

/* Called when a PE goes on, for state that the library has once for each process. */
extern void (*sim_on_turn)(void);

/* The PE goes on at that time, in nanoseconds, or so long after now. */
void sim_sleep_until(double time);
void sim_sleep(double ns);

/* The PE computes for so long. */
void sim_work(double ns);

/* The PE goes on when another calls sim_resume, and at that time or later. */
void sim_block(void);
void sim_resume(struct sim_pe *pe, double time);

/* For the imitated library: the PE of a number, waits, and the arena's size. A wait for a word is over when it changes, or
 * before. */
struct sim_pe *sim_pe_of(int pe);
void sim_wait_for_word(uint32_t *word, uint32_t old, struct sheaf_pace_wait *wait);
void sim_wake(uint32_t *word);
void sim_wait_for_message(struct sheaf_pace_wait *wait);
void sim_send(int peer, uint64_t tag, const void *source, size_t bytes);
void sim_receive(int peer, uint64_t tag, void *dest, size_t bytes, size_t *remaining);

#endif
