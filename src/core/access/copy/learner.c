/* SPDX-License-Identifier: BSD-3-Clause
 * See learner.h.
 */
#include "core/access/copy/learner.h"

/* Copies timed before the first trial: the first ones touch new pages, which takes longer than any
 * copy. And a program that makes few long copies makes none by a slow way. */
#define FIRST_LOOKS 32

/* Fewer are enough once so many bytes went by a guess that may be wrong; not where the copies are pieces of
 * one or two. */
#define LEAST_LOOKS 8
#define LEAST_BYTES ((int64_t)32 << 20)

/* The way stays unless another is faster by so many per cent. */
#define LEAST_GAIN 3

/* A trial may lose this part of the time of the copies until the next one. */
#define LOSS_PART 100

/* A try that takes so many times as long as another by the same way was interrupted. The next ones find
 * other data in the caches, and the time lost is no way's: the trial is made again, so often at most. */
#define INTERRUPTED  8
#define MOST_REPEATS 2

/* Of a pause, until a trial may come early. */
#define EARLY_PART 8

void sheaf_learner_begin(struct sheaf_copy_learner *learner, unsigned ways, int way)
{
    *learner = (struct sheaf_copy_learner){.way = (uint32_t)way,
                                           .ways = ways,
                                           .pause = SHEAF_COPY_PAUSE,
                                           .soonest = SHEAF_COPY_PAUSE / EARLY_PART};
}

static bool has_rates(const struct sheaf_copy_learner *learner)
{
    return learner->rate[learner->way] > 0;
}

size_t sheaf_learner_piece(const struct sheaf_copy_learner *learner, size_t bytes)
{
    bool is_whole = bytes < 2 * SHEAF_COPY_PIECE || (!learner->trying && has_rates(learner));
    return is_whole ? bytes : SHEAF_COPY_PIECE;
}

int sheaf_learner_way(const struct sheaf_copy_learner *learner)
{
    return (int)(learner->trying ? learner->trying : learner->way);
}

static uint32_t next_way(const struct sheaf_copy_learner *learner, uint32_t way)
{
    while (++way < SHEAF_COPY_ALGORITHMS && !(learner->ways & 1U << way))
        ;
    return way < SHEAF_COPY_ALGORITHMS ? way : 0;
}

static void begin_tries(struct sheaf_copy_learner *learner, uint32_t way)
{
    learner->trying = way;
    learner->tries = 0;
    learner->slowest = learner->sum = 0;
    learner->fastest = UINT64_MAX;
    sheaf_store_relaxed(&learner->left, (int64_t)0);
}

static void begin_trial(struct sheaf_copy_learner *learner)
{
    learner->trial_bytes = learner->trial_ns = 0;
    begin_tries(learner, next_way(learner, 0));
}

static uint32_t fastest_way(const struct sheaf_copy_learner *learner)
{
    uint32_t best = learner->way;
    for (uint32_t way = 0; (way = next_way(learner, way)) != 0;)
        if (learner->rate[way] * (100 + LEAST_GAIN) < learner->rate[best] * 100)
            best = way;
    return best;
}

/* Sets the pause by what the trial lost beside the fastest way. */
static void set_pause(struct sheaf_copy_learner *learner)
{
    uint64_t rate = learner->rate[learner->way];
    uint64_t ideal_ns = learner->trial_bytes * rate >> 20;
    uint64_t lost_ns = learner->trial_ns > ideal_ns ? learner->trial_ns - ideal_ns : 0;
    uint64_t pause = (lost_ns * LOSS_PART / rate) << 20;
    learner->pause = pause > (uint64_t)SHEAF_COPY_MOST_PAUSE ? SHEAF_COPY_MOST_PAUSE
                     : pause > (uint64_t)SHEAF_COPY_PAUSE    ? (int64_t)pause
                                                             : SHEAF_COPY_PAUSE;
    /* Copies that differ from one to the next look strange for ever. */
    learner->soonest = learner->is_early ? learner->soonest * 2 : learner->pause / EARLY_PART;
}

static void end_trial(struct sheaf_copy_learner *learner)
{
    sheaf_store_relaxed(&learner->way, fastest_way(learner));
    set_pause(learner);
    learner->trying = 0;
    learner->since = 0;
    learner->strange = learner->repeats = 0;
    sheaf_store_relaxed(&learner->left, SHEAF_COPY_LOOK);
}

static void count_try(struct sheaf_copy_learner *learner, uint64_t rate)
{
    if (learner->tries++ > 0) {
        learner->sum += rate;
        learner->slowest = rate > learner->slowest ? rate : learner->slowest;
        learner->fastest = rate < learner->fastest ? rate : learner->fastest;
    }
    if (learner->tries < SHEAF_COPY_TRIES)
        return;
    if (learner->slowest / INTERRUPTED > learner->fastest && learner->repeats < MOST_REPEATS) {
        learner->repeats++;
        begin_trial(learner);
        return;
    }
    uint64_t mean = (learner->sum - learner->slowest) / (SHEAF_COPY_TRIES - 2);
    learner->rate[learner->trying] = mean ? mean : 1;
    uint32_t next = next_way(learner, learner->trying);
    if (next)
        begin_tries(learner, next);
    else
        end_trial(learner);
}

/* Outside of a trial: whether it is time for one. */
static bool is_time(struct sheaf_copy_learner *learner, size_t bytes, uint64_t rate)
{
    bool is_enough = bytes < SHEAF_COPY_PIECE && learner->since >= LEAST_BYTES;
    if (!has_rates(learner))
        return ++learner->tries >= (is_enough ? LEAST_LOOKS : FIRST_LOOKS);
    uint64_t known = learner->rate[learner->way];
    bool is_strange = rate * 2 > known * 3 || rate * 3 < known * 2;
    learner->strange = is_strange ? learner->strange + 1 : 0;
    return learner->since >= learner->pause || (learner->strange > 1 && learner->since >= learner->soonest);
}

void sheaf_learner_took(struct sheaf_copy_learner *learner, size_t bytes, uint64_t ns)
{
    uint64_t rate = (ns << 20) / bytes;
    if (learner->trying) {
        learner->trial_bytes += bytes;
        learner->trial_ns += ns;
        count_try(learner, rate);
        return;
    }
    bool is_one_of_many = has_rates(learner) && bytes < (size_t)SHEAF_COPY_LOOK;
    learner->since += is_one_of_many ? SHEAF_COPY_LOOK : (int64_t)bytes;
    if (is_time(learner, bytes, rate)) {
        learner->is_early = has_rates(learner) && learner->since < learner->pause;
        begin_trial(learner);
    } else {
        sheaf_store_relaxed(&learner->left, has_rates(learner) ? SHEAF_COPY_LOOK : (int64_t)0);
    }
}
