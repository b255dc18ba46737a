/* SPDX-License-Identifier: BSD-3-Clause
 * See process.h.
 */
#include "process.h"

#include <stdlib.h>
#include <string.h>

/* In ns. */
#define TURN     300
#define TAKE     1000
#define SEND     4000
#define LEAVES   1500 /* after so long of a send the message is there */
#define COPY_64K 14000
#define SPIN     20
#define LOOK     5000 /* of the thread, with what its wake costs the processor */
#define WAKE     3000
#define FUTEX    1500 /* for each whom it wakes */
#define CHUNK    (20 * US)

struct process processes[MOST_PROCESSES];
int process_count;
static uint64_t met, epoch; /* of MEET */
static uint64_t epoch_sleepers;

static void nudge(struct process *process)
{
    bool was_awake = process->thread_state == AWAKE;
    process->thread_state = AWAKE;
    if (!was_awake)
        task_wake(&process->thread);
}

static void wake_sleeper(struct process *process)
{
    process->news++;
    if (process->is_in_sleep)
        task_wake(&process->program);
}

/* The kernel has a message for it. */
static void arrive(void *argument, int from)
{
    struct process *process = argument;
    struct message *message = &process->inbox[process->arrived];
    message->from = from & 0xff;
    message->kind = (from >> 8) & 0xff;
    message->amount = (uint64_t)(from >> 16);
    if (++process->arrived == 256)
        abort();
    if (process->is_in_sleep && process->is_on_descriptor)
        task_wake(&process->program);
    if (process->thread.state == ASLEEP &&
        (process->thread_state == SLEEPS || process->thread_state == LINGERS)) {
        process->word = TOLD;
        task_wake(&process->thread);
    }
}

static uint64_t post(struct process *from, int to, int kind, uint64_t amount)
{
    machine_at(machine_now() + LEAVES, arrive, &processes[to],
               from->number | kind << 8 | (int)(amount << 16));
    return SEND;
}

static uint64_t looks_in(const struct process *process)
{
    switch (process->thread_state) {
    case AWAKE:
        return 0;
    case NAPS:
        return process->nap_ns;
    case LINGERS:
        return sheaf_pace_table.batch_age;
    default:
        return UINT64_MAX;
    }
}

static void settle_held(struct process *process)
{
    if (process->held_turns)
        sheaf_pace_held(&process->held, machine_now() - process->held_since);
    process->held_turns = 0;
    process->idle_since = 0;
}

/* An acknowledgement travels with a put to the same process: their number. */
static uint64_t take_along(struct process *process, int to)
{
    int count = process->owed[to];
    process->owed[to] = 0;
    process->owes -= count;
    if (count > 0 && process->owes == 0)
        settle_held(process);
    return (uint64_t)count;
}

static uint64_t acknowledge(struct process *process)
{
    uint64_t cost = 0;
    settle_held(process);
    for (int i = 0; i < process_count; i++)
        if (process->owed[i]) {
            cost += post(process, i, ARRIVED_ACKNOWLEDGEMENT, (uint64_t)process->owed[i]);
            process->owed[i] = 0;
        }
    process->owes = 0;
    return cost;
}

static bool awaits_next(struct process *process)
{
    uint64_t idle_ns = process->idle_since ? machine_now() - process->idle_since : 0;
    if (process->held_turns == 0)
        return false;
    bool waits = sheaf_pace_awaits_next(&process->next, idle_ns, looks_in(process));
    if (waits && !process->idle_since)
        process->idle_since = machine_now();
    else if (!waits && process->idle_since)
        sheaf_pace_awaited_next(&process->next, false);
    return waits;
}

static bool holds_back(struct process *process, bool any)
{
    if (!any)
        return awaits_next(process);
    if (process->idle_since)
        sheaf_pace_awaited_next(&process->next, true);
    process->idle_since = 0;
    if (!sheaf_pace_holds_back(&process->held, process->held_turns, looks_in(process)))
        return false;
    if (process->held_turns++ == 0)
        process->held_since = machine_now();
    return true;
}

static uint64_t copy_of(uint64_t bytes)
{
    return TAKE + bytes * COPY_64K / 65536;
}

static uint64_t take_data(struct process *process, uint64_t kib, bool is_thread)
{
    process->answered++;
    if (process->is_delegated) {
        process->is_delegated = false;
        sheaf_pace_left(&process->gets,
                        is_thread && process->activity == process->calls + process->polls);
    }
    return copy_of(kib << 10);
}

static uint64_t take(struct process *process, const struct message *message, bool is_thread)
{
    switch (message->kind) {
    case ARRIVED_PUT:
        process->value++;
        process->owed[message->from]++;
        process->owes++;
        process->acknowledged += message->amount;
        return TAKE;
    case ARRIVED_GET:
        return TAKE + post(process, message->from, ARRIVED_DATA, message->amount);
    case ARRIVED_DATA:
        return take_data(process, message->amount, is_thread);
    default:
        process->acknowledged += message->amount;
        return TAKE;
    }
}

/* A turn of the network; whether anything happened. */
static bool turn(struct process *process, bool may_reply, bool is_thread, uint64_t *cost)
{
    int count = process->arrived;
    bool any = count > 0;
    *cost = TURN;
    for (int i = 0; i < count; i++)
        *cost += take(process, &process->inbox[i], is_thread);
    process->arrived = 0;
    if (any) {
        bool is_needless = !is_thread && process->thread_state == SLEEPS;
        if (sheaf_pace_wakes_needlessly(&process->needless_wakes, is_needless))
            nudge(process);
    }
    if (process->owes && !(may_reply && holds_back(process, any)))
        *cost += acknowledge(process);
    return any;
}

/* Returns what that costs. */
static uint64_t meet(struct process *process)
{
    process->target = epoch + 1;
    if (++met < (uint64_t)process_count)
        return SPIN;
    uint64_t cost = SPIN + epoch_sleepers * FUTEX;
    met = 0;
    epoch++;
    for (int i = 0; i < process_count && epoch_sleepers; i++)
        wake_sleeper(&processes[i]);
    return cost;
}

static void ask(struct process *process, const struct step *step)
{
    process->asked++;
    post(process, step->peer, ARRIVED_GET, step->operation == GET ? 0 : step->amount >> 10);
    if (step->operation == GET)
        return;
    process->is_delegated =
        sheaf_pace_leaves(&process->gets, step->amount, sheaf_pace_table.get_left);
    process->activity = process->calls + process->polls;
    process->is_handed_over |= process->is_delegated;
    if (process->is_delegated)
        nudge(process);
}

/* Begins an operation, and returns what the call costs. */
static uint64_t begin(struct process *process, const struct step *step)
{
    process->wait = (struct sheaf_pace_wait){0};
    process->spins = 0;
    process->holds_lock = false;
    switch (step->operation) {
    case COMPUTE:
        process->target = machine_now() + step->amount;
        return step->amount < CHUNK ? step->amount : CHUNK;
    case PUT:
        process->calls++;
        process->sent++;
        process->holds_lock = true;
        return post(process, step->peer, ARRIVED_PUT, take_along(process, step->peer));
    case GET:
    case GET_NBI:
        process->calls++;
        process->holds_lock = true;
        ask(process, step);
        return SEND;
    case STORE:
        processes[step->peer].value++;
        return SPIN;
    case MEET:
        return meet(process);
    case AWAIT:
        process->taken_value += step->amount;
        return SPIN;
    default:
        return SPIN;
    }
}

static bool is_done(const struct process *process, const struct step *step)
{
    switch (step->operation) {
    case COMPUTE:
        return machine_now() >= process->target;
    case AWAIT:
        return process->value >= process->taken_value;
    case QUIET:
        return process->acknowledged == process->sent && process->answered == process->asked;
    case GET:
        return process->answered == process->asked;
    case MEET:
        return epoch >= process->target;
    default:
        return true;
    }
}

static enum sheaf_pace_end end_of(enum operation operation)
{
    return operation == MEET ? SHEAF_PACE_WAKER
           : operation == AWAIT ? SHEAF_PACE_STORE : SHEAF_PACE_ANSWER;
}

/* Until something arrives: with the thread's help, or on the own descriptor for an answer. */
static void sleep_told(struct process *process, enum sheaf_pace_end end, uint64_t ns)
{
    process->is_in_sleep = true;
    process->is_on_descriptor = end == SHEAF_PACE_ANSWER;
    epoch_sleepers += end == SHEAF_PACE_WAKER;
    if (end == SHEAF_PACE_STORE && process->thread_state == NAPS)
        nudge(process);
    bool is_there = end == SHEAF_PACE_ANSWER && process->arrived;
    if (is_there || (end == SHEAF_PACE_WAKER && epoch >= process->target))
        task_spend(&process->program, TURN);
    else
        task_sleep(&process->program, ns);
}

static void give_way(struct process *process, enum sheaf_pace_end end)
{
    struct sheaf_pace_next next =
        sheaf_pace_wait_next(&process->pace, &process->wait, end, machine_now());
    if (next.step == SHEAF_PACE_YIELD) {
        process->yield_begun = machine_now();
        task_yield(&process->program);
    } else if (next.by_clock) {
        task_sleep(&process->program, next.ns);
    } else {
        sleep_told(process, end, next.ns);
    }
}

static void come_back(struct process *process, enum operation operation)
{
    if (process->yield_begun && process->pace.has_network) {
        sheaf_pace_yielded(&process->pace, machine_now() - process->yield_begun);
        process->learned++;
    }
    process->yield_begun = 0;
    epoch_sleepers -= process->is_in_sleep && operation == MEET;
    process->is_in_sleep = false;
}

/* A look that brings nothing, or a turn; and what comes after it. */
static void look(struct process *process, const struct step *step)
{
    uint64_t cost = SPIN;
    if (process->spins < sheaf_pace_spins(&process->pace)) {
        process->spins++;
        task_spend(&process->program, SPIN);
        return;
    }
    if (process->pace.has_network && !process->has_polled) {
        process->has_polled = true;
        process->polls++;
        if (turn(process, step->operation == AWAIT, false, &cost)) {
            process->wait.idle = 0;
            process->wait.news_ns = machine_now();
        }
        task_spend(&process->program, cost);
        return;
    }
    process->has_polled = false;
    if (sheaf_pace_looks_on(&process->pace, &process->wait))
        task_spend(&process->program, SPIN);
    else
        give_way(process, end_of(step->operation));
}

static void step_program(struct task *task)
{
    struct process *process = task->owner;
    const struct step *step = &process->steps[process->step_at];
    come_back(process, step->operation);
    if (process->is_over) {
        task_sleep(task, 0);
    } else if (!process->is_in_step) {
        process->is_in_step = true;
        task_spend(task, begin(process, step));
    } else if (is_done(process, step)) {
        process->is_in_step = process->has_polled = process->holds_lock = false;
        process->step_at = (process->step_at + 1) % process->step_count;
        process->rounds_done += process->step_at == 0;
        process->is_over = process->rounds_done == process->rounds;
        task_spend(task, SPIN);
    } else if (step->operation == COMPUTE) {
        uint64_t rest = process->target - machine_now();
        task_spend(task, rest < CHUNK ? rest : CHUNK);
    } else {
        look(process, step);
    }
}

static enum sheaf_pace_found look_after(struct process *process, bool has_polled, uint64_t *cost)
{
    bool any = false;
    *cost = LOOK;
    if (has_polled && !process->is_handed_over && !process->is_in_sleep)
        return SHEAF_FOUND_PROGRAM;
    if (process->holds_lock)
        return SHEAF_FOUND_TAKEN;
    process->is_handed_over = false;
    any = turn(process, false, true, cost);
    *cost += LOOK;
    if (any && process->is_in_sleep)
        wake_sleeper(process);
    return any ? SHEAF_FOUND_WORK : SHEAF_FOUND_NOTHING;
}

static void nap(struct process *process, uint64_t ns)
{
    process->thread_state = NAPS;
    process->nap_ns = ns;
    process->nap_begun = machine_now();
    process->nap_ran = process->ran;
    task_sleep(&process->thread, ns);
}

/* What has nudged it, or arrived, since it looked makes it look again. */
static void rest(struct process *process, struct sheaf_pace_rest rest)
{
    bool is_nudged = process->thread_state == AWAKE;
    bool is_slept_on = process->look.found == SHEAF_FOUND_PROGRAM && process->is_in_sleep;
    bool is_armed = process->arrived == 0;
    if (is_nudged || rest.how == SHEAF_REST_NOT) {
        task_spend(&process->thread, TURN);
    } else if (rest.how == SHEAF_REST_NAP && !is_slept_on) {
        nap(process, rest.ns);
    } else if (rest.how != SHEAF_REST_NAP && is_armed) {
        process->thread_state = rest.how == SHEAF_REST_LINGER ? LINGERS : SLEEPS;
        task_sleep(&process->thread, rest.ns);
    } else {
        task_spend(&process->thread, TURN);
    }
}

/* Of naps that nobody ended. */
static void learn(struct process *process)
{
    if (process->nap_begun && process->thread_state == NAPS) {
        sheaf_pace_napped(&process->pace, process->nap_ns, machine_now() - process->nap_begun,
                          process->ran - process->nap_ran);
        process->learned++;
    }
    process->nap_begun = 0;
}

/* A message that the program has taken wakes the thread in the kernel alone. Returns whether it
 * slept on. */
static bool sleeps_on(struct process *process)
{
    if (process->word == TOLD) {
        process->word = IN_KERNEL;
        task_spend(&process->thread, WAKE);
        return true;
    }
    bool is_needless =
        process->word == IN_KERNEL && process->arrived == 0 && process->thread_state == SLEEPS;
    process->word = UNTOLD;
    if (is_needless)
        task_sleep(&process->thread, sheaf_pace_table.look_every);
    return is_needless;
}

static void look_around(struct process *process)
{
    uint64_t cost;
    learn(process);
    process->thread_state = SLEEPS;
    bool has_polled = process->polls != process->polls_seen;
    bool is_active = has_polled || process->calls != process->calls_seen;
    process->polls_seen = process->polls;
    process->calls_seen = process->calls;
    process->look = (struct sheaf_pace_look){.found = look_after(process, has_polled, &cost),
                                             .is_active = is_active};
    process->has_looked = true;
    task_spend(&process->thread, cost);
}

static void step_thread(struct task *task)
{
    struct process *process = task->owner;
    if (process->has_looked) {
        process->has_looked = false;
        rest(process, sheaf_pace_thread_next(&process->pace, &process->pacing, &process->look,
                                             machine_now()));
    } else if (!sleeps_on(process)) {
        look_around(process);
    }
}

/* A program that waits takes messages by itself, unless it sleeps. */
static void watch_neglect(uint64_t ns)
{
    for (int i = 0; i < process_count; i++) {
        struct process *process = &processes[i];
        bool computes = process->is_over || (process->is_in_step &&
                        process->steps[process->step_at].operation == COMPUTE);
        bool is_alone = process->program.state == ASLEEP || computes;
        bool is_neglected = process->arrived && is_alone && process->thread.state == ASLEEP;
        process->neglect = is_neglected ? process->neglect + ns : 0;
        if (process->neglect > process->most_neglect)
            process->most_neglect = process->neglect;
        process->level_changes += process->level_before != process->pace.level;
        process->level_before = process->pace.level;
        process->was_crowded |= process->pace.level == SHEAF_CROWDED;
    }
}

static bool are_over(void)
{
    for (int i = 0; i < process_count; i++)
        if (!processes[i].is_over)
            return false;
    return true;
}

void processes_begin(int processors, int count, bool is_far, bool is_outnumbered)
{
    memset(processes, 0, sizeof processes);
    process_count = count;
    met = epoch = epoch_sleepers = 0;
    machine_begin(processors);
    machine_watch = watch_neglect;
    for (int i = 0; i < count; i++) {
        struct process *process = &processes[i];
        sheaf_pace_init(&process->pace, is_outnumbered);
        sheaf_pace_use_network(&process->pace, is_far, is_far);
        sheaf_pace_left_begin(&process->gets);
        process->number = i;
        process->level_before = process->pace.level;
        process->program = (struct task){
            .step = step_program, .owner = process, .bound = i % processors, .ran = &process->ran};
        process->thread =
            (struct task){.step = step_thread, .owner = process, .bound = -1, .ran = &process->ran};
        task_add(&process->program);
        if (is_far)
            task_add(&process->thread);
    }
}

void process_program(int number, const struct step *steps, int count, uint64_t rounds)
{
    processes[number].steps = steps;
    processes[number].step_count = count;
    processes[number].rounds = rounds;
}

uint64_t processes_run(void)
{
    uint64_t begun = machine_now();
    return machine_run(are_over, 60000 * MS) ? machine_now() - begun : 0;
}
