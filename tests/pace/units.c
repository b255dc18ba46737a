/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The decisions of waiting, one by one: the table and what it refuses, the levels, the next step of a wait
 * and of the progress thread, bets.
 */
#include "base/pace/pace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MS UINT64_C(1000000)
#define US UINT64_C(1000)

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                        \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static uint64_t seed = 7;

static uint64_t random_below(uint64_t most)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (seed >> 33) % most;
}

static bool refuses(const char *text, const char *reason)
{
    struct sheaf_pace_table table = sheaf_pace_defaults;
    struct sheaf_times times = sheaf_times_defaults;
    char why[240] = "";
    bool is_refused = sheaf_pace_parse(text, &table, &times, why, sizeof why) == -1;
    return is_refused && strstr(why, reason) && !memcmp(&table, &sheaf_pace_defaults, sizeof table) &&
           !memcmp(&times, &sheaf_times_defaults, sizeof times);
}

static void settings_are_read_or_refused(void)
{
    struct sheaf_pace_table table = sheaf_pace_defaults;
    struct sheaf_times times = sheaf_times_defaults;
    char why[240];
    CHECK(sheaf_pace_parse("nap_most=3ms,turns=17,put_left=64k,shared_enter=50%", &table, &times, why,
                           sizeof why) == 0);
    CHECK(table.nap_most == 3 * MS && table.turns == 17 && table.put_left == 65536);
    CHECK(table.shared_enter == 50 && table.nap_least == sheaf_pace_defaults.nap_least);
    CHECK(sheaf_pace_parse("nap_most=2500000", &table, &times, why, sizeof why) == 0);
    CHECK(table.nap_most == 2500 * US);
    CHECK(sheaf_pace_parse("agent_beat_unanswered=2s", &table, &times, why, sizeof why) == 0);
    CHECK(times.heartbeat_unanswered == 2 * SHEAF_SECOND); /* the former name */
    CHECK(sheaf_pace_parse("dying_most=5s,turns=18", &table, &times, why, sizeof why) == 0);
    CHECK(times.dying_most == 5000 * MS && times.dying_look == sheaf_times_defaults.dying_look);
    CHECK(table.turns == 18 && table.nap_most == 2500 * US);
    const char *const nonsense[] = {"", ",", "turns", "turns=", "=4", "nap=1", "turns=4,",
                                    "turns=4,,spins=2",
                                    "turns = 4", "turns=-1", "turns=4x", "turns=4us", "nap_most=1m",
                                    "put_left=1ms", "turns=18446744073709551616", "nap_most=20000000000s",
                                    "nap_most=1.5ms", "Turns=4"};
    for (size_t i = 0; i < sizeof nonsense / sizeof nonsense[0]; i++)
        CHECK(refuses(nonsense[i], "\""));
    CHECK(refuses("turnz=4", "oshinfo --pace"));
    CHECK(refuses("nap_most=5", "\"nap_most=5\" is not between 1us and"));
    CHECK(refuses("nap_least=3ms", "nap_least is 3ms and must not be above nap_most, which is 2ms"));
    CHECK(refuses("crowd_leave=1s", "crowd_enter"));
    CHECK(refuses("dying_most=2h", "\"dying_most=2h\" is not a time"));
    CHECK(refuses("dying_most=3601s", "\"dying_most=3601s\" is not between 1us and 3600s"));
    CHECK(refuses("turns=4,chaos_late_most=1ms", "chaos_late_most is fixed"));
}

static void every_constant_is_printed_with_its_reason(void)
{
    struct sheaf_pace_table table = sheaf_pace_defaults;
    struct sheaf_times times = sheaf_times_defaults;
    char *text = NULL;
    size_t size, lines = 0;
    table.turns = 9;
    times.dying_most = 7000 * MS;
    FILE *out = open_memstream(&text, &size);
    CHECK(out);
    sheaf_pace_print(out, &table, &times);
    fclose(out);
    for (const char *at = text; (at = strchr(at, '\n')); at++)
        lines++;
    CHECK(lines == (sizeof table + sizeof times) / sizeof(uint64_t) + 2); /* a headline */
    CHECK(strstr(text, "\ndying_most              7s       (default 1s) for a process"));
    CHECK(strstr(text, "\nchaos_late_most         30ms     (fixed) "));
    CHECK(strstr(text, "9        (default 200)"));
    CHECK(strstr(text, "nap_most_crowded        20ms     "));
    free(text);
}

static struct sheaf_pace networked(void)
{
    struct sheaf_pace pace;
    sheaf_pace_init(&pace, false);
    sheaf_pace_use_network(&pace, true, true);
    return pace;
}

static struct sheaf_pace crowded_by(uint64_t late_ns)
{
    struct sheaf_pace pace = networked();
    for (int i = 0; i < 100; i++) {
        sheaf_pace_yielded(&pace, 10 * US);
        sheaf_pace_napped(&pace, MS, MS + late_ns, 0);
    }
    return pace;
}

static void levels_follow_yields_and_naps(void)
{
    struct sheaf_pace pace = networked();
    CHECK(sheaf_pace_level(&pace) == SHEAF_ALONE && sheaf_pace_turns(&pace) == 200);
    for (int i = 0; i < 6; i++)
        sheaf_pace_yielded(&pace, 10 * US);
    CHECK(sheaf_pace_level(&pace) == SHEAF_SHARED && sheaf_pace_turns(&pace) == 4);
    for (int i = 0; i < 60; i++)
        sheaf_pace_yielded(&pace, 300);
    CHECK(sheaf_pace_level(&pace) == SHEAF_ALONE);
    pace = crowded_by(500 * US);
    CHECK(sheaf_pace_level(&pace) == SHEAF_CROWDED);
    for (int i = 0; i < 100; i++)
        sheaf_pace_napped(&pace, MS, MS + 20 * US, 0);
    CHECK(sheaf_pace_level(&pace) == SHEAF_SHARED);
    /* Its own program ran meanwhile. */
    for (int i = 0; i < 100; i++)
        sheaf_pace_napped(&pace, MS, 2 * MS, 2 * MS);
    CHECK(sheaf_pace_level(&pace) == SHEAF_SHARED);
    /* The thread is late, and nobody wants the program's processor. */
    pace = crowded_by(500 * US);
    CHECK(sheaf_pace_turns(&pace) == 4);
    for (int i = 0; i < 100; i++)
        sheaf_pace_yielded(&pace, 300);
    CHECK(sheaf_pace_level(&pace) == SHEAF_CROWDED && sheaf_pace_turns(&pace) == 200);
    sheaf_pace_init(&pace, true);
    CHECK(sheaf_pace_level(&pace) == SHEAF_SHARED && sheaf_pace_spins(&pace) == 2);
}

static int changes(unsigned late_percent, uint64_t late_ns, uint64_t spread_ns)
{
    struct sheaf_pace pace = networked();
    int count = 0;
    uint32_t before = pace.level;
    for (int i = 0; i < 100000; i++) {
        sheaf_pace_yielded(&pace, random_below(100) < late_percent ? 20 * US : 300);
        if (i % 100 == 0)
            sheaf_pace_napped(&pace, MS, MS + late_ns + random_below(spread_ns + 1), 0);
        count += pace.level != before;
        before = pace.level;
    }
    return count;
}

/* Interrupts make one yield in ten late; whoever shares a processor comes back late from more. */
static void levels_do_not_go_to_and_fro(void)
{
    CHECK(changes(0, 0, 0) == 0);
    CHECK(changes(10, 10 * US, 20 * US) < 200);
    CHECK(changes(60, 10 * US, 20 * US) < 20);
    CHECK(changes(90, 10 * US, 20 * US) == 1);
    CHECK(changes(90, 55 * US, 10 * US) <= 2);
    CHECK(changes(90, 100 * US, 100 * US) <= 2);
    /* Near what makes a level: without a gap between that and what ends it, 139 and 12,904. */
    CHECK(changes(90, 60 * US, 20 * US) <= 3);
    CHECK(changes(90, 120 * US, 40 * US) <= 3);
    CHECK(changes(30, 0, 0) < 1500);
}

static struct sheaf_pace_next next_of(const struct sheaf_pace *pace, enum sheaf_pace_end end,
                                      uint32_t idle, uint64_t waited_ns)
{
    struct sheaf_pace_wait wait = {.idle = idle, .since_ns = 1};
    return sheaf_pace_wait_next(pace, &wait, end, 1 + waited_ns);
}

static void waits_look_then_yield_then_sleep(void)
{
    struct sheaf_pace pace = networked();
    struct sheaf_pace_wait wait = {0};
    int looks = 0;
    while (sheaf_pace_looks_on(&pace, &wait))
        looks++;
    CHECK(looks == 200);
    CHECK(next_of(&pace, SHEAF_PACE_STORE, 201, 0).step == SHEAF_PACE_YIELD);
    struct sheaf_pace_next next = next_of(&pace, SHEAF_PACE_STORE, 201, 32 * MS);
    CHECK(next.step == SHEAF_PACE_SLEEP && !next.by_clock && next.ns == MS);
    next = next_of(&pace, SHEAF_PACE_STORE, 201, MS);
    CHECK(next.step == SHEAF_PACE_SLEEP && next.ns == MS / 16);
    CHECK(next_of(&pace, SHEAF_PACE_WAKER, 202, 30 * US).step == SHEAF_PACE_YIELD);
    CHECK(next_of(&pace, SHEAF_PACE_WAKER, 250, 29 * US).step == SHEAF_PACE_YIELD);
    next = next_of(&pace, SHEAF_PACE_WAKER, 203, 30 * US);
    CHECK(next.step == SHEAF_PACE_SLEEP && !next.by_clock && next.ns == 0);
    CHECK(next_of(&pace, SHEAF_PACE_ANSWER, 2000, 0).step == SHEAF_PACE_YIELD);
    next = next_of(&pace, SHEAF_PACE_ANSWER, 2001, 0);
    CHECK(next.step == SHEAF_PACE_SLEEP && !next.by_clock && next.ns == MS);
}

static void waits_for_the_last_look_on(void)
{
    struct sheaf_pace pace;
    struct sheaf_pace_wait wait = {.missing = 1};
    sheaf_pace_init(&pace, true);
    pace.processors = 2;
    CHECK(sheaf_pace_wait_next(&pace, &wait, SHEAF_PACE_WAKER, US).step == SHEAF_PACE_LOOK);
    wait.idle = 2;
    CHECK(sheaf_pace_wait_next(&pace, &wait, SHEAF_PACE_WAKER, 2 * US).step == SHEAF_PACE_LOOK);
    CHECK(wait.idle == 0); /* it yields as often as other waits, before it sleeps */
    CHECK(sheaf_pace_wait_next(&pace, &wait, SHEAF_PACE_WAKER, 5 * US).step == SHEAF_PACE_YIELD);
    /* Somebody who is missing can run on no processor but the waiter's. */
    struct sheaf_pace_wait of_two = {.missing = 2};
    CHECK(sheaf_pace_wait_next(&pace, &of_two, SHEAF_PACE_WAKER, US).step == SHEAF_PACE_YIELD);
    pace.processors = 1;
    struct sheaf_pace_wait on_one = {.missing = 1};
    CHECK(sheaf_pace_wait_next(&pace, &on_one, SHEAF_PACE_WAKER, US).step == SHEAF_PACE_YIELD);
}

static void news_keep_a_wait_from_sleeping(void)
{
    struct sheaf_pace pace = networked();
    struct sheaf_pace_wait wait = {.idle = 300, .since_ns = 1, .news_ns = 50 * MS};
    CHECK(sheaf_pace_wait_next(&pace, &wait, SHEAF_PACE_STORE, 50 * MS + 90 * US).step ==
          SHEAF_PACE_YIELD);
    CHECK(sheaf_pace_wait_next(&pace, &wait, SHEAF_PACE_STORE, 50 * MS + 100 * US).step ==
          SHEAF_PACE_SLEEP);
}

static void without_a_thread_nobody_sleeps_for_long(void)
{
    struct sheaf_pace pace = crowded_by(10 * MS);
    sheaf_pace_use_network(&pace, true, false);
    CHECK(next_of(&pace, SHEAF_PACE_ANSWER, 1000000, 1000 * MS).step == SHEAF_PACE_YIELD);
    CHECK(next_of(&pace, SHEAF_PACE_WAKER, 1000000, 1000 * MS).ns == MS);
    CHECK(!next_of(&pace, SHEAF_PACE_STORE, 1000000, 1000 * MS).by_clock);
}

static struct sheaf_pace_rest rest_of(const struct sheaf_pace *pace, struct sheaf_pace_thread *thread,
                                      enum sheaf_pace_found found, bool is_active, uint64_t now)
{
    struct sheaf_pace_look look = {.found = found, .is_active = is_active};
    return sheaf_pace_thread_next(pace, thread, &look, now);
}

static void thread_naps_while_the_program_polls(void)
{
    struct sheaf_pace pace = networked();
    struct sheaf_pace_thread thread = {0};
    uint64_t now = 1000 * MS;
    struct sheaf_pace_rest rest = rest_of(&pace, &thread, SHEAF_FOUND_PROGRAM, true, now);
    CHECK(rest.how == SHEAF_REST_NAP && rest.ns == 100 * US);
    for (int i = 0; i < 100; i++)
        rest = rest_of(&pace, &thread, SHEAF_FOUND_PROGRAM, true, now += MS);
    CHECK(rest.how == SHEAF_REST_NAP && rest.ns == 2 * MS);
    CHECK(rest_of(&pace, &thread, SHEAF_FOUND_WORK, true, now).how == SHEAF_REST_NOT);
    CHECK(rest_of(&pace, &thread, SHEAF_FOUND_NOTHING, true, now).how == SHEAF_REST_SLEEP);
    struct sheaf_pace_look open = {.found = SHEAF_FOUND_NOTHING, .has_open_batch = true};
    rest = sheaf_pace_thread_next(&pace, &thread, &open, now);
    CHECK(rest.how == SHEAF_REST_LINGER && rest.ns == 500 * US);
}

/* That somebody has the lock is no polling: naps stay short, however often it is so. */
static void a_taken_lock_is_not_a_program_that_polls(void)
{
    struct sheaf_pace pace = networked();
    struct sheaf_pace_thread thread = {0};
    uint64_t now = 1000 * MS;
    for (int i = 0; i < 1000; i++) {
        struct sheaf_pace_rest rest = rest_of(&pace, &thread, SHEAF_FOUND_TAKEN, true, now += MS);
        CHECK(rest.how == SHEAF_REST_NAP && rest.ns == 100 * US);
    }
    CHECK(rest_of(&pace, &thread, SHEAF_FOUND_PROGRAM, true, now).ns == 100 * US);
}

static void crowds_are_looked_at_by_the_clock(void)
{
    struct sheaf_pace pace = crowded_by(500 * US);
    struct sheaf_pace_thread thread = {0};
    uint64_t now = 1000 * MS;
    struct sheaf_pace_rest rest = rest_of(&pace, &thread, SHEAF_FOUND_NOTHING, true, now);
    CHECK(rest.how == SHEAF_REST_NAP && rest.ns == 2 * MS);
    CHECK(rest_of(&pace, &thread, SHEAF_FOUND_NOTHING, false, now + 19 * MS).how == SHEAF_REST_NAP);
    CHECK(rest_of(&pace, &thread, SHEAF_FOUND_NOTHING, false, now + 20 * MS).how == SHEAF_REST_SLEEP);
    CHECK(next_of(&pace, SHEAF_PACE_STORE, 5, 32 * MS).by_clock);
    CHECK(next_of(&pace, SHEAF_PACE_ANSWER, 201, 32 * MS).by_clock);
}

/* Of any nap, whatever came before: up to the longest. */
static void no_nap_is_shorter_than_its_own_lateness(void)
{
    for (int i = 0; i < 20000; i++) {
        struct sheaf_pace pace = crowded_by(random_below(30 * MS));
        struct sheaf_pace_thread thread = {.polled_ns = random_below(10 * MS), .asked_ns = 1,
                                           .active_ns = random_below(100 * MS)};
        uint64_t late = pace.late_ns, now = 200 * MS + random_below(100 * MS);
        struct sheaf_pace_rest rest =
            rest_of(&pace, &thread, (enum sheaf_pace_found)random_below(4), random_below(2), now);
        bool by_clock = pace.level == SHEAF_CROWDED && now - thread.active_ns < 20 * MS;
        uint64_t most = by_clock ? 20 * MS : 2 * MS;
        CHECK(rest.how != SHEAF_REST_NAP || rest.ns >= (late < most ? late : most));
        CHECK(rest.how != SHEAF_REST_NAP || rest.ns <= most);
        struct sheaf_pace_next next =
            next_of(&pace, (enum sheaf_pace_end)random_below(3), 5000, random_below(1000 * MS));
        bool is_timed = next.step == SHEAF_PACE_SLEEP && next.by_clock;
        CHECK(!is_timed || (next.ns >= 200 * US && next.ns <= 5 * MS));
    }
}

static void bets_pause_longer_after_every_failure(void)
{
    const struct sheaf_bet_rules rules = {4, 2, 64, 4096, 16};
    struct sheaf_bet bet = {0};
    CHECK(sheaf_bet_take(&bet, 1));
    for (uint64_t pause = 64; pause <= 4096; pause *= 2) {
        sheaf_bet_lost(&bet, &rules, 0);
        for (uint64_t i = 0; i < pause; i++)
            CHECK(!sheaf_bet_take(&bet, 1));
        CHECK(sheaf_bet_take(&bet, 1));
    }
    sheaf_bet_lost(&bet, &rules, 0);
    CHECK(bet.left == 4096);
    sheaf_bet_won(&bet, &rules);
    CHECK(sheaf_bet_take(&bet, 1) && bet.credit == 2 && bet.pause == 4096 - 256);
    sheaf_bet_lost(&bet, &rules, 0);
    CHECK(sheaf_bet_take(&bet, 1));
    sheaf_bet_lost(&bet, &rules, 0);
    CHECK(!sheaf_bet_take(&bet, 1) && bet.pause == 64);
    sheaf_bet_lost(&bet, &rules, 1000);
    CHECK(bet.pause == 1000);
}

static void gets_are_left_to_the_thread_while_that_pays(void)
{
    struct sheaf_bet gets;
    sheaf_pace_left_begin(&gets);
    CHECK(!sheaf_pace_leaves(&gets, 65535, 65536));
    for (int i = 0; i < 16; i++)
        CHECK(!sheaf_pace_leaves(&gets, 65536, 65536));
    CHECK(sheaf_pace_leaves(&gets, 65536, 65536));
    sheaf_pace_left(&gets, true);
    CHECK(sheaf_pace_leaves(&gets, 65536, 65536));
    sheaf_pace_left(&gets, false);
    CHECK(sheaf_pace_leaves(&gets, 65536, 65536));
    sheaf_pace_left(&gets, false);
    CHECK(!sheaf_pace_leaves(&gets, 65536, 65536));
}

/* A thread that naps for 20 ms will not send it in time, one that sleeps not at all; what a failure cost
 * decides how often nothing is held back then. */
static void acknowledgements_wait_for_a_thread_that_looks_soon(void)
{
    struct sheaf_bet held = {0};
    CHECK(sheaf_pace_holds_back(&held, 0, 0) && sheaf_pace_holds_back(&held, 0, 2 * MS));
    CHECK(!sheaf_pace_holds_back(&held, 0, 20 * MS) && !sheaf_pace_holds_back(&held, 0, UINT64_MAX));
    CHECK(sheaf_pace_holds_back(&held, 3, 0) && !sheaf_pace_holds_back(&held, 4, 0));
    sheaf_pace_held(&held, 29 * US);
    CHECK(sheaf_pace_holds_back(&held, 0, 0));
    sheaf_pace_held(&held, 40 * US);
    CHECK(held.left == 64);
    held = (struct sheaf_bet){0};
    sheaf_pace_held(&held, 2 * MS);
    CHECK(held.left == 500);
    sheaf_pace_held(&held, 100 * MS);
    CHECK(held.left == 4096);
}

/* A turn without news is no reason to acknowledge, where the next message came soon after one of late. Two
 * failures after a success, and a sender of single puts waits once in 64 times, then once in 128. */
static void acknowledgements_wait_for_a_flag_that_follows(void)
{
    struct sheaf_bet next = {0};
    CHECK(sheaf_pace_awaits_next(&next, 0, 0) && sheaf_pace_awaits_next(&next, 19 * US, 2 * MS));
    CHECK(!sheaf_pace_awaits_next(&next, 20 * US, 0));
    CHECK(!sheaf_pace_awaits_next(&next, 0, 20 * MS) && !sheaf_pace_awaits_next(&next, 0, UINT64_MAX));
    sheaf_pace_awaited_next(&next, true);
    for (int i = 0; i < 2; i++) {
        CHECK(sheaf_pace_awaits_next(&next, 0, 0));
        sheaf_pace_awaited_next(&next, false);
    }
    for (int i = 0; i < 64; i++)
        CHECK(!sheaf_pace_awaits_next(&next, 0, 0));
    CHECK(sheaf_pace_awaits_next(&next, 0, 0));
    sheaf_pace_awaited_next(&next, false);
    CHECK(next.left == 128);
}

static bool aggregates(uint64_t started, uint64_t ended)
{
    return sheaf_pace_aggregates((struct sheaf_pace_traffic){started, ended});
}

static bool batch_leaves(uint64_t before, uint64_t started, uint64_t ended)
{
    return sheaf_pace_batch_leaves(before, (struct sheaf_pace_traffic){started, ended});
}

/* Nagle's rule, whatever was before. */
static void operations_are_aggregated_behind_those_under_way(void)
{
    const uint64_t few = sheaf_pace_table.aggregate_after;
    CHECK(few >= 2 && few <= 4); /* a put, a fence and a flag wait for nothing */
    for (uint64_t ended = 0; ended < 3000; ended += 997) {
        CHECK(!aggregates(ended, ended) && !aggregates(ended + few - 1, ended));
        CHECK(aggregates(ended + few, ended) && aggregates(ended + 1000, ended));
        CHECK(!batch_leaves(ended, ended + few, ended) && !batch_leaves(ended, ended + 1000, ended));
        CHECK(batch_leaves(ended, ended + 1000, ended + 1));
        CHECK(batch_leaves(ended, ended + few - 1, ended));
    }
}

/* As one process sees it: operations come at any time, those under way end in order, and a turn follows
 * each end. No operation waits while fewer are under way than aggregate_after, nor beyond the first end
 * after it. */
static void no_operation_waits_for_longer_than_one_under_way(void)
{
    uint64_t started = 0, ended = 0, before = 0, waiting = 0;
    for (int i = 0; i < 100000; i++) {
        if (random_below(3) && (waiting || aggregates(started, ended))) {
            before = waiting++ ? before : ended;
        } else if (random_below(2)) {
            started++;
        } else if (started > ended) {
            ended += 1 + random_below(started - ended);
            CHECK(!waiting || batch_leaves(before, started, ended));
            started += waiting != 0;
            waiting = 0;
        }
        CHECK(!waiting || aggregates(started, ended));
    }
}

static void nobody_naps_for_long_beside_an_open_batch(void)
{
    struct sheaf_pace pace = networked(), crowded = crowded_by(200 * US);
    struct sheaf_pace_thread thread = {0};
    struct sheaf_pace_look open = {.found = SHEAF_FOUND_PROGRAM, .is_active = true, .has_open_batch = true,
                                   .is_automatic = true};
    uint64_t now = 1000 * MS;
    for (int i = 0; i < 100; i++) {
        struct sheaf_pace_rest rest = sheaf_pace_thread_next(&pace, &thread, &open, now += MS);
        CHECK(rest.how == SHEAF_REST_NAP && rest.ns <= MS);
        rest = sheaf_pace_thread_next(&crowded, &thread, &open, now);
        CHECK(rest.how == SHEAF_REST_NAP && rest.ns <= MS);
    }
}

int main(void)
{
    settings_are_read_or_refused();
    every_constant_is_printed_with_its_reason();
    levels_follow_yields_and_naps();
    levels_do_not_go_to_and_fro();
    waits_look_then_yield_then_sleep();
    waits_for_the_last_look_on();
    news_keep_a_wait_from_sleeping();
    without_a_thread_nobody_sleeps_for_long();
    thread_naps_while_the_program_polls();
    a_taken_lock_is_not_a_program_that_polls();
    crowds_are_looked_at_by_the_clock();
    no_nap_is_shorter_than_its_own_lateness();
    bets_pause_longer_after_every_failure();
    gets_are_left_to_the_thread_while_that_pays();
    acknowledgements_wait_for_a_thread_that_looks_soon();
    acknowledgements_wait_for_a_flag_that_follows();
    operations_are_aggregated_behind_those_under_way();
    no_operation_waits_for_longer_than_one_under_way();
    nobody_naps_for_long_beside_an_open_batch();
    return 0;
}
