/* SPDX-License-Identifier: BSD-3-Clause
 * See wait.h.
 */
#include "core/wait.h"

#include "base/clock.h"
#include "base/os.h"
#include "base/patience.h"
#include "core/far.h"
#include "core/job.h"
#include "core/poll.h"
#include "core/team.h"

#include <dlfcn.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

__thread struct sheaf_call sheaf_call;
__thread uint32_t sheaf_wait_polls;
uint32_t sheaf_wait_spins;

/* Yields before the first sleep. With more PEs than CPUs a yield hands the CPU to a PE that has
 * work; else it only bridges short gaps. */
static uint32_t yields;
static struct sheaf_board *board;

/* Waits on variables that a plain store changes, where nobody can wake the sleeper: for how long
 * to yield, and then how long to sleep at a time, at most this part of the time already waited. */
static uint64_t yield_ns;
#define PART_OF_WAIT   16
#define SHORTEST_PAUSE (20 * SHEAF_MILLISECOND / 1000)
#define LONGEST_PAUSE  SHEAF_MILLISECOND
#define BOARD_AFTER    (50 * SHEAF_MILLISECOND)

void sheaf_wait_init(int pes, int cpus, struct sheaf_board *my_board)
{
    bool crowded = pes > cpus;
    sheaf_wait_spins = crowded ? 2 : 2000;
    yields = crowded ? 3 : 50;
    yield_ns = (crowded ? 5 : 1) * SHEAF_MILLISECOND;
    sheaf_patience_init(crowded);
    sheaf_poll_init(crowded);
    board = my_board;
}

void sheaf_wait_use_network(bool use)
{
    static uint32_t spins;
    if (use)
        spins = sheaf_wait_spins;
    sheaf_wait_spins = use ? 0 : spins;
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

/* Call sites are reported as file and offset, which addr2line understands. */
static void note_site(void)
{
    Dl_info info;
    board->site = (uint64_t)(uintptr_t)sheaf_call.site;
    board->site_base = 0;
    board->file[0] = '\0';
    if (sheaf_call.site && dladdr(sheaf_call.site, &info) && info.dli_fname) {
        board->site_base = (uint64_t)(uintptr_t)info.dli_fbase;
        snprintf(board->file, sizeof board->file, "%s", info.dli_fname);
    }
}

/* Of several threads that wait one is on the board; when it leaves another takes the place. */
static uint32_t board_taken;

static void enter_board(struct sheaf_wait *wait)
{
    if (!board || __atomic_exchange_n(&board_taken, 1, __ATOMIC_ACQUIRE) != 0)
        return;
    wait->on_board = true;
    begin_write();
    board->kind = wait->kind;
    board->since_ns = wait->since_ns;
    board->team = 0;
    if (wait->kind == SHEAF_WAIT_COLLECTIVE && wait->object)
        board->team = ((const struct sheaf_team *)wait->object)->block_offset;
    snprintf(board->call, sizeof board->call, "%s", sheaf_call.name ? sheaf_call.name : "");
    note_site();
    board->detail[0] = '\0';
    if (wait->describe)
        wait->describe(wait->object, board->detail, sizeof board->detail);
    end_write();
}

void sheaf_wait_leave_board(struct sheaf_wait *wait)
{
    wait->on_board = false;
    begin_write();
    board->kind = SHEAF_WAIT_NONE;
    end_write();
    sheaf_store_release(&board_taken, 0);
}

/* Returns how long this wait has been slow. */
static uint64_t watch_the_clock(struct sheaf_wait *wait)
{
    uint64_t now = sheaf_clock_ns();
    if (wait->since_ns == 0)
        wait->since_ns = now;
    else if (!wait->on_board && now - wait->since_ns > BOARD_AFTER)
        enter_board(wait);
    return now - wait->since_ns;
}

static void give_way(void)
{
    if (sheaf_network)
        sheaf_patience_yield();
    else
        sched_yield();
}

void sheaf_wait_yield(void)
{
    SHEAF_KEEP_ERRNO;
    if (sheaf_network) {
        sheaf_network->progress(true);
        if (sheaf_wait_polls < sheaf_load_relaxed(&sheaf_patience))
            return;
    }
    sheaf_wait_polls = 0;
    give_way();
}

/* What the network brings rarely is the last of its kind: so long a wait yields before its next nap. A
 * PE that naps between gets of another, 15 us apart, leaves half of them to the thread, 3 us later.
 * Counted in yields instead, 128 PEs on a CPU would go round for seconds. */
#define NEWS_NS 100000

static bool is_recent(const struct sheaf_wait *wait, uint64_t now)
{
    return now - wait->news_ns < NEWS_NS;
}

static void note_news(struct sheaf_wait *wait, uint64_t now)
{
    wait->turns = 0;
    wait->news_ns = now;
}

/* One turn of the network. Whether that was all that this step of a wait should do. */
static bool network_turn(struct sheaf_wait *wait)
{
    SHEAF_KEEP_ERRNO;
    if (sheaf_network->progress(wait->kind == SHEAF_WAIT_VARIABLE))
        note_news(wait, sheaf_clock_ns());
    return wait->turns++ < sheaf_load_relaxed(&sheaf_patience);
}

static void nap(struct sheaf_wait *wait, uint64_t ns)
{
    struct timespec pause = {.tv_nsec = (long)ns};
    if (!sheaf_network) {
        nanosleep(&pause, NULL);
        return;
    }
    uint64_t begin = sheaf_clock_ns();
    sheaf_network->sleep(ns);
    uint64_t now = sheaf_clock_ns();
    if (now - begin < ns)
        note_news(wait, now);
}

void sheaf_wait_slow(struct sheaf_wait *wait)
{
    SHEAF_KEEP_ERRNO;
    wait->steps = sheaf_wait_spins;
    if (sheaf_network && network_turn(wait))
        return;
    uint64_t waited = watch_the_clock(wait);
    if (waited < yield_ns || is_recent(wait, wait->since_ns + waited)) {
        give_way();
        return;
    }
    uint64_t pause_ns = waited / PART_OF_WAIT;
    if (pause_ns < SHORTEST_PAUSE)
        pause_ns = SHORTEST_PAUSE;
    if (pause_ns > LONGEST_PAUSE)
        pause_ns = LONGEST_PAUSE;
    nap(wait, pause_ns);
}

/* Without a progress thread peers are served by whoever waits, so nobody sleeps for long. */
static uint64_t longest_sleep(const struct sheaf_wait *wait)
{
    if (sheaf_network && sheaf_job.settings.progress == SHEAF_PROGRESS_NONE)
        return SHEAF_MILLISECOND;
    return wait->on_board ? 0 : BOARD_AFTER + SHEAF_MILLISECOND;
}

/* A sleeper counts itself first and the kernel compares the word again before it sleeps; the
 * waker stores the word first and then looks at the count: one of them sees the other. */
static void sleep_on(uint32_t *word, uint32_t *sleepers, uint32_t old, struct sheaf_wait *wait)
{
    SHEAF_KEEP_ERRNO;
    watch_the_clock(wait);
    __atomic_fetch_add(sleepers, 1, __ATOMIC_SEQ_CST);
    if (sheaf_load_acquire(word) == old)
        sheaf_os_futex_wait(word, old, longest_sleep(wait));
    __atomic_fetch_sub(sleepers, 1, __ATOMIC_RELAXED);
}

uint32_t sheaf_wait_word(uint32_t *word, uint32_t *sleepers, uint32_t old, struct sheaf_wait *wait)
{
    uint32_t now;
    while ((now = sheaf_load_acquire(word)) == old) {
        if (sheaf_likely(wait->steps++ < sheaf_wait_spins))
            sheaf_cpu_relax();
        else if (sheaf_network && network_turn(wait))
            wait->steps = 0;
        else if (wait->steps - sheaf_wait_spins < yields)
            give_way();
        else
            sleep_on(word, sleepers, old, wait);
    }
    return now;
}

void sheaf_wait_wake(uint32_t *word, uint32_t *sleepers)
{
    sheaf_fence_full();
    if (sheaf_unlikely(sheaf_load_relaxed(sleepers) != 0))
        sheaf_os_futex_wake(word);
}
