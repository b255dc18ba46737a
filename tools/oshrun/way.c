/* SPDX-License-Identifier: BSD-3-Clause
 * See way.h.
 */
#include "way.h"

#include "base/clock.h"

/* More than so many times as many fences and quiets, orders, in the same time, or the PEs keep their
 * processors. Each yield takes 1 us: where PEs order so much that this cannot be, nothing is tried. */
#define GAIN     2
#define YIELD_NS 1000
/* Then it is tried again; where it was of no use, each time twice as late. */
#define GIVEN_FOR_NS   (5 * SHEAF_SECOND)
#define FIRST_PAUSE_NS SHEAF_SECOND
#define LAST_PAUSE_NS  (64 * SHEAF_SECOND)

static struct {
    enum sheaf_way way;
    bool is_trial;     /* of GIVEN: to be judged */
    uint64_t left_ns;  /* of the pause, or until the next trial */
    uint64_t pause_ns; /* the last one */
    uint64_t orders;   /* of all PEs, at the last look */
    uint64_t kept;     /* per second, without yields */
} now;

static uint64_t count_orders(struct sheaf_control *control)
{
    uint64_t orders = 0;
    for (int pe = 0; pe < control->npes; pe++)
        orders += sheaf_load_relaxed(&sheaf_control_pe(control, pe)->orders);
    return orders;
}

static void take(struct sheaf_control *control, enum sheaf_way way)
{
    now.way = way;
    sheaf_store_relaxed(&control->way, (uint32_t)way);
}

static void give_up(struct sheaf_control *control)
{
    now.pause_ns = now.pause_ns == 0 ? FIRST_PAUSE_NS : 2 * now.pause_ns;
    now.pause_ns = now.pause_ns < LAST_PAUSE_NS ? now.pause_ns : LAST_PAUSE_NS;
    now.left_ns = now.pause_ns;
    take(control, SHEAF_WAY_KEPT);
}

static void judge(struct sheaf_control *control, uint64_t rate)
{
    now.is_trial = false;
    if (rate <= GAIN * now.kept) {
        give_up(control);
        return;
    }
    now.pause_ns = 0;
    now.left_ns = GIVEN_FOR_NS;
}

enum sheaf_help sheaf_way_choose(struct sheaf_control *control, bool is_crowded, uint64_t elapsed_ns)
{
    uint64_t orders = count_orders(control);
    uint64_t rate = (orders - now.orders) * SHEAF_SECOND / (elapsed_ns + 1);
    now.orders = orders;
    now.left_ns -= elapsed_ns < now.left_ns ? elapsed_ns : now.left_ns;
    if (now.way == SHEAF_WAY_COUNTED) {
        now.kept = rate;
        now.is_trial = rate > 0 && rate < SHEAF_SECOND / YIELD_NS / GAIN * (uint64_t)control->usable_cpus;
        if (now.is_trial)
            take(control, SHEAF_WAY_GIVEN);
        else
            give_up(control);
    } else if (now.is_trial) {
        judge(control, rate);
    } else if (now.left_ns == 0 && (is_crowded || now.way == SHEAF_WAY_GIVEN)) {
        take(control, SHEAF_WAY_COUNTED);
    }
    if (now.way == SHEAF_WAY_KEPT)
        return is_crowded ? SHEAF_HELP_GUESS : SHEAF_HELP_NONE;
    return now.way == SHEAF_WAY_COUNTED ? SHEAF_HELP_COUNTED
           : now.is_trial               ? SHEAF_HELP_TRIAL
                                        : SHEAF_HELP_YIELDS;
}
