/* SPDX-License-Identifier: BSD-3-Clause
 * See pace.h.
 */
#include "base/pace/pace.h"

#define TABLE sheaf_pace_table

static uint64_t between(uint64_t least, uint64_t value, uint64_t most)
{
    return value < least ? least : value > most ? most : value;
}

static uint32_t share(uint64_t percent)
{
    return (uint32_t)(percent * SHEAF_PACE_ALL / 100);
}

void sheaf_pace_init(struct sheaf_pace *pace, bool is_outnumbered)
{
    *pace = (struct sheaf_pace){
        .is_outnumbered = is_outnumbered,
        .level = is_outnumbered ? SHEAF_SHARED : SHEAF_ALONE,
        .is_shared = is_outnumbered,
        .late_yields = is_outnumbered ? SHEAF_PACE_ALL : share(TABLE.shared_leave),
    };
}

/* What makes a level is more than what ends it: what is near one of the two does not go to and fro. */
static void choose_level(struct sheaf_pace *pace)
{
    enum sheaf_pace_level level = sheaf_pace_level(pace);
    bool was_shared = sheaf_load_relaxed(&pace->is_shared);
    uint32_t yields = sheaf_load_relaxed(&pace->late_yields);
    uint64_t late_ns = sheaf_load_relaxed(&pace->late_ns);
    bool is_shared = yields > share(was_shared ? TABLE.shared_leave : TABLE.shared_enter);
    bool is_crowded = late_ns > (level == SHEAF_CROWDED ? TABLE.crowd_leave : TABLE.crowd_enter);
    enum sheaf_pace_level next = is_crowded ? SHEAF_CROWDED : is_shared ? SHEAF_SHARED : SHEAF_ALONE;
    if (is_shared != was_shared)
        sheaf_store_relaxed(&pace->is_shared, is_shared);
    if (next != level)
        sheaf_store_relaxed(&pace->level, next);
}

void sheaf_pace_yielded(struct sheaf_pace *pace, uint64_t taken_ns)
{
    uint32_t weight = (uint32_t)TABLE.yield_weight, before = sheaf_load_relaxed(&pace->late_yields);
    uint32_t after = before - before / weight;
    if (taken_ns > TABLE.yield_late)
        after += SHEAF_PACE_ALL / weight;
    sheaf_store_relaxed(&pace->late_yields, after);
    choose_level(pace);
}

void sheaf_pace_napped(struct sheaf_pace *pace, uint64_t asked_ns, uint64_t taken_ns, uint64_t ran_ns)
{
    uint64_t late = taken_ns > asked_ns ? taken_ns - asked_ns : 0;
    uint64_t not_ran = taken_ns > ran_ns ? taken_ns - ran_ns : 0;
    uint64_t by_others = late < not_ran ? late : not_ran, before = sheaf_load_relaxed(&pace->late_ns);
    sheaf_store_relaxed(&pace->late_ns,
                        before - before / TABLE.nap_weight + by_others / TABLE.nap_weight);
    choose_level(pace);
}

uint32_t sheaf_pace_spins(const struct sheaf_pace *pace)
{
    if (pace->has_network)
        return 0;
    return (uint32_t)(pace->is_outnumbered ? TABLE.spins_outnumbered : TABLE.spins);
}

/* In proportion to the wait. Pauses as long as naps come late made gets of 25 us take 1 to 2 ms beside
 * other programs: whoever waits for a peer that others keep from running wants to know soon. */
static uint64_t pause_after(const struct sheaf_pace *pace, uint64_t waited_ns)
{
    uint64_t part = waited_ns / TABLE.pause_part;
    if (sheaf_pace_level(pace) != SHEAF_CROWDED)
        return between(TABLE.pause_least, part, TABLE.pause_most);
    return between(TABLE.pause_least_crowded, part, TABLE.pause_most_crowded);
}

/* How many looks, and for how long, before it sleeps. */
static bool has_looked_enough(const struct sheaf_pace *pace, const struct sheaf_pace_wait *wait,
                              enum sheaf_pace_end end, uint64_t now_ns)
{
    bool is_many = pace->is_outnumbered, is_crowded = sheaf_pace_level(pace) == SHEAF_CROWDED;
    switch (end) {
    case SHEAF_PACE_WAKER:
        return wait->idle >= sheaf_pace_turns(pace) + TABLE.word_yields &&
               now_ns - wait->since_ns >= TABLE.word_for;
    case SHEAF_PACE_ANSWER:
        return wait->idle > (is_crowded ? TABLE.answer_turns_crowded : TABLE.answer_turns);
    default:
        return now_ns - wait->since_ns >= (is_many ? TABLE.yield_for_outnumbered : TABLE.yield_for) &&
               now_ns - wait->news_ns >= TABLE.news_for;
    }
}

/* Without a thread peers are served by whoever waits: nobody sleeps for long, and nobody sleeps through
 * what answers a message. */
static struct sheaf_pace_next sleep_for(const struct sheaf_pace *pace, enum sheaf_pace_end end,
                                        uint64_t waited_ns)
{
    struct sheaf_pace_next next = {.step = SHEAF_PACE_SLEEP, .ns = pause_after(pace, waited_ns)};
    bool is_served = pace->has_thread || !pace->has_network;
    next.by_clock = !pace->has_network ||
                    (pace->has_thread && sheaf_pace_level(pace) == SHEAF_CROWDED);
    if (end == SHEAF_PACE_WAKER)
        next = (struct sheaf_pace_next){SHEAF_PACE_SLEEP, false, is_served ? 0 : TABLE.pause_most};
    else if (end == SHEAF_PACE_ANSWER && !is_served)
        next.step = SHEAF_PACE_YIELD;
    else if (end == SHEAF_PACE_ANSWER && !next.by_clock)
        next.ns = TABLE.pause_most;
    return next;
}

/* Whether all who are missing may be running, so that the wait ends while a yield would run somebody who
 * waits, too. */
static bool awaits_last(const struct sheaf_pace *pace, const struct sheaf_pace_wait *wait, uint64_t now_ns)
{
    bool may_run = wait->missing > 0 && wait->missing < pace->processors;
    return may_run && now_ns - wait->since_ns < TABLE.last_for;
}

struct sheaf_pace_next sheaf_pace_wait_next(const struct sheaf_pace *pace, struct sheaf_pace_wait *wait,
                                            enum sheaf_pace_end end, uint64_t now_ns)
{
    if (wait->since_ns == 0)
        wait->since_ns = now_ns;
    if (awaits_last(pace, wait, now_ns)) {
        wait->idle = 0;
        return (struct sheaf_pace_next){.step = SHEAF_PACE_LOOK};
    }
    if (!has_looked_enough(pace, wait, end, now_ns))
        return (struct sheaf_pace_next){.step = SHEAF_PACE_YIELD};
    return sleep_for(pace, end, now_ns - wait->since_ns);
}

/* The time since the last look goes to what was found then. */
static void count_polling(struct sheaf_pace_thread *thread, uint64_t now_ns)
{
    const uint64_t most = TABLE.nap_part * TABLE.nap_most;
    uint64_t ns = thread->asked_ns ? now_ns - thread->asked_ns : 0;
    if (thread->found == SHEAF_FOUND_PROGRAM)
        thread->polled_ns = thread->polled_ns + ns < most ? thread->polled_ns + ns : most;
    else if (thread->found != SHEAF_FOUND_TAKEN)
        thread->polled_ns = thread->polled_ns > ns ? thread->polled_ns - ns : 0;
}

/* Whoever a message wakes in a crowd takes the processor away from its sender, in the middle of the call
 * and for milliseconds. Where the program is active the thread looks by the clock alone there. */
static bool looks_by_clock(const struct sheaf_pace *pace, const struct sheaf_pace_thread *thread,
                           uint64_t now_ns)
{
    return sheaf_pace_level(pace) == SHEAF_CROWDED && now_ns - thread->active_ns < TABLE.active_for;
}

/* Not shorter than naps come late: that would only make a crowd worse. */
static struct sheaf_pace_rest nap_for(const struct sheaf_pace *pace, uint64_t least, uint64_t ns,
                                      uint64_t most)
{
    uint64_t late_ns = sheaf_load_relaxed(&pace->late_ns);
    return (struct sheaf_pace_rest){SHEAF_REST_NAP, between(least, ns < late_ns ? late_ns : ns, most)};
}

/* A program that polls and then computes may have left a batch open, and does not know of it. */
static uint64_t longest_nap(const struct sheaf_pace_look *look)
{
    return look->is_automatic ? between(TABLE.nap_least, 2 * TABLE.batch_age, TABLE.nap_most)
                            : TABLE.nap_most;
}

static struct sheaf_pace_rest rest_after(const struct sheaf_pace *pace, const struct sheaf_pace_look *look,
                                         uint64_t polled_ns)
{
    switch (look->found) {
    case SHEAF_FOUND_WORK:
        return (struct sheaf_pace_rest){SHEAF_REST_NOT, 0};
    case SHEAF_FOUND_TAKEN:
        return nap_for(pace, TABLE.nap_least, 0, TABLE.nap_most);
    case SHEAF_FOUND_PROGRAM:
        return nap_for(pace, TABLE.nap_least, polled_ns / TABLE.nap_part, longest_nap(look));
    default:
        if (look->has_open_batch)
            return (struct sheaf_pace_rest){SHEAF_REST_LINGER, TABLE.batch_age};
        return (struct sheaf_pace_rest){SHEAF_REST_SLEEP,
                                        look->is_missing ? TABLE.lost_every : TABLE.look_every};
    }
}

struct sheaf_pace_rest sheaf_pace_thread_next(const struct sheaf_pace *pace,
                                              struct sheaf_pace_thread *thread,
                                              const struct sheaf_pace_look *look, uint64_t now_ns)
{
    count_polling(thread, now_ns);
    thread->asked_ns = now_ns;
    thread->found = look->found;
    if (look->is_active)
        thread->active_ns = now_ns;
    if (looks_by_clock(pace, thread, now_ns))
        return nap_for(pace, longest_nap(look), 0, TABLE.nap_most_crowded);
    return rest_after(pace, look, thread->polled_ns);
}

bool sheaf_pace_wakes_needlessly(unsigned *wakes, bool is_needless)
{
    *wakes = is_needless ? *wakes + 1 : 0;
    if (*wakes < TABLE.needless_wakes)
        return false;
    *wakes = 0;
    return true;
}

bool sheaf_bet_take(struct sheaf_bet *bet, uint64_t amount)
{
    bool is_over = bet->left == 0;
    if (bet->credit > 0)
        return true;
    bet->left -= amount < bet->left ? amount : bet->left;
    return is_over;
}

void sheaf_bet_won(struct sheaf_bet *bet, const struct sheaf_bet_rules *rules)
{
    bet->credit = between(0, bet->credit + rules->gain, rules->most_credit);
    bet->pause -= bet->pause / rules->forgive;
    bet->left = 0;
}

void sheaf_bet_lost(struct sheaf_bet *bet, const struct sheaf_bet_rules *rules, uint64_t cost)
{
    if (bet->credit > 1) {
        bet->credit--;
        return;
    }
    uint64_t longer = bet->credit == 1 ? 0 : 2 * bet->pause;
    bet->credit = 0;
    bet->pause = between(rules->least_pause, longer < cost ? cost : longer, rules->most_pause);
    bet->left = bet->pause;
}

static struct sheaf_bet_rules rules_left(void)
{
    return (struct sheaf_bet_rules){TABLE.left_credit, TABLE.left_gain, TABLE.left_pause_least,
                                       TABLE.left_pause_most, 1};
}

void sheaf_pace_left_begin(struct sheaf_bet *bet)
{
    *bet = (struct sheaf_bet){.pause = TABLE.left_pause_least, .left = TABLE.left_pause_least};
}

bool sheaf_pace_leaves(struct sheaf_bet *bet, uint64_t bytes, uint64_t smallest)
{
    return bytes >= smallest && sheaf_bet_take(bet, bytes);
}

void sheaf_pace_left(struct sheaf_bet *bet, bool thread_helped)
{
    const struct sheaf_bet_rules rules = rules_left();
    if (thread_helped)
        sheaf_bet_won(bet, &rules);
    else
        sheaf_bet_lost(bet, &rules, 0);
}

bool sheaf_pace_holds_back(struct sheaf_bet *bet, unsigned turns, uint64_t looks_in_ns)
{
    if (turns >= TABLE.held_turns || (turns == 0 && !sheaf_bet_take(bet, 1)))
        return false;
    return looks_in_ns <= TABLE.held_trust;
}

void sheaf_pace_held(struct sheaf_bet *bet, uint64_t held_ns)
{
    const struct sheaf_bet_rules rules = {0, 0, TABLE.held_pause_least, TABLE.held_pause_most,
                                             TABLE.held_forgive};
    if (held_ns < TABLE.held_for)
        sheaf_bet_won(bet, &rules);
    else
        sheaf_bet_lost(bet, &rules, held_ns / TABLE.held_worth);
}

bool sheaf_pace_awaits_next(struct sheaf_bet *bet, uint64_t idle_ns, uint64_t looks_in_ns)
{
    if (idle_ns >= TABLE.held_next || (idle_ns == 0 && !sheaf_bet_take(bet, 1)))
        return false;
    return looks_in_ns <= TABLE.held_trust;
}

void sheaf_pace_awaited_next(struct sheaf_bet *bet, bool has_come)
{
    const struct sheaf_bet_rules rules = {TABLE.left_credit, TABLE.left_gain, TABLE.held_pause_least,
                                          TABLE.held_pause_most, TABLE.held_forgive};
    if (has_come)
        sheaf_bet_won(bet, &rules);
    else
        sheaf_bet_lost(bet, &rules, 0);
}
