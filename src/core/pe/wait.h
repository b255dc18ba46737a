/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Waits: they spin, then yield, then sleep. base/pace/pace.h decides how long each phase lasts. A slow
 * wait shows on the status board.
 */
#ifndef SHEAF_CORE_PE_WAIT_H
#define SHEAF_CORE_PE_WAIT_H

#include "base/atomic.h"
#include "base/pace/pace.h"
#include "core/pe/call.h"
#include "image/control.h"

#include <stdbool.h>
#include <stdint.h>

/* Describes in words what the wait is for. Called once the wait is slow, to fill the board, and then
 * each second, by one thread at a time. */
typedef void sheaf_wait_describe(const void *object, char *text, size_t size);

struct sheaf_wait {
    uint32_t steps; /* spins by now */
    enum sheaf_wait_kind kind;
    struct sheaf_engine_context *stream; /* FAR: the stream of the operations; see engine/engine.h */
    struct sheaf_pace_wait pace;
    bool is_slow;       /* it has lasted for a while, so its end is recorded */
    bool on_board;
    bool bears_deaths;  /* its caller checks by itself whether the awaited value can still come */
    uint32_t deaths;    /* the number of deaths when it last looked */
    struct sheaf_record *record; /* VARIABLE, LOCK: the wait's entry, once it is slow */
    uint64_t position;  /* LOCK: the lock's, the same on all PEs */
    const void *object; /* given to describe; for COLLECTIVE the team, which begins with its identity */
    sheaf_wait_describe *describe; /* may be NULL */
};
#define SHEAF_WAIT_FOR(wait_kind, wait_object, wait_describe)                                      \
    {                                                                                              \
        .kind = (wait_kind), .object = (wait_object), .describe = (wait_describe)                  \
    }

/* Spins before the first yield, sheaf_pace_spins(): 0 where a network needs the waiter to make
 * progress. */
extern SHEAF_HIDDEN uint32_t sheaf_wait_spins;

void sheaf_wait_slow(struct sheaf_wait *wait);
void sheaf_wait_leave(struct sheaf_wait *wait);

/* One turn of a loop that polls memory which a plain store of another PE may change:
 *   struct sheaf_wait wait = SHEAF_WAIT_FOR(SHEAF_WAIT_VARIABLE, object, describe);
 *   while (!satisfied) sheaf_wait_step(&wait);
 *   sheaf_wait_done(&wait);
 */
static inline void sheaf_wait_step(struct sheaf_wait *wait)
{
    if (sheaf_likely(wait->steps++ < sheaf_wait_spins))
        sheaf_cpu_relax();
    else
        sheaf_wait_slow(wait);
}

static inline void sheaf_wait_done(struct sheaf_wait *wait)
{
    sheaf_fence_loads();
    if (sheaf_unlikely(wait->is_slow))
        sheaf_wait_leave(wait);
}

/* The calling thread waits by itself, for the other members of a team in the call with this progress: on
 * the board from now on, or at a later call where another thread is there. progress 0: no longer. */
void sheaf_wait_announce(const void *team, uint64_t progress);

/* Waits until *word != old. The PE that changes the word calls sheaf_wait_wake() with the same
 * sleepers. The wait sleeps on a futex in the end, so an idle wait costs no processor time. Returns the
 * new value, with acquire order. */
uint32_t sheaf_wait_word(uint32_t *word, uint32_t *sleepers, uint32_t old, struct sheaf_wait *wait);

/* A number that only grows, and beside it the writer's digest of the team's calls up to then
 * (core/team/history.h). A PE that waits for the number sees whether both are in the same call. */
union sheaf_step {
    struct {
        uint32_t number; /* waiters sleep on it */
        uint32_t digest;
    };
    uint64_t both;       /* stored and read at once: the number is its lower half */
};
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a step's number is its lower half");

/* The same for a step's number; returns number and digest. They are read at once: at a second read the
 * writer may be one call further, and have the cache line. */
uint64_t sheaf_wait_step_word(union sheaf_step *step, uint32_t *sleepers, uint32_t old,
                              struct sheaf_wait *wait);

/* Called after a store to word: wakes the PEs that sleep on it. Costs a full fence and a load when none
 * does. */
void sheaf_wait_wake(uint32_t *word, uint32_t *sleepers);

/* Called when a test has found its condition unmet: a program that polls with tests must let other PEs
 * run too. It yields after some tests, and soon where PEs outnumber CPUs. */
extern __thread uint32_t sheaf_wait_polls __attribute__((tls_model("initial-exec")));
void sheaf_wait_yield(void);
void sheaf_wait_polled_long(void); /* a loop of tests or reads yields, and counts it for reports */
static inline void sheaf_wait_polled(void)
{
    if (sheaf_unlikely(sheaf_wait_polls++ >= sheaf_wait_spins))
        sheaf_wait_polled_long();
}

/* Called by init.c: the PEs of this job on this node, and the CPUs that they have. */
void sheaf_wait_init(int pes, int cpus, struct sheaf_board *board);

/* Called once a collective's wait is slow: checks whether the other members can arrive at all. */
typedef void sheaf_wait_check(const void *team);
void sheaf_wait_set_check(sheaf_wait_check *check);

/* Set where deaths of PEs are reported: their count, on which sleepers are woken, and the function that
 * a wait calls for a new death; it need not return. Only slow waits look at the count. NULL: deaths are
 * not reported. */
typedef void sheaf_wait_on_death(struct sheaf_wait *wait);
void sheaf_wait_watch_deaths(uint32_t *deaths, sheaf_wait_on_death *on_death);

/* One turn of sheaf_wait_word(), for a wait that goes on after deaths. */
void sheaf_wait_turn(uint32_t *word, uint32_t *sleepers, uint32_t old, struct sheaf_wait *wait);

/* The same with another word in place of the deaths' count: it changes with the deaths, and its writer
 * wakes the PEs that sleep on it. */
void sheaf_wait_turn_beside(uint32_t *word, uint32_t *sleepers, uint32_t old, uint32_t *other,
                            uint32_t old_other, struct sheaf_wait *wait);

/* Called by engine_start.c after an engine has started or stopped. */
void sheaf_wait_choose_spins(void);

#endif
