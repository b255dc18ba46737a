/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which way of writing areas is the faster one, learned from the times of a group's own calls of one kind
 * and about one length; each part of a long one counts as a call here. Where the processors have a cache in
 * common, others read what was written into it; where they have none, dirty lines of another cache are read
 * at 4 GB/s and memory at 25. A virtual machine has both, each for minutes. Numbers in, numbers out: this
 * file knows no clock and no group.
 *
 * A trial makes some calls by each way, and keeps the faster one. Calls in between are timed now and then:
 * where they take another time than they did, the next trial comes sooner.
 */
#include "torch.h"

#define TURNS (SHEAF_WAYS * SHEAF_TORCH_TRIES)
#define LOOK  (TURNS + 1) /* the turn of a call that is timed outside of a trial */

#define LEAST_GAIN 10  /* per cent, by which another way has to be faster */
#define LOSS_PART  100 /* a trial may lose this part of the time until the next one */
#define PAUSE      128 /* calls, at least */
#define MOST_PAUSE 16384
#define EARLY_PART 8 /* of a pause, until a trial may come early */

/* way: until the first trial, which comes after first calls; then each every-th call is timed. */
void sheaf_trial_begin(struct sheaf_trial *trial, enum sheaf_torch_way way, uint32_t first,
                       uint32_t every)
{
    *trial = (struct sheaf_trial){.way = way, .pause = first, .every = every};
}

/* The next call's way. turn: what sheaf_trial_took is told of it; 0: the call is not timed. */
enum sheaf_torch_way sheaf_trial_way(struct sheaf_trial *trial, uint32_t *turn)
{
    if (!trial->turn && ++trial->calls > trial->pause) {
        trial->turn = 1;
        trial->calls = 0;
    }
    if (!trial->turn) {
        *turn = trial->known && trial->calls % trial->every == 0 ? LOOK : 0;
        return (enum sheaf_torch_way)trial->way;
    }
    *turn = trial->turn;
    trial->turn = *turn < TURNS ? *turn + 1 : 0;
    return (enum sheaf_torch_way)((*turn - 1) / SHEAF_TORCH_TRIES);
}

/* The second least: what else runs now and then does not count. The first call finds the caches as another
 * way has left them, and is left out. 0: one was not timed. */
static uint64_t time_of(const struct sheaf_trial *trial, uint32_t way)
{
    const uint64_t *took = trial->took + way * SHEAF_TORCH_TRIES;
    uint64_t sorted[SHEAF_TORCH_TRIES];
    int count = 0;
    for (int i = 1; i < SHEAF_TORCH_TRIES; i++, count++) {
        int at = count;
        for (; at > 0 && sorted[at - 1] > took[i]; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = took[i];
    }
    return sorted[0] ? sorted[1] : 0;
}

static void end(struct sheaf_trial *trial)
{
    uint64_t times[SHEAF_WAYS] = {time_of(trial, SHEAF_CACHED), time_of(trial, SHEAF_PAST)};
    uint32_t other = SHEAF_PAST - trial->way;
    trial->strange = 0;
    trial->pause = trial->soonest = PAUSE;
    if (!times[SHEAF_CACHED] || !times[SHEAF_PAST])
        return;
    if (times[other] * (100 + LEAST_GAIN) < times[trial->way] * 100)
        trial->way = other;
    trial->known = times[trial->way];
    uint64_t slower = times[SHEAF_PAST - trial->way];
    uint64_t lost = slower > trial->known ? (slower - trial->known) * SHEAF_TORCH_TRIES : 0;
    uint64_t pause = lost * LOSS_PART / trial->known;
    trial->pause = pause > MOST_PAUSE ? MOST_PAUSE : pause > PAUSE ? (uint32_t)pause : PAUSE;
    trial->soonest = trial->pause / EARLY_PART;
}

static void look(struct sheaf_trial *trial, uint64_t ns)
{
    bool is_strange = ns * 2 > trial->known * 3 || ns * 3 < trial->known * 2;
    trial->strange = is_strange ? trial->strange + 1 : 0;
    if (trial->strange > 1 && trial->calls >= trial->soonest)
        trial->pause = trial->calls;
}

/* ns: of all members' copies; 0: not all were timed. Whether a trial has ended. */
bool sheaf_trial_took(struct sheaf_trial *trial, uint32_t turn, uint64_t ns)
{
    if (turn == LOOK && ns)
        look(trial, ns);
    if (turn == LOOK)
        return false;
    trial->took[turn - 1] = ns;
    if (turn == TURNS)
        end(trial);
    return turn == TURNS;
}
