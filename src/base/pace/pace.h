/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How to wait: numbers in, numbers out. Here stand the estimate of whether somebody else needs this
 * processor, the next step of a wait, the next step of the progress thread, and whether a bet is worth
 * another try. Knows no lock, clock, system call or network, so that a simulator can ask it
 * (tests/pace). The constants are in pace_table.h.
 */
#ifndef SHEAF_BASE_PACE_PACE_H
#define SHEAF_BASE_PACE_PACE_H

#include "base/atomic.h"
#include "base/pace/pace_table.h"

#include <stdbool.h>

/* Does somebody else need this processor? Hosts may share processors without knowing it (containers,
 * virtual machines), so it is learned: alone, yields and naps come back in time;
 * shared, yields come back late, since others ran; crowded, naps do, since others would not give way. */
enum sheaf_pace_level { SHEAF_ALONE, SHEAF_SHARED, SHEAF_CROWDED };

/* What one process knows. Its threads learn together; a value that is lost in a race costs nothing. */
struct sheaf_pace {
    bool is_outnumbered;  /* there are more PEs than processors, as far as this host knows */
    uint32_t processors;  /* that PEs share; 0: they do not */
    bool has_network;     /* waits have to take its turns: without one nothing is learned after start */
    bool has_thread;      /* which serves peers while this process sleeps */
    uint32_t level;       /* enum sheaf_pace_level */
    bool is_shared;       /* by yields alone: in a crowd a program may still have a processor to itself */
    uint32_t late_yields; /* the share of late ones, of SHEAF_PACE_ALL */
    uint64_t late_ns;     /* how late naps come back because of others */
};
#define SHEAF_PACE_ALL 65536

/* What a host knows of its own PEs, it knows at start; what others need is learned. */
void sheaf_pace_init(struct sheaf_pace *pace, bool is_outnumbered);

/* An engine starts or stops. */
static inline void sheaf_pace_use_network(struct sheaf_pace *pace, bool has_network, bool has_thread)
{
    pace->has_network = has_network;
    pace->has_thread = has_thread;
}

/* A yield came back after so long. */
void sheaf_pace_yielded(struct sheaf_pace *pace, uint64_t taken_ns);

/* A nap of asked_ns came back after taken_ns, of which the process's own threads ran for ran_ns: a program
 * that polls on the same processor makes its thread late too, and is no crowd. */
void sheaf_pace_napped(struct sheaf_pace *pace, uint64_t asked_ns, uint64_t taken_ns, uint64_t ran_ns);

static inline enum sheaf_pace_level sheaf_pace_level(const struct sheaf_pace *pace)
{
    return (enum sheaf_pace_level)sheaf_load_relaxed(&pace->level);
}

/* What ends a wait, and so whether a sleeper is told. */
enum sheaf_pace_end {
    SHEAF_PACE_STORE,  /* a plain store of anybody: a sleeper has to look again by itself */
    SHEAF_PACE_WAKER,  /* a store of somebody who wakes sleepers */
    SHEAF_PACE_ANSWER, /* a message that the network brings */
};

struct sheaf_pace_wait {
    uint32_t idle;     /* looks in a row that brought nothing; the caller sets it to 0 at news */
    uint64_t since_ns; /* when it was first asked what to do next; 0 before */
    uint64_t news_ns;  /* when the network last brought something; 0: not yet */
    uint32_t missing;  /* the PEs that are waited for; 0: not known */
};

/* Turns of the network in a row that bring nothing, before a wait does anything else. */
static inline uint64_t sheaf_pace_turns(const struct sheaf_pace *pace)
{
    if (!pace->has_network)
        return 0;
    return sheaf_load_relaxed(&pace->is_shared) ? sheaf_pace_table.turns_shared
                                                : sheaf_pace_table.turns;
}

/* A wait's first step is to look again, without asking the clock: at memory, inline in core/pe/wait.h;
 * with a network by taking one of its turns. Counts a look that brought nothing; returns whether to look
 * again. */
static inline bool sheaf_pace_looks_on(const struct sheaf_pace *pace, struct sheaf_pace_wait *wait)
{
    wait->idle += wait->idle != UINT32_MAX;
    return wait->idle <= sheaf_pace_turns(pace);
}

/* What else it does next. */
struct sheaf_pace_next {
    enum sheaf_pace_step { SHEAF_PACE_LOOK, SHEAF_PACE_YIELD, SHEAF_PACE_SLEEP } step;
    bool by_clock; /* sleep through messages, too: to be woken by them would keep others from work */
    uint64_t ns;   /* of sleep, at most; 0: until it ends */
};
struct sheaf_pace_next sheaf_pace_wait_next(const struct sheaf_pace *pace, struct sheaf_pace_wait *wait,
                                            enum sheaf_pace_end end, uint64_t now_ns);

/* Looks at memory before a wait asks at all; 0 where the network needs its turns. */
uint32_t sheaf_pace_spins(const struct sheaf_pace *pace);

/* Whether a program that polls by reading is to yield: reads in a row brought nothing new for so long. */
static inline bool sheaf_pace_polls_tightly(uint64_t taken_ns)
{
    return taken_ns <
           sheaf_pace_table.poll_looks * sheaf_pace_table.poll_reads * sheaf_pace_table.poll_read;
}

/* What the progress thread found when it looked. */
enum sheaf_pace_found {
    SHEAF_FOUND_NOTHING,
    SHEAF_FOUND_TAKEN,   /* somebody had the lock: nothing is known */
    SHEAF_FOUND_PROGRAM, /* the program polls, and does by itself what there is to do */
    SHEAF_FOUND_WORK,
};
struct sheaf_pace_look {
    enum sheaf_pace_found found;
    bool is_active;      /* the program has called or polled since the last look */
    bool has_open_batch; /* nobody may send it but the thread */
    bool is_automatic;     /* and one of these aggregates without a session */
    bool is_missing;     /* a connection is lost, and the job may have to end */
};

struct sheaf_pace_thread {
    uint64_t polled_ns; /* for how long the program has polled, less how long it has not */
    uint64_t active_ns; /* when it was last active */
    uint64_t asked_ns;  /* when this was last asked; 0 before */
    enum sheaf_pace_found found; /* then */
};

struct sheaf_pace_rest {
    enum sheaf_pace_resting {
        SHEAF_REST_NOT,    /* look again */
        SHEAF_REST_NAP,    /* by the clock, whatever arrives */
        SHEAF_REST_LINGER, /* until something arrives, or an open batch is old */
        SHEAF_REST_SLEEP,  /* until something arrives */
    } how;
    uint64_t ns; /* at most */
};
struct sheaf_pace_rest sheaf_pace_thread_next(const struct sheaf_pace *pace,
                                              struct sheaf_pace_thread *thread,
                                              const struct sheaf_pace_look *look, uint64_t now_ns);

/* The program took a message while the thread slept until something arrives, which wakes it for nothing:
 * is_needless; or not. Whether the thread had better nap. */
bool sheaf_pace_wakes_needlessly(unsigned *wakes, bool is_needless);

/* Messages of a context to one PE. */
struct sheaf_pace_traffic {
    uint64_t started, ended;
};

/* Small operations that nobody waits for are aggregated behind messages under way: Nagle's rule. So a
 * stream of them costs a message for each that comes back, not one each, and one operation alone waits
 * for nothing. */
static inline bool sheaf_pace_aggregates(struct sheaf_pace_traffic now)
{
    return now.started - now.ended >= sheaf_pace_table.aggregate_after;
}

/* Whether a batch that was opened when so many had ended leaves: one has come back since, so that nothing
 * is later than it would be behind those; or so few are under way that nothing would wait. */
static inline bool sheaf_pace_batch_leaves(uint64_t ended_before, struct sheaf_pace_traffic now)
{
    return now.ended != ended_before || !sheaf_pace_aggregates(now);
}

/* Whether something pays that did of late: a credit of failures that are borne, then a pause, longer after
 * every failure in a row. */
struct sheaf_bet {
    uint64_t credit;
    uint64_t pause; /* in its own measure: bytes, times */
    uint64_t left;  /* of the pause */
};
struct sheaf_bet_rules {
    uint64_t most_credit, gain;
    uint64_t least_pause, most_pause;
    uint64_t forgive; /* a success shortens the next pause by this part of it; 1: by all */
};

/* Once more, for so much? */
bool sheaf_bet_take(struct sheaf_bet *bet, uint64_t amount);
void sheaf_bet_won(struct sheaf_bet *bet, const struct sheaf_bet_rules *rules);
/* cost: the pause is to be that long at least. */
void sheaf_bet_lost(struct sheaf_bet *bet, const struct sheaf_bet_rules *rules, uint64_t cost);

/* Left to the thread: puts that the program does not start by itself, gets whose data it does not take.
 * They begin with a pause. */
void sheaf_pace_left_begin(struct sheaf_bet *bet);
bool sheaf_pace_leaves(struct sheaf_bet *bet, uint64_t bytes, uint64_t smallest);
/* thread_helped: it came first, and, where the work is all the processor's, on another processor. */
void sheaf_pace_left(struct sheaf_bet *bet, bool thread_helped);

/* Answer first, acknowledge later: whether an acknowledgement that has been held back for so many turns
 * may be held for another, where the thread looks within looks_in_ns, UINT64_MAX when it sleeps. And for
 * how long it was in the end. */
bool sheaf_pace_holds_back(struct sheaf_bet *bet, unsigned turns, uint64_t looks_in_ns);
void sheaf_pace_held(struct sheaf_bet *bet, uint64_t held_ns);

/* A flag is a message behind its data: whether an acknowledgement that is held back waits on although a
 * turn brought nothing. idle_ns: since the first of these turns, for which it is 0. And whether the next
 * message came in that time. */
bool sheaf_pace_awaits_next(struct sheaf_bet *bet, uint64_t idle_ns, uint64_t looks_in_ns);
void sheaf_pace_awaited_next(struct sheaf_bet *bet, bool has_come);

#endif
