/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Waiting: spin, then yield, then sleep; how long each lasts is decided in base/pace/pace.h. Once a wait
 * is slow it shows on the status board.
 */
#ifndef SHEAF_CORE_PE_WAIT_H
#define SHEAF_CORE_PE_WAIT_H

#include "base/atomic.h"
#include "base/pace/pace.h"
#include "core/pe/call.h"
#include "image/control.h"

#include <stdbool.h>
#include <stdint.h>

/* What the wait is for, in words; called once the wait is slow, to fill the board, and each second then, by
 * one thread at a time. */
typedef void sheaf_wait_describe(const void *object, char *text, size_t size);

struct sheaf_wait {
    uint32_t steps; /* spins by now */
    enum sheaf_wait_kind kind;
    struct sheaf_engine_context *stream; /* FAR: whose operations; see engine/engine.h */
    struct sheaf_pace_wait pace;
    bool is_slow;       /* it has found nothing for a while: its end is to be noted */
    bool on_board;
    bool bears_deaths;  /* its caller looks for itself whether what it waits for can come */
    uint32_t deaths;    /* as many were known when it last looked */
    struct sheaf_record *record; /* VARIABLE, LOCK: the wait's, once it is slow */
    uint64_t position;  /* LOCK: which, alike on all PEs */
    const void *object; /* given to describe; for COLLECTIVE the team, which begins with its identity */
    sheaf_wait_describe *describe; /* may be NULL */
};
#define SHEAF_WAIT_FOR(wait_kind, wait_object, wait_describe)                                      \
    {                                                                                              \
        .kind = (wait_kind), .object = (wait_object), .describe = (wait_describe)                  \
    }

/* Spins before the first yield, sheaf_pace_spins(): 0 where a network needs its turns. */
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

/* Waits until *word != old, where whoever changes word wakes sleepers (sheaf_wait_wake() with
 * the same sleepers): sleeps on a futex in the end, so an idle wait costs nothing. Returns the
 * new value, with acquire order. */
uint32_t sheaf_wait_word(uint32_t *word, uint32_t *sleepers, uint32_t old, struct sheaf_wait *wait);

/* A number that only grows, and beside it the writer's digest of the team's calls up to there
 * (core/team/history.h): whoever waits for the number sees whether both are in the same call. */
union sheaf_step {
    struct {
        uint32_t number; /* slept on */
        uint32_t digest;
    };
    uint64_t both;       /* stored and read at once: the number is its lower half */
};
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a step's number is its lower half");

/* The same with a step's number; returns both. It is read once: by the second time its writer may be a call
 * further, and have the cache line. */
uint64_t sheaf_wait_step_word(union sheaf_step *step, uint32_t *sleepers, uint32_t old,
                              struct sheaf_wait *wait);

/* After a store to word: wakes whoever sleeps on it. Costs a full fence and a load when nobody
 * does. */
void sheaf_wait_wake(uint32_t *word, uint32_t *sleepers);

/* A test found its condition unmet: a program that polls with tests must let others run too. Every
 * so often, and soon where PEs outnumber CPUs, it yields. */
extern __thread uint32_t sheaf_wait_polls __attribute__((tls_model("initial-exec")));
void sheaf_wait_yield(void);
void sheaf_wait_polled_long(void); /* a loop of tests or reads yields, and counts it for reports */
static inline void sheaf_wait_polled(void)
{
    if (sheaf_unlikely(sheaf_wait_polls++ >= sheaf_wait_spins))
        sheaf_wait_polled_long();
}

/* By init.c: PEs of this job on this node against the CPUs they have. */
void sheaf_wait_init(int pes, int cpus, struct sheaf_board *board);

/* Looks whether what a collective waits for can come at all, once the wait is slow. */
typedef void sheaf_wait_check(const void *team);
void sheaf_wait_set_check(sheaf_wait_check *check);

/* Where deaths of PEs are reported: their count, on which sleepers are woken, and what a wait does
 * that finds a new one; it need not return. Waits that turn slow alone look. NULL: nobody reports any. */
typedef void sheaf_wait_on_death(struct sheaf_wait *wait);
void sheaf_wait_watch_deaths(uint32_t *deaths, sheaf_wait_on_death *on_death);

/* One turn of sheaf_wait_word(), for a wait that bears deaths. */
void sheaf_wait_turn(uint32_t *word, uint32_t *sleepers, uint32_t old, struct sheaf_wait *wait);

/* The same with another word for that of deaths: it changes with them, and its writer wakes who sleeps on
 * it. */
void sheaf_wait_turn_beside(uint32_t *word, uint32_t *sleepers, uint32_t old, uint32_t *other,
                            uint32_t old_other, struct sheaf_wait *wait);

/* By engine_start.c: an engine has started or stopped. */
void sheaf_wait_choose_spins(void);

#endif
