/* SPDX-License-Identifier: BSD-3-Clause
 *
 * core/pe/wait.c with a clock, a scheduler, futexes and a network that are imitated: when a wait looks
 * again, yields, sleeps and is on the board, and that no wake-up is lost. How long each lasts is
 * tests/pace's.
 */
#include "unit.h"

#include "base/clock.h"
#include "base/os/os.h"
#include "base/pace/processor.h"
#include "core/access/checked.h"
#include "core/pe/poll.h"
#include "core/pe/record.h"
#include "core/pe/wait.h"

#include <sched.h>

/* A section for the linker to name. */
static const char name[] SHEAF_CALL_NAME __attribute__((used)) = "call";

/* What wait.c needs of others. Every yield takes 1 ms, every sleep what it was asked for. */
struct sheaf_pace sheaf_pace_here;
static uint64_t now_ns = SHEAF_SECOND;
static int yields, polite_yields, clock_sleeps, futex_waits, futex_wakes, turns, network_sleeps;
static uint64_t slept_ns;
static uint32_t word, sleepers, sleepers_seen;
static bool has_news, has_data_moving;

int clock_gettime(clockid_t clock, struct timespec *time)
{
    (void)clock;
    *time = (struct timespec){(time_t)(now_ns / SHEAF_SECOND), (long)(now_ns % SHEAF_SECOND)};
    return 0;
}

int sched_yield(void)
{
    yields++;
    now_ns += SHEAF_MILLISECOND;
    return 0;
}

void sheaf_processor_yield(void)
{
    polite_yields++;
    now_ns += SHEAF_MILLISECOND;
}

void sheaf_processor_sleep(uint64_t ns)
{
    clock_sleeps++;
    slept_ns = ns;
    now_ns += ns;
}

/* Somebody stores the word when the sleeper has slept three times. */
void sheaf_os_futex_wait(uint32_t *at, uint32_t expected, uint64_t ns)
{
    CHECK(at == &word && expected == 5 && word == 5);
    sleepers_seen = sleepers;
    slept_ns = ns;
    now_ns += ns;
    if (++futex_waits == 3)
        word = 6;
}

/* Deaths of PEs are watched for where a program asks for that; nobody does here. */
void sheaf_os_futex_wait_two(uint32_t *at, uint32_t expected, uint32_t *other, uint32_t expected_other, uint64_t ns)
{
    (void)other;
    (void)expected_other;
    CHECK(!"two words are watched");
    sheaf_os_futex_wait(at, expected, ns);
}

void sheaf_os_futex_wake(uint32_t *at)
{
    CHECK(at == &word);
    futex_wakes++;
}

static bool progress(bool may_reply)
{
    (void)may_reply;
    turns++;
    now_ns += 1000;
    return has_news;
}

static bool sleep_in_network(sheaf_engine_context *context, bool is_work, uint64_t ns)
{
    (void)context, (void)is_work;
    network_sleeps++;
    now_ns += ns ? ns : SHEAF_SECOND;
    return true;
}

static bool needs_turns(void)
{
    return has_data_moving;
}

static const struct sheaf_engine engine = {
    .progress = progress, .needs_turns = needs_turns, .sleep = sleep_in_network};
const struct sheaf_engine *sheaf_network;
static struct sheaf_board board;

static void begin(bool is_outnumbered)
{
    yields = polite_yields = clock_sleeps = futex_waits = futex_wakes = turns = network_sleeps = 0;
    slept_ns = 0;
    sheaf_wait_init(is_outnumbered ? 9 : 2, 4, &board);
}

static void describe(const void *object, char *text, size_t size)
{
    snprintf(text, size, "for %s", (const char *)object);
}

/* Looks at memory as often as it says, then yields, then sleeps by the clock: nobody wakes it. */
static void check_store(void)
{
    struct sheaf_wait wait = SHEAF_WAIT_FOR(SHEAF_WAIT_VARIABLE, "it", describe);
    begin(false);
    CHECK(sheaf_wait_spins > 0);
    for (uint32_t i = 0; i < sheaf_wait_spins; i++)
        sheaf_wait_step(&wait);
    CHECK(yields == 0);
    sheaf_wait_step(&wait);
    CHECK(yields == 1 && clock_sleeps == 0 && !wait.on_board && wait.steps == sheaf_wait_spins);
    for (int i = 0; i < 100000 && clock_sleeps == 0; i++)
        sheaf_wait_step(&wait);
    CHECK(clock_sleeps == 1 && slept_ns > 0 && futex_waits == 0 && polite_yields == 0);
    sheaf_wait_done(&wait);
}

/* Where PEs outnumber processors a wait gives way earlier. */
static void check_outnumbered(void)
{
    begin(false);
    uint32_t alone = sheaf_wait_spins;
    begin(true);
    CHECK(sheaf_wait_spins < alone);
}

static void wait_until_on_board(struct sheaf_wait *wait)
{
    uint64_t since_ns = now_ns;
    while (!wait->on_board && now_ns - since_ns < 10 * SHEAF_SECOND)
        sheaf_wait_step(wait);
}

/* Once it is slow it can be seen, with the call; whoever leaves makes room for another. */
static void check_board(void)
{
    struct sheaf_wait first = SHEAF_WAIT_FOR(SHEAF_WAIT_VARIABLE, "the first", describe);
    struct sheaf_wait second = SHEAF_WAIT_FOR(SHEAF_WAIT_LOCK, NULL, NULL);
    begin(false);
    SHEAF_CALL("shmem_call");
    uint64_t began_ns = now_ns;
    wait_until_on_board(&first);
    CHECK(first.on_board && now_ns - began_ns > sheaf_pace_table.board_after);
    CHECK(board.kind == SHEAF_WAIT_VARIABLE && board.since_ns == began_ns && board.sequence % 2 == 0);
    CHECK(strcmp(board.call, "shmem_call") == 0 && strcmp(board.detail, "for the first") == 0);
    CHECK(board.site == (uintptr_t)sheaf_call.site && board.site != 0);
    wait_until_on_board(&second);
    CHECK(!second.on_board && board.kind == SHEAF_WAIT_VARIABLE);
    sheaf_wait_done(&first);
    CHECK(board.kind == SHEAF_WAIT_NONE && board.sequence % 2 == 0);
    wait_until_on_board(&second);
    CHECK(second.on_board && board.kind == SHEAF_WAIT_LOCK && board.detail[0] == '\0');
    sheaf_wait_done(&second);
    CHECK(board.kind == SHEAF_WAIT_NONE);
}

/* A sleeper is counted while it sleeps, and wakes once to be on the board. */
static void check_word(void)
{
    struct sheaf_wait wait = SHEAF_WAIT_FOR(SHEAF_WAIT_LOCK, "it", describe);
    begin(false);
    word = 5;
    CHECK(sheaf_wait_word(&word, &sleepers, 5, &wait) == 6);
    CHECK(futex_waits == 3 && sleepers_seen == 1 && sleepers == 0 && clock_sleeps == 0);
    CHECK(wait.on_board);
    sheaf_wait_done(&wait);
    CHECK(sheaf_wait_word(&word, &sleepers, 5, &wait) == 6 && futex_waits == 3);
}

static void check_wake(void)
{
    begin(false);
    sheaf_wait_wake(&word, &sleepers);
    CHECK(futex_wakes == 0);
    sleepers = 2;
    sheaf_wait_wake(&word, &sleepers);
    CHECK(futex_wakes == 1);
    sleepers = 0;
}

/* While turns alone move what is on its way nobody sleeps, whatever the wait is for. */
static void check_moving(struct sheaf_wait *wait)
{
    has_data_moving = true;
    for (int i = 0; i < 100000; i++)
        sheaf_wait_step(wait);
    CHECK(network_sleeps == 0 && polite_yields > 0);
    word = 5;
    for (int i = 0; i < 1000; i++)
        sheaf_wait_turn(&word, &sleepers, 5, wait);
    CHECK(futex_waits == 0);
    has_data_moving = false;
}

/* A network has its turns first, as long as they bring something; a wait sleeps in it. */
static void check_network(void)
{
    struct sheaf_wait wait = SHEAF_WAIT_FOR(SHEAF_WAIT_VARIABLE, NULL, NULL);
    begin(false);
    sheaf_network = &engine;
    sheaf_pace_use_network(&sheaf_pace_here, true, true);
    sheaf_wait_choose_spins();
    CHECK(sheaf_wait_spins == 0);
    has_news = true;
    for (int i = 0; i < 10000; i++)
        sheaf_wait_step(&wait);
    CHECK(turns == 10000 && polite_yields == 0 && wait.pace.news_ns == now_ns);
    has_news = false;
    check_moving(&wait);
    for (int i = 0; i < 100000 && network_sleeps == 0; i++)
        sheaf_wait_step(&wait);
    CHECK(polite_yields > 0 && yields == 0 && network_sleeps == 1 && wait.pace.idle == 0);
    sheaf_wait_done(&wait);
    sheaf_pace_use_network(&sheaf_pace_here, false, false);
    sheaf_network = NULL;
    sheaf_wait_choose_spins();
    CHECK(sheaf_wait_spins > 0);
}

/* A program that polls with tests yields every so often. */
static void check_polled(void)
{
    begin(false);
    for (uint32_t i = 0; i < sheaf_wait_spins; i++)
        sheaf_wait_polled();
    CHECK(yields == 0);
    sheaf_wait_polled();
    CHECK(yields == 1 && sheaf_wait_polls == 0);
}

int main(void)
{
    check_store();
    check_outnumbered();
    check_board();
    check_word();
    check_wake();
    check_network();
    check_polled();
    return 0;
}
