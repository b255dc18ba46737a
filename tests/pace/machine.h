/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A simulated machine: processors with a quantum, tasks that run, yield and sleep on them, and events at
 * times to come. It has a clock of its own, and the same calls give the same times. A task that wakes takes
 * a processor away from one that has had more of it, and stands in line behind others, as Linux has it.
 */
#ifndef SHEAF_TEST_PACE_MACHINE_H
#define SHEAF_TEST_PACE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#define US UINT64_C(1000)
#define MS UINT64_C(1000000)

#define MOST_TASKS 160

/* What it costs, in ns; about what a virtual machine of two processors has. */
#define QUANTUM  (3 * MS)
#define CREDIT   (1500 * US) /* whoever slept has had so much less */
#define PREEMPTS (1000 * US) /* by so much less one takes another's processor away */
struct machine_costs {
    uint64_t switch_task;
    uint64_t idle_wake;  /* of an idle processor */
    uint64_t idle_yield; /* with nobody to yield to */
};
extern struct machine_costs machine_costs;

/* How Linux 6.18 schedules: whoever has had least goes first. A task that has had less than the mean of those that want a
 * processor keeps its own when it yields and when another wakes, and is as far below the mean after a sleep as before.
 * Without it: whoever has waited for longest goes first, each yield gives way, a sleep brings CREDIT, and a task that wakes
 * takes a processor by PREEMPTS. */
extern bool machine_has_lag;

struct task {
    void (*step)(struct task *task); /* does something at once, and says how long that takes */
    void *owner;
    int bound; /* to this processor; -1: any */
    enum { ASLEEP, READY, RUNNING } state;
    enum { SPEND, YIELD, SLEEP } wish;
    uint64_t left;  /* of what it does */
    uint64_t until; /* asleep: when the clock wakes it; 0: never */
    uint64_t since; /* ready: since when */
    uint64_t *ran;  /* where its time is counted */
    uint64_t share; /* of processors that it has had; one that slept, a little less than who had least */
    uint64_t lag;   /* asleep, with lag: how far that was below the mean */
    bool keeps;     /* its processor, whoever wakes: the kernel switches once all are woken */
};

/* Within a step, one of these. */
void task_spend(struct task *task, uint64_t ns);
void task_yield(struct task *task);
void task_give_way(struct task *task);           /* a yield that takes no time: the end of a call that woke others */
void task_sleep(struct task *task, uint64_t ns); /* 0: until it is woken */

void task_add(struct task *task);
void task_wake(struct task *task);

uint64_t machine_now(void);
void machine_begin(int processors);

/* Calls do_it(argument, number) then. */
void machine_at(uint64_t time, void (*do_it)(void *argument, int number), void *argument, int number);

/* On every advance of time, by so much. */
extern void (*machine_watch)(uint64_t ns);

/* Until is_over() or the time is up; whether it is over. */
bool machine_run(bool (*is_over)(void), uint64_t most_ns);

/* The same numbers from the same seed. */
uint64_t random_next(uint64_t *seed);

#endif
