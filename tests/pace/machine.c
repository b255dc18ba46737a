/* SPDX-License-Identifier: BSD-3-Clause
 * See machine.h.
 */
#include "machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PROCESSORS 8
#define MOST_EVENTS     4096

static struct processor {
    struct task *task;
    uint64_t begun;     /* when what it does began, or went on */
    uint64_t slice_end;
} processors[MOST_PROCESSORS];
static int processor_count;

static struct task *tasks[MOST_TASKS];
static int task_count;

static struct event {
    uint64_t time;
    void (*do_it)(void *, int);
    void *argument;
    int number;
} events[MOST_EVENTS]; /* by time, the next one last */
static int event_count;

static uint64_t now;
struct machine_costs machine_costs = {.switch_task = 1500, .idle_wake = 10 * US, .idle_yield = 300};
bool machine_has_lag;
void (*machine_watch)(uint64_t ns);

uint64_t machine_now(void)
{
    return now;
}

uint64_t random_next(uint64_t *seed)
{
    uint64_t mixed = *seed += UINT64_C(0x9e3779b97f4a7c15);
    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
    return mixed ^ mixed >> 31;
}

void machine_begin(int count)
{
    memset(processors, 0, sizeof processors);
    processor_count = count;
    task_count = event_count = 0;
    now = 1;
}

void machine_at(uint64_t time, void (*do_it)(void *, int), void *argument, int number)
{
    int place = event_count++;
    if (event_count > MOST_EVENTS)
        abort();
    for (; place > 0 && events[place - 1].time <= time; place--)
        events[place] = events[place - 1];
    events[place] = (struct event){time, do_it, argument, number};
}

void task_spend(struct task *task, uint64_t ns)
{
    task->wish = SPEND;
    task->left = ns;
}

void task_yield(struct task *task)
{
    task->wish = YIELD;
    task->left = machine_costs.idle_yield;
}

void task_give_way(struct task *task)
{
    task->wish = YIELD;
    task->left = 0;
}

void task_sleep(struct task *task, uint64_t ns)
{
    task->wish = SLEEP;
    task->until = ns ? now + ns : 0;
}

static bool may_run(const struct task *task, int processor)
{
    return task->bound < 0 || task->bound == processor;
}

static void make_ready(struct task *task)
{
    static uint64_t turn;
    task->state = READY;
    task->since = ++turn;
}

/* Of two that are ready: with lag whoever has had less, else whoever has waited for longer. */
static bool goes_first(const struct task *one, const struct task *other)
{
    if (machine_has_lag && one->share != other->share)
        return one->share < other->share;
    return one->since < other->since;
}

static struct task *next_ready(int processor)
{
    struct task *first = NULL;
    for (int i = 0; i < task_count; i++)
        if (tasks[i]->state == READY && may_run(tasks[i], processor) && (!first || goes_first(tasks[i], first)))
            first = tasks[i];
    return first;
}

static void put_on(struct task *task, int processor, uint64_t cost)
{
    task->state = RUNNING;
    task->left += cost;
    processors[processor] = (struct processor){task, now, now + QUANTUM};
}

static void account(struct processor *processor)
{
    uint64_t ns = now - processor->begun;
    processor->begun = now;
    if (!processor->task)
        return;
    processor->task->left -= ns < processor->task->left ? ns : processor->task->left;
    *processor->task->ran += ns;
    processor->task->share += ns;
}

static void take_off(struct processor *processor)
{
    account(processor);
    make_ready(processor->task);
    processor->task = NULL;
}

static uint64_t least_share(void)
{
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < task_count; i++)
        if (tasks[i]->state != ASLEEP && tasks[i]->share < least)
            least = tasks[i]->share;
    return least == UINT64_MAX ? 0 : least;
}

/* Of the tasks that are not asleep, and of one that wakes. */
static uint64_t mean_share_with(const struct task *waking)
{
    uint64_t sum = 0, count = 0;
    for (int i = 0; i < task_count; i++)
        if (tasks[i]->state != ASLEEP || tasks[i] == waking) {
            sum += tasks[i]->share;
            count++;
        }
    return count ? sum / count : 0;
}

static uint64_t mean_share(void)
{
    return mean_share_with(NULL);
}

static void fall_asleep(struct task *task)
{
    uint64_t mean = mean_share(), lag = task->share < mean ? mean - task->share : 0;
    task->lag = lag < QUANTUM ? lag : QUANTUM;
    task->state = ASLEEP;
}

/* The share with which a task wakes, if its own is not larger. */
static uint64_t share_at_wake(const struct task *task)
{
    uint64_t share = machine_has_lag ? mean_share() : least_share(), less = machine_has_lag ? task->lag : CREDIT;
    return share < less ? 0 : share - less;
}

static bool gives_way(const struct task *task)
{
    return !machine_has_lag || task->share > mean_share();
}

static bool takes_from(const struct task *task, const struct task *other, uint64_t mean)
{
    if (other->keeps)
        return false;
    return machine_has_lag ? task->share <= mean && other->share > mean : other->share > task->share + PREEMPTS;
}

/* An idle processor, else the one whose task has had most; -1: none that it may take. */
static int place_for(const struct task *task)
{
    int best = -1;
    uint64_t mean = machine_has_lag ? mean_share_with(task) : 0;
    for (int i = 0; i < processor_count; i++) {
        account(&processors[i]);
        if (!may_run(task, i))
            continue;
        if (!processors[i].task)
            return i;
        if (takes_from(task, processors[i].task, mean) &&
            (best < 0 || processors[i].task->share > processors[best].task->share))
            best = i;
    }
    return best;
}

void task_wake(struct task *task)
{
    uint64_t least = share_at_wake(task);
    if (task->state != ASLEEP)
        return;
    task->share = task->share < least ? least : task->share;
    task->until = task->left = 0;
    int place = place_for(task);
    if (place < 0) {
        make_ready(task);
    } else if (!processors[place].task) {
        put_on(task, place, machine_costs.idle_wake);
    } else {
        take_off(&processors[place]);
        put_on(task, place, machine_costs.switch_task);
    }
}

void task_add(struct task *task)
{
    if (task_count == MOST_TASKS)
        abort();
    tasks[task_count++] = task;
    task->left = 0;
    make_ready(task);
}

/* The task on it has done what it did. */
static void next_step(struct processor *processor)
{
    struct task *task = processor->task, *other;
    task->wish = SPEND;
    task->step(task);
    bool is_on = processor->task == task; /* else one that it woke has taken its place */
    if (task->wish == SLEEP) {
        fall_asleep(task);
        processor->task = is_on ? NULL : processor->task;
    } else if (is_on && task->wish == YIELD && gives_way(task) && (other = next_ready((int)(processor - processors)))) {
        make_ready(task);
        processor->task = NULL;
        put_on(other, (int)(processor - processors), machine_costs.switch_task);
    }
}

static void fill(int i)
{
    struct task *task = processors[i].task ? NULL : next_ready(i);
    if (task)
        put_on(task, i, machine_costs.switch_task);
}

static void serve(int i)
{
    struct processor *processor = &processors[i];
    account(processor);
    if (processor->task && now >= processor->slice_end) {
        if (next_ready(i))
            take_off(processor);
        else
            processor->slice_end = now + QUANTUM;
    }
    while (processor->task && processor->task->left == 0)
        next_step(processor);
}

static uint64_t earlier(uint64_t one, uint64_t other)
{
    return one < other ? one : other;
}

static uint64_t next_time(void)
{
    uint64_t time = event_count ? events[event_count - 1].time : UINT64_MAX;
    for (int i = 0; i < processor_count; i++)
        if (processors[i].task)
            time = earlier(time, earlier(processors[i].begun + processors[i].task->left,
                                         processors[i].slice_end));
    for (int i = 0; i < task_count; i++)
        if (tasks[i]->state == ASLEEP && tasks[i]->until)
            time = earlier(time, tasks[i]->until);
    return time;
}

static void advance(uint64_t time)
{
    if (machine_watch)
        machine_watch(time - now);
    now = time;
    while (event_count && events[event_count - 1].time <= now) {
        struct event event = events[--event_count];
        event.do_it(event.argument, event.number);
    }
    for (int i = 0; i < task_count; i++)
        if (tasks[i]->state == ASLEEP && tasks[i]->until && tasks[i]->until <= now)
            task_wake(tasks[i]);
    for (int i = 0; i < processor_count; i++)
        serve(i);
    for (int i = 0; i < processor_count; i++)
        fill(i);
}

bool machine_run(bool (*is_over)(void), uint64_t most_ns)
{
    uint64_t end = now + most_ns;
    for (int i = 0; i < processor_count; i++)
        fill(i);
    while (!is_over()) {
        uint64_t time = next_time();
        if (time > end)
            return false;
        advance(time > now ? time : now);
    }
    return true;
}
