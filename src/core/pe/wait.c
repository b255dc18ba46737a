/* SPDX-License-Identifier: BSD-3-Clause
 * See wait.h.
 */
#include "core/pe/wait.h"

#include "base/clock.h"
#include "base/os/os.h"
#include "base/pace/processor.h"
#include "base/probe.h"
#include "base/times.h"
#include "core/pe/network.h"
#include "core/pe/record.h"

#include <dlfcn.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

__thread uint32_t sheaf_wait_polls;
uint32_t sheaf_wait_spins;

static struct sheaf_board *board;
static sheaf_wait_check *check_team;
static uint32_t *deaths; /* NULL: deaths are not reported */
static sheaf_wait_on_death *on_death;

void sheaf_wait_init(int pes, int cpus, struct sheaf_board *my_board)
{
    bool is_outnumbered = pes > cpus;
    sheaf_pace_init(&sheaf_pace_here, is_outnumbered);
    sheaf_pace_here.processors = is_outnumbered ? (uint32_t)cpus : 0;
    sheaf_wait_spins = sheaf_pace_spins(&sheaf_pace_here);
    board = my_board;
}

void sheaf_wait_set_check(sheaf_wait_check *check)
{
    check_team = check;
}

void sheaf_wait_watch_deaths(uint32_t *count, sheaf_wait_on_death *heed)
{
    on_death = heed;
    deaths = count;
}

void sheaf_wait_choose_spins(void)
{
    sheaf_wait_spins = sheaf_pace_spins(&sheaf_pace_here);
}

static void begin_write(void)
{
    sheaf_store_relaxed(&board->sequence, board->sequence + 1);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

static void end_write(void)
{
    sheaf_store_release(&board->sequence, board->sequence + 1);
}

/* A call site is reported as file and offset, which addr2line understands. */
static void write_site(void)
{
    Dl_info info;
    const void *site = sheaf_call.statement ? sheaf_call.statement_site : sheaf_call.site;
    board->site = (uint64_t)(uintptr_t)site;
    board->site_base = 0;
    board->file[0] = '\0';
    board->source[0] = '\0';
    sheaf_record_source(board->site, board->source, sizeof board->source);
    if (site && dladdr(site, &info) && info.dli_fname) {
        board->site_base = (uint64_t)(uintptr_t)info.dli_fbase;
        snprintf(board->file, sizeof board->file, "%s", info.dli_fname);
    }
}

/* Of several waiting threads one is on the board; when its wait ends another may enter. */
static uint32_t board_is_taken;

static uint64_t described_ns;

static void describe_wait(const struct sheaf_wait *wait, char text[sizeof board->detail])
{
    text[0] = '\0';
    if (wait->describe)
        wait->describe(wait->object, text, sizeof board->detail);
    described_ns = sheaf_clock_ns();
}

/* The awaited value may change on its way. A description that stays the same leaves the board as it is:
 * a reader that looks for a stall compares the board's sequence. */
static void describe_again(const struct sheaf_wait *wait)
{
    char text[sizeof board->detail];
    describe_wait(wait, text);
    if (strcmp(text, board->detail) == 0)
        return;
    begin_write();
    snprintf(board->detail, sizeof board->detail, "%s", text);
    end_write();
}

static void enter_board(struct sheaf_wait *wait)
{
    bool has_lost = deaths && sheaf_load_relaxed(deaths) != 0; /* survivors may be in different calls */
    if (wait->kind == SHEAF_WAIT_COLLECTIVE && check_team && !has_lost)
        check_team(wait->object);
    if (!board || __atomic_exchange_n(&board_is_taken, 1, __ATOMIC_ACQUIRE) != 0)
        return;
    wait->on_board = true;
    begin_write();
    sheaf_store_relaxed(&board->since_ns, wait->pace.since_ns);
    sheaf_store_release(&board->kind, (uint32_t)wait->kind); /* partner: job_report/judge.c */
    board->team = 0;
    if (wait->kind == SHEAF_WAIT_COLLECTIVE && wait->object)
        board->team = *(const uint64_t *)wait->object;
    board->object = wait->position;
    const char *name = sheaf_call.statement ? sheaf_call.statement : sheaf_call.name;
    snprintf(board->call, sizeof board->call, "%s", name ? name : "");
    write_site();
    describe_wait(wait, board->detail);
    end_write();
}

void sheaf_wait_leave(struct sheaf_wait *wait)
{
    SHEAF_PROBE2(wait_end, wait->kind, wait->object);
    if (wait->record)
        sheaf_record_end(wait->record);
    wait->record = NULL;
    wait->is_slow = false;
    if (!wait->on_board)
        return;
    wait->on_board = false;
    begin_write();
    sheaf_store_relaxed(&board->kind, (uint32_t)SHEAF_WAIT_NONE);
    end_write();
    sheaf_store_release(&board_is_taken, 0);
}

void sheaf_wait_announce(const void *team, uint64_t progress)
{
    static __thread struct sheaf_wait announced;
    SHEAF_KEEP_ERRNO;
    if (announced.position != progress) {
        if (announced.is_slow)
            sheaf_wait_leave(&announced);
        announced = (struct sheaf_wait){.kind = SHEAF_WAIT_COLLECTIVE, .object = team, .position = progress,
                                        .is_slow = true, .pace.since_ns = sheaf_clock_ns()};
    }
    if (progress && !announced.on_board)
        enter_board(&announced);
}

/* The time of a yield is measured for a network only; without one the clock is not read. */
static void yield_processor(void)
{
    if (sheaf_network)
        sheaf_processor_yield();
    else
        sched_yield();
}

void sheaf_wait_yield(void)
{
    SHEAF_KEEP_ERRNO;
    if (sheaf_network) {
        struct sheaf_pace_wait polls = {.idle = sheaf_wait_polls};
        sheaf_network->progress(true);
        if (sheaf_pace_looks_on(&sheaf_pace_here, &polls))
            return;
    }
    sheaf_wait_polls = 0;
    yield_processor();
}

void sheaf_wait_polled_long(void)
{
    sheaf_record_poll();
    sheaf_wait_yield();
}

static void restart_idle(struct sheaf_wait *wait)
{
    wait->pace.idle = 0;
    wait->pace.news_ns = sheaf_clock_ns();
}

static bool progress_engine(const struct sheaf_wait *wait)
{
    if (wait->kind == SHEAF_WAIT_FAR)
        return sheaf_network->work(wait->stream);
    return sheaf_network && sheaf_network->progress(wait->kind == SHEAF_WAIT_VARIABLE);
}

/* Lets the engine work. Returns whether to look again at once. */
static bool progress_and_look(struct sheaf_wait *wait)
{
    SHEAF_KEEP_ERRNO;
    if (progress_engine(wait))
        restart_idle(wait);
    return sheaf_pace_looks_on(&sheaf_pace_here, &wait->pace);
}

/* Waits for far PEs are not recorded, since they are many and short. Waits of collectives are part of
 * the collective's entry. */
static void record_slow(struct sheaf_wait *wait)
{
    SHEAF_PROBE2(wait_begin, wait->kind, wait->object);
    wait->is_slow = true;
    if (wait->kind == SHEAF_WAIT_VARIABLE || wait->kind == SHEAF_WAIT_LOCK)
        wait->record = sheaf_record_begin(0, 0, 0, SHEAF_RECORD_NO_ROOT);
}

static void check_deaths(struct sheaf_wait *wait)
{
    uint32_t now = sheaf_load_acquire(deaths);
    if (now == wait->deaths)
        return;
    wait->deaths = now;
    if (!wait->bears_deaths)
        on_death(wait);
}

/* Keeps the waiter awake while the engine has work to continue: the progress thread would continue it
 * only after its sleep. */
static void keep_awake(struct sheaf_pace_next *next)
{
    if (next->step == SHEAF_PACE_SLEEP && sheaf_network && sheaf_network->needs_turns())
        next->step = SHEAF_PACE_YIELD;
}

static struct sheaf_pace_next next_step(struct sheaf_wait *wait, enum sheaf_pace_end end)
{
    uint64_t now = sheaf_clock_ns();
    struct sheaf_pace_next next = sheaf_pace_wait_next(&sheaf_pace_here, &wait->pace, end, now);
    keep_awake(&next);
    if (!wait->is_slow)
        record_slow(wait);
    if (sheaf_unlikely(deaths != NULL))
        check_deaths(wait);
    if (!wait->on_board && now - wait->pace.since_ns > sheaf_pace_table.board_after)
        enter_board(wait);
    else if (wait->on_board && now - described_ns > sheaf_times.board_again)
        describe_again(wait);
    return next;
}

void sheaf_wait_slow(struct sheaf_wait *wait)
{
    SHEAF_KEEP_ERRNO;
    wait->steps = sheaf_wait_spins;
    if (progress_and_look(wait))
        return;
    bool is_far = wait->kind == SHEAF_WAIT_FAR;
    struct sheaf_pace_next next = next_step(wait, is_far ? SHEAF_PACE_ANSWER : SHEAF_PACE_STORE);
    if (next.step == SHEAF_PACE_YIELD)
        yield_processor();
    else if (next.by_clock)
        sheaf_processor_sleep(next.ns);
    else if (sheaf_network->sleep(wait->stream, is_far, next.ns))
        restart_idle(wait);
}

/* Limits the first sleep, so that the waiter wakes once to enter the board. */
static uint64_t longest_sleep(const struct sheaf_wait *wait, uint64_t ns)
{
    uint64_t board_ns = sheaf_pace_table.board_after + SHEAF_MILLISECOND;
    return wait->on_board || (ns != 0 && ns < board_ns) ? ns : board_ns;
}

/* The sleeper first counts itself, and then the kernel compares the word again before it sleeps. The
 * waker first stores the word, and then reads the count. So one of the two sees the other's store. */
static void sleep_on(uint32_t *word, uint32_t *sleepers, uint32_t old, uint64_t ns, uint32_t *other,
                     uint32_t old_other)
{
    SHEAF_KEEP_ERRNO;
    __atomic_fetch_add(sleepers, 1, __ATOMIC_SEQ_CST);
    if (sheaf_load_acquire(word) == old && other)
        sheaf_os_futex_wait_two(word, old, other, old_other, ns);
    else if (sheaf_load_acquire(word) == old)
        sheaf_os_futex_wait(word, old, ns);
    __atomic_fetch_sub(sleepers, 1, __ATOMIC_RELAXED);
}

static void step_word(uint32_t *word, uint32_t *sleepers, uint32_t old, struct sheaf_wait *wait)
{
    if (progress_and_look(wait))
        return;
    uint32_t known_deaths = wait->deaths;
    struct sheaf_pace_next next = next_step(wait, SHEAF_PACE_WAKER);
    if (sheaf_unlikely(wait->deaths != known_deaths))
        return;
    if (next.step == SHEAF_PACE_LOOK)
        sheaf_cpu_relax();
    else if (next.step == SHEAF_PACE_YIELD)
        yield_processor();
    else
        sleep_on(word, sleepers, old, longest_sleep(wait, next.ns), deaths, wait->deaths);
}

static inline void turn_word(uint32_t *word, uint32_t *sleepers, uint32_t old, struct sheaf_wait *wait)
{
    if (sheaf_likely(wait->steps < sheaf_wait_spins)) {
        wait->steps++;
        sheaf_cpu_relax();
    } else {
        step_word(word, sleepers, old, wait);
    }
}

void sheaf_wait_turn(uint32_t *word, uint32_t *sleepers, uint32_t old, struct sheaf_wait *wait)
{
    turn_word(word, sleepers, old, wait);
}

void sheaf_wait_turn_beside(uint32_t *word, uint32_t *sleepers, uint32_t old, uint32_t *other,
                            uint32_t old_other, struct sheaf_wait *wait)
{
    if (progress_and_look(wait))
        return;
    struct sheaf_pace_next next = next_step(wait, SHEAF_PACE_WAKER);
    if (next.step == SHEAF_PACE_YIELD)
        yield_processor();
    else
        sleep_on(word, sleepers, old, longest_sleep(wait, next.ns), other, old_other);
}

uint32_t sheaf_wait_word(uint32_t *word, uint32_t *sleepers, uint32_t old, struct sheaf_wait *wait)
{
    uint32_t now;
    while ((now = sheaf_load_acquire(word)) == old)
        turn_word(word, sleepers, old, wait);
    return now;
}

uint64_t sheaf_wait_step_word(union sheaf_step *step, uint32_t *sleepers, uint32_t old,
                              struct sheaf_wait *wait)
{
    uint64_t now;
    while ((uint32_t)(now = sheaf_load_acquire(&step->both)) == old)
        turn_word(&step->number, sleepers, old, wait);
    return now;
}

void sheaf_wait_wake(uint32_t *word, uint32_t *sleepers)
{
    sheaf_fence_full();
    if (sheaf_unlikely(sheaf_load_relaxed(sleepers) != 0))
        sheaf_os_futex_wake(word);
}
