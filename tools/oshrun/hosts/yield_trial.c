/* SPDX-License-Identifier: BSD-3-Clause
 * See yield_trial.h.
 */
#include "oshrun/hosts/yield_trial.h"

#include "base/clock.h"
#include "base/times.h"

/* PEs yield only where that gives more than GAIN times as many orders (fences and quiets) in the same
 * time; otherwise they keep their processors. Each yield takes 1 us: where PEs already make so many
 * orders that such a gain is impossible, there is no trial. */
#define GAIN 2
/* A trial comes between two measurements without yields, so that a program whose phases differ is not
 * taken for one that yields help. Fewer than FEWEST orders in a second tell nothing. The trial is
 * repeated after a pause, which grows each time the result is the same, and at once where the PEs make
 * CHANGE times as many orders as when the trial succeeded. */
#define CHANGE 2
#define FEWEST 80

enum phase { NO_YIELD, BEFORE, TRIAL, AFTER, YIELD };

static struct {
    enum phase phase;
    uint64_t left_ns;  /* until the next trial */
    uint64_t pause_ns; /* the pause after the last trial */
    uint64_t orders;   /* all PEs' total at the last look */
    uint64_t kept, given; /* orders per second without and with yields, at the last trial */
    bool has_won;
} now;

static uint64_t count_orders(struct sheaf_control *control)
{
    uint64_t orders = 0;
    for (int pe = 0; pe < control->npes; pe++)
        orders += sheaf_load_relaxed(&sheaf_control_pe(control, pe)->orders);
    return orders;
}

static enum phase end_trial(bool has_won)
{
    uint64_t first_ns = sheaf_times.yield_trial_first;
    uint64_t most_ns = has_won ? sheaf_times.yield_given_most : sheaf_times.yield_trial_most;
    uint64_t longer_ns = now.pause_ns == 0 ? first_ns : 2 * now.pause_ns;
    if (has_won != now.has_won) /* a first failure may come from a phase without fences */
        longer_ns = has_won ? first_ns : 0;
    now.left_ns = now.pause_ns = longer_ns < most_ns ? longer_ns : most_ns;
    now.has_won = has_won;
    return has_won ? YIELD : NO_YIELD;
}

static enum phase next_phase(bool is_crowded, uint64_t rate, uint64_t most)
{
    switch (now.phase) {
    case BEFORE:
        now.kept = rate;
        return rate >= most ? end_trial(false) : rate >= FEWEST ? TRIAL : is_crowded ? BEFORE : NO_YIELD;
    case TRIAL:
        now.given = rate;
        return AFTER;
    case AFTER:
        now.kept = rate > now.kept ? rate : now.kept;
        return end_trial(now.given > GAIN * now.kept);
    case YIELD:
        return now.left_ns == 0 || rate > CHANGE * now.given ? BEFORE : YIELD;
    default:
        return is_crowded && now.left_ns == 0 ? BEFORE : NO_YIELD;
    }
}

enum sheaf_help sheaf_yield_trial_choose(struct sheaf_control *control, bool is_crowded,
                                         uint64_t elapsed_ns)
{
    static const enum sheaf_fence_mode modes[] = {
        [NO_YIELD] = SHEAF_FENCE_PLAIN, [BEFORE] = SHEAF_FENCE_COUNTED, [TRIAL] = SHEAF_FENCE_YIELDS,
        [AFTER] = SHEAF_FENCE_COUNTED, [YIELD] = SHEAF_FENCE_YIELDS};
    uint64_t orders = count_orders(control), cpus = (uint64_t)control->usable_cpus;
    uint64_t rate = (orders - now.orders) * SHEAF_SECOND / (elapsed_ns + 1);
    now.orders = orders;
    now.left_ns -= elapsed_ns < now.left_ns ? elapsed_ns : now.left_ns;
    now.phase = next_phase(is_crowded, rate, SHEAF_SECOND / sheaf_times.yield_cost / GAIN * cpus);
    sheaf_store_relaxed(&control->fence_mode, (uint32_t)modes[now.phase]);
    return modes[now.phase] == SHEAF_FENCE_YIELDS ? SHEAF_HELP_YIELDS
           : is_crowded                           ? SHEAF_HELP_GUESS
                                                  : SHEAF_HELP_NONE;
}

bool sheaf_yield_trial_is_on(void)
{
    return now.phase != NO_YIELD && now.phase != YIELD;
}
