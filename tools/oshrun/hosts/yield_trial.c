/* SPDX-License-Identifier: BSD-3-Clause
 * See yield_trial.h.
 */
#include "oshrun/hosts/yield_trial.h"

#include "base/clock.h"
#include "base/times.h"

/* More than so many times as many fences and quiets, orders, in the same time, or the PEs keep their
 * processors. Each yield takes 1 us: where PEs order so much that this cannot be, nothing is tried. */
#define GAIN 2
/* A trial lies between two looks without yields, so that a program whose phases differ is not taken for one
 * that yields help; fewer orders than FEWEST in a second tell nothing. It is repeated after a while, later
 * each time that it ends as before, and at once where the PEs order CHANGE times as much as when it was
 * won. */
#define CHANGE 2
#define FEWEST 80

enum phase { KEPT, BEFORE, TRIAL, AFTER, GIVEN };

static struct {
    enum phase phase;
    uint64_t left_ns;  /* until there may be a trial */
    uint64_t pause_ns; /* how long that was at the last judgement */
    uint64_t orders;   /* of all PEs, at the last look */
    uint64_t kept, given; /* per second, at the last trial */
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
    if (has_won != now.has_won) /* a first loss may be that of a phase without fences */
        longer_ns = has_won ? first_ns : 0;
    now.left_ns = now.pause_ns = longer_ns < most_ns ? longer_ns : most_ns;
    now.has_won = has_won;
    return has_won ? GIVEN : KEPT;
}

static enum phase next_phase(bool is_crowded, uint64_t rate, uint64_t most)
{
    switch (now.phase) {
    case BEFORE:
        now.kept = rate;
        return rate >= most ? end_trial(false) : rate >= FEWEST ? TRIAL : is_crowded ? BEFORE : KEPT;
    case TRIAL:
        now.given = rate;
        return AFTER;
    case AFTER:
        now.kept = rate > now.kept ? rate : now.kept;
        return end_trial(now.given > GAIN * now.kept);
    case GIVEN:
        return now.left_ns == 0 || rate > CHANGE * now.given ? BEFORE : GIVEN;
    default:
        return is_crowded && now.left_ns == 0 ? BEFORE : KEPT;
    }
}

enum sheaf_help sheaf_yield_trial_choose(struct sheaf_control *control, bool is_crowded,
                                         uint64_t elapsed_ns)
{
    static const enum sheaf_fence_mode ways[] = {[KEPT] = SHEAF_FENCE_PLAIN, [BEFORE] = SHEAF_FENCE_COUNTED,
                                          [TRIAL] = SHEAF_FENCE_YIELDS, [AFTER] = SHEAF_FENCE_COUNTED,
                                          [GIVEN] = SHEAF_FENCE_YIELDS};
    uint64_t orders = count_orders(control), cpus = (uint64_t)control->usable_cpus;
    uint64_t rate = (orders - now.orders) * SHEAF_SECOND / (elapsed_ns + 1);
    now.orders = orders;
    now.left_ns -= elapsed_ns < now.left_ns ? elapsed_ns : now.left_ns;
    now.phase = next_phase(is_crowded, rate, SHEAF_SECOND / sheaf_times.yield_cost / GAIN * cpus);
    sheaf_store_relaxed(&control->fence_mode, (uint32_t)ways[now.phase]);
    return ways[now.phase] == SHEAF_FENCE_YIELDS ? SHEAF_HELP_YIELDS
           : is_crowded                      ? SHEAF_HELP_GUESS
                                             : SHEAF_HELP_NONE;
}

bool sheaf_yield_trial_is_on(void)
{
    return now.phase != KEPT && now.phase != GIVEN;
}
