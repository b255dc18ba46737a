/* SPDX-License-Identifier: BSD-3-Clause
 * See staging.h.
 */
#include "coll/staging.h"

#include "base/clock.h"
#include "base/stream.h"
#include "boot/boot.h"
#include "coll/coll_internal.h"
#include "core/access/copy/learner.h"
#include "core/pe/arena.h"
#include "core/pe/job.h"

/* The memory is used in turn, and has more bytes than a second-level cache: when a part is written again,
 * the readers' caches no longer have its lines. With 1 MiB fcollect of 32 KiB takes 1.05 times as long as
 * without staging, with 2 and 4 MiB 0.76, with 8 MiB 0.83. */
#define MEMORY ((size_t)2 << 20)
#define LEAST  ((size_t)16 << 10) /* staged; 4 KiB take 1.6 times as long */
#define MOST   (MEMORY / 2)
#define CLASSES 7 /* of lengths, each up to twice the one below */

/* Something is learned where one call follows another within so many times a call's own time. So many
 * longer times in a row end it. */
#define MOST_CALLS   12
#define LONG_PERIODS 4

/* The learner's ways, and the bits that one takes in the team's word. */
enum staged_way { IN_PLACE = 1, STAGED = 2, STREAMED = 3 };
#define WAY_BITS 2
#define WAY_MASK ((UINT64_C(1) << WAY_BITS) - 1)

struct sheaf_staging_class {
    struct sheaf_copy_learner learner;
    uint64_t ended_ns; /* the last call, where the next one is timed; else 0 */
    uint32_t long_periods; /* in a row */
    size_t warmed;         /* bytes staged before the first trial: they are page faults of all members */
};

struct staging_note {
    uint64_t offset; /* in the control area; 0: the bytes are in the source */
    uint64_t staged; /* rank 0's: the way of each class that all take from the next call on */
    uint64_t leads;
};
_Static_assert(SHEAF_STAGED_CALLS * CLASSES * WAY_BITS <= 64, "a way for each class");

static struct {
    uint32_t is_taken; /* by the thread that is in a call */
    bool is_ready, is_on;
    char *memory;      /* NULL: none yet */
    size_t used;
    struct sheaf_staging_class classes[SHEAF_STAGED_CALLS][CLASSES];
} state;

static void begin_learning(struct sheaf_staging_class *class)
{
    unsigned streamed = sheaf_stream_way() ? 1U << STREAMED : 0;
    sheaf_learner_begin(&class->learner, 1U << IN_PLACE | 1U << STAGED | streamed, IN_PLACE);
    class->ended_ns = 0;
    class->long_periods = 0;
}

void sheaf_staging_reset(void)
{
    memset(&state, 0, sizeof state);
}

/* PEs that share processors wait for each other longer than for any cache line. */
static void make_ready(void)
{
    int mode = sheaf_job.settings.staging;
    state.is_on = mode == SHEAF_STAGING_ON || mode == SHEAF_STAGING_STREAM ||
                  (mode == SHEAF_STAGING_AUTO && sheaf_boot.host_npes <= sheaf_job_cpus());
    for (int call = 0; call < SHEAF_STAGED_CALLS; call++)
        for (int i = 0; i < CLASSES; i++)
            begin_learning(&state.classes[call][i]);
    state.is_ready = true;
}

static int class_of(size_t bytes)
{
    return 63 - __builtin_clzl(bytes / LEAST);
}

/* The part for the next bytes; NULL where the control area has no room. */
static char *take_part(size_t bytes)
{
    uint64_t offset = state.memory ? 0 : sheaf_arena_allocate(MEMORY);
    if (offset)
        state.memory = memset(sheaf_arena_at(offset), 0, MEMORY);
    if (!state.memory)
        return NULL;
    if (MEMORY - state.used < bytes)
        state.used = 0;
    char *part = state.memory + state.used;
    state.used += (bytes + 127) / 128 * 128;
    return part;
}

/* The way that this PE has learned to be the fastest; now and then it tries the others. */
static enum staged_way choose(struct sheaf_staging *staging)
{
    struct sheaf_copy_learner *learner = &staging->class->learner;
    bool is_due = sheaf_learner_is_due(learner, staging->bytes);
    if (sheaf_unlikely(is_due))
        staging->begun_ns = sheaf_clock_ns();
    return is_due ? (enum staged_way)sheaf_learner_way(learner) : (enum staged_way)learner->way;
}

static enum staged_way way_of(struct sheaf_staging *staging, struct sheaf_team *team,
                              enum sheaf_staged_call call)
{
    int shift = ((int)call * CLASSES + class_of(staging->bytes)) * WAY_BITS;
    uint64_t before = team->staged;
    if (sheaf_job.settings.staging == SHEAF_STAGING_ON)
        return STAGED;
    if (sheaf_job.settings.staging == SHEAF_STAGING_STREAM)
        return sheaf_stream_way() ? STREAMED : STAGED;
    if (call == SHEAF_STAGED_BROADCAST)
        return choose(staging);
    if (staging->leads)
        team->staged = (before & ~(WAY_MASK << shift)) | (uint64_t)choose(staging) << shift;
    return (enum staged_way)(before >> shift & WAY_MASK);
}

bool sheaf_staging_takes(size_t bytes)
{
    return bytes >= LEAST && bytes <= MOST;
}

void sheaf_staging_begin(struct sheaf_staging *staging, struct sheaf_team *team,
                         enum sheaf_staged_call call, size_t bytes)
{
    *staging = (struct sheaf_staging){.bytes = bytes,
                                      .leads = call != SHEAF_STAGED_BROADCAST && team->rank == 0};
    if (!sheaf_staging_takes(bytes) || (state.is_ready && !state.is_on) ||
        __atomic_exchange_n(&state.is_taken, 1U, __ATOMIC_ACQUIRE))
        return;
    if (sheaf_unlikely(!state.is_ready))
        make_ready();
    staging->class = &state.classes[call][class_of(bytes)];
    enum staged_way way = state.is_on ? way_of(staging, team, call) : IN_PLACE;
    if (way > IN_PLACE)
        staging->place = take_part(bytes);
    staging->streams = way == STREAMED;
}

/* A copy of up to so many bytes goes by wide registers. libc's memcpy is REP MOVSB here, and has two
 * speeds: a broadcast of 32 KiB takes 2.0 us in one start of a program and 3.0 in another, in which staging
 * is then given up. By wide registers it takes 1.9 in all of them (EPYC, Zen 4). Out of the caches REP
 * MOVSB is the faster one on a Xeon. */
#define MOST_WIDE ((size_t)256 << 10)

static bool is_wide(size_t bytes)
{
    return bytes <= MOST_WIDE && sheaf_vector_way();
}

void sheaf_staging_copy(const struct sheaf_staging *staging, char *to, const char *from, size_t bytes)
{
    if (staging->streams)
        sheaf_stream_copy(to, from, bytes);
    else if (is_wide(bytes))
        sheaf_vector_copy(to, from, bytes);
    else
        memcpy(to, from, bytes);
}

void sheaf_staging_read(char *to, const char *from, size_t bytes, size_t total)
{
    if (is_wide(bytes))
        sheaf_vector_copy(to, from, bytes);
    else
        sheaf_copy_part(to, from, bytes, total);
}

void sheaf_staging_copy_blocks(const struct sheaf_staging *staging, const char *source, size_t total,
                               size_t at, size_t bytes)
{
    sheaf_staging_copy(staging, staging->place, source, at);
    sheaf_staging_copy(staging, staging->place + at, source + at + bytes, total - at - bytes);
}

/* period: from the end of the call before. */
static void learn(const struct sheaf_staging *staging, uint64_t period_ns, uint64_t took_ns)
{
    struct sheaf_copy_learner *learner = &staging->class->learner;
    bool is_long = period_ns > MOST_CALLS * took_ns;
    staging->class->long_periods = is_long ? staging->class->long_periods + 1 : 0;
    if (staging->class->long_periods >= LONG_PERIODS) {
        begin_learning(staging->class);
        sheaf_store_relaxed(&learner->left, SHEAF_COPY_LOOK);
    } else if (staging->place && staging->class->warmed < MEMORY) {
        staging->class->warmed += staging->bytes;
    } else if (!is_long) {
        sheaf_learner_took(learner, staging->bytes, period_ns);
    }
}

void sheaf_staging_end(const struct sheaf_staging *staging)
{
    struct sheaf_staging_class *class = staging->class;
    if (!class)
        return;
    if (sheaf_unlikely(staging->begun_ns != 0)) {
        uint64_t now = sheaf_clock_ns(), before = class->ended_ns;
        if (before)
            learn(staging, now - before, now - staging->begun_ns);
        class->ended_ns = sheaf_load_relaxed(&class->learner.left) <= 0 ? now : 0;
    }
    sheaf_store_release(&state.is_taken, 0U); /* read by the exchange in begin */
}

void sheaf_staging_announce(struct sheaf_team *team, const struct sheaf_staging *staging)
{
    uint64_t offset = staging->place ? (uint64_t)(staging->place - (char *)sheaf_arena_at(0)) : 0;
    struct staging_note note = {offset, team->staged, staging->leads};
    sheaf_note_post(team, &note, sizeof note);
}

const char *sheaf_staging_await(struct sheaf_team *team, int rank)
{
    struct staging_note note;
    memcpy(&note, sheaf_note_wait(team, rank), sizeof note);
    if (note.leads)
        team->staged = note.staged;
    return note.offset ? sheaf_arena_at(note.offset) : NULL;
}
