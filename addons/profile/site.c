/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Call sites and their cells, a table of them for each thread, and the slow way of a call: whatever
 * is new, or is to be timed. A call is timed as often as costs little beside it; its time then
 * stands for those before it that were only counted.
 */
#include "profile/internal.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define MEAN_STEP 2048
/* The first calls on a PE are all timed: many sites have no others. */
#define ALL_TIMED 8
/* Where a page lies is asked at one of so many timed calls of a thread: the answer takes 1 us. */
#define LOOKS 8
/* A clock that drifts is compared with the kernel's this often. */
#define CLOCK_TICKS (UINT64_C(1) << 28)

_Thread_local struct profile_slot profile_slots[PROFILE_SLOTS]
    __attribute__((tls_model("initial-exec")));
static _Thread_local struct profile_thread *mine __attribute__((tls_model("initial-exec")));

/* What a thread knows of contexts: the last one, and whether its PEs are the world's. */
static _Thread_local struct known_context {
    shmem_ctx_t ctx;
    shmem_team_t team; /* SHMEM_TEAM_INVALID: the world's numbers */
    unsigned generation;
} known;
static unsigned generation = 1;

/* Sessions that a thread has begun; of more than these, calls are not told apart. */
#define MAX_SESSIONS 8
static _Thread_local shmem_ctx_t sessions[MAX_SESSIONS];
static _Thread_local int session_count;

#define MAX_THREADS 1024
static struct profile_thread *threads[MAX_THREADS];
static uint32_t thread_count;

static struct profile_site *sites_behind(struct profile_chunk *chunk)
{
    return (struct profile_site *)(chunk + 1);
}

/* Nobody else looks at the slots of a thread that has ended. */
static pthread_key_t at_end;
static void forget_slots(void *thread)
{
    pthread_mutex_lock(&profile.lock);
    ((struct profile_thread *)thread)->slots = NULL;
    pthread_mutex_unlock(&profile.lock);
}

static struct profile_thread *make_thread(void)
{
    struct profile_thread *thread = thread_count < MAX_THREADS ? calloc(1, sizeof *thread) : NULL;
    if (!thread)
        return NULL;
    thread->number = thread_count;
    thread->random = profile_ticks() | 1;
    thread->sites_chunk = profile_file_add(PROFILE_SITES, thread->number,
                                           PROFILE_MAX_SITES * sizeof(struct profile_site), NULL);
    thread->timeline_chunk = profile_file_add(PROFILE_TIMELINE, thread->number,
                                              PROFILE_BINS * sizeof(struct profile_bin), NULL);
    if (!thread->sites_chunk || !thread->timeline_chunk ||
        (profile.trace_events && profile_trace_prepare(thread) != 0)) {
        free(thread);
        return NULL;
    }
    thread->sites = sites_behind(thread->sites_chunk);
    thread->bins = (struct profile_bin *)(thread->timeline_chunk + 1);
    thread->sites_chunk->count = PROFILE_MAX_SITES;
    thread->timeline_chunk->count = PROFILE_BINS;
    thread->timeline_chunk->detail = UINT64_C(1) << 18;
    thread->slots = profile_slots;
    if (thread_count == 0)
        pthread_key_create(&at_end, forget_slots);
    pthread_setspecific(at_end, thread);
    threads[thread_count++] = thread;
    return thread;
}

struct profile_thread *profile_thread(void)
{
    if (likely(mine))
        return mine;
    int kept = errno;
    pthread_mutex_lock(&profile.lock);
    mine = make_thread();
    pthread_mutex_unlock(&profile.lock);
    errno = kept;
    return mine;
}

/* No thread has a short way to what was before. */
void profile_start_threads(void)
{
    pthread_mutex_lock(&profile.lock);
    for (uint32_t i = 0; i < thread_count; i++)
        for (int k = 0; threads[i]->slots && k < PROFILE_SLOTS; k++)
            __atomic_store_n(&threads[i]->slots[k].key, 0, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&profile.lock);
}

void profile_start_thread(void)
{
    memset(profile_slots, 0, sizeof profile_slots);
    if (mine)
        profile_recent_clear(mine);
}

static bool is_in_session(shmem_ctx_t ctx)
{
    for (int i = 0; i < session_count; i++)
        if (sessions[i] == ctx)
            return true;
    return false;
}

/* The thread's short ways are those of calls out of sessions, or in them. */
void profile_session(shmem_ctx_t ctx, bool begins)
{
    int kept = 0;
    for (int i = 0; i < session_count; i++)
        if (sessions[i] != ctx)
            sessions[kept++] = sessions[i];
    if (begins && kept < MAX_SESSIONS)
        sessions[kept++] = ctx;
    session_count = kept;
    profile_start_thread();
}

void profile_forget_contexts(void)
{
    __atomic_add_fetch(&generation, 1, __ATOMIC_RELAXED);
}

/* In the world, or -1. */
static int world_pe(shmem_ctx_t ctx, int pe)
{
    unsigned now = __atomic_load_n(&generation, __ATOMIC_RELAXED);
    if (ctx == SHMEM_CTX_DEFAULT)
        return pe;
    if (known.ctx != ctx || known.generation != now) {
        shmem_team_t team = SHMEM_TEAM_INVALID;
        if (profile_library.ctx_get_team(ctx, &team) != 0)
            return -1;
        known =
            (struct known_context){ctx, team == SHMEM_TEAM_WORLD ? SHMEM_TEAM_INVALID : team, now};
    }
    return known.team == SHMEM_TEAM_INVALID
               ? pe
               : profile_library.team_translate_pe(known.team, pe, SHMEM_TEAM_WORLD);
}

/* Room for cells, all zero. */
static struct profile_cell *make_cells(struct profile_thread *thread, uint32_t count, uint64_t *at)
{
    size_t bytes = count * sizeof(struct profile_cell);
    if ((size_t)(thread->cells_end - thread->cells) < bytes) {
        struct profile_chunk *chunk =
            profile_file_add(PROFILE_CELLS, thread->number, bytes, &thread->cells_at);
        if (!chunk)
            return NULL;
        thread->cells = (char *)(chunk + 1);
        thread->cells_end = (char *)chunk + chunk->bytes;
        thread->cells_at += sizeof *chunk;
    }
    struct profile_cell *cells = (struct profile_cell *)thread->cells;
    *at = thread->cells_at;
    thread->cells += bytes;
    thread->cells_at += bytes;
    return cells;
}

static bool is_of_pes(enum profile_kind kind)
{
    return kind == PROFILE_PUT || kind == PROFILE_GET || kind == PROFILE_ATOMIC;
}

/* The lock is held. */
static void fill_site(struct profile_thread *thread, struct profile_site *site, uint64_t key,
                      unsigned routine, uintptr_t address)
{
    const struct profile_routine *what = &profile_routines[routine];
    uint32_t count = is_of_pes(what->kind) ? (uint32_t)profile.npes : 1;
    struct profile_cell *cells = make_cells(thread, count, &site->cells_at);
    if (!cells)
        return;
    thread->cells_of[site - thread->sites] = cells;
    site->cell_count = count;
    site->kind = (uint32_t)what->kind;
    site->element = what->element;
    site->in_session = (key & PROFILE_IN_SESSION) != 0;
    const char *statement = profile_statement_at(address);
    strncpy(site->name, statement ? statement : what->name, sizeof site->name - 1);
    site->module = PROFILE_OF_LINES;
    site->offset = address;
    if (address >= PROFILE_MAX_LINES)
        profile_module_of(address, &site->module, &site->offset);
    __atomic_store_n(&site->key, key, __ATOMIC_RELEASE);
    thread->site_count++;
}

static struct profile_site *find_site(struct profile_thread *thread, uint64_t key, unsigned routine,
                                      uintptr_t address)
{
    unsigned at = (unsigned)((key ^ key >> 11 ^ key >> 48) % PROFILE_MAX_SITES);
    while (thread->sites[at].key && thread->sites[at].key != key)
        at = (at + 1) % PROFILE_MAX_SITES;
    struct profile_site *site = &thread->sites[at];
    if (site->key == key)
        return site;
    if (thread->site_count >= PROFILE_MAX_SITES - 1)
        return NULL;
    int kept = errno;
    pthread_mutex_lock(&profile.lock);
    fill_site(thread, site, key, routine, address);
    pthread_mutex_unlock(&profile.lock);
    errno = kept;
    return site->key ? site : NULL;
}

/* Calls of lines and for statements have no short way: the next one may be another's. */
static struct profile_slot *slot_for(struct profile_thread *thread, unsigned routine,
                                     uintptr_t called, bool in_session)
{
    static _Thread_local struct profile_slot of_line;
    uintptr_t address = profile_line_of(called);
    struct profile_slot *slot =
        profile_is_plain(called) ? &thread->slots[profile_slot_of(address)] : &of_line;
    uint64_t key = profile_key(address, routine);
    if (slot->key == key && slot->site->in_session == in_session)
        return slot;
    struct profile_site *site =
        find_site(thread, in_session ? key | PROFILE_IN_SESSION : key, routine, address);
    if (!site)
        return NULL;
    *slot =
        (struct profile_slot){key, thread->cells_of[site - thread->sites], site->cell_count, site};
    return slot;
}

void profile_enter(struct profile_call *call, unsigned routine, uintptr_t address, shmem_ctx_t ctx,
                   int pe, uint64_t bytes)
{
    enum profile_kind kind = profile_routines[routine].kind;
    *call = (struct profile_call){.bytes = bytes, .pe = pe < 0 ? -1 : pe};
    if (!profile.is_on)
        return;
    struct profile_thread *thread = profile_thread();
    if (is_of_pes(kind)) {
        call->pe = world_pe(ctx, pe);
        if ((unsigned)call->pe >= (unsigned)profile.npes)
            return; /* the library refuses it */
    }
    struct profile_slot *slot =
        thread ? slot_for(thread, routine, address, is_of_pes(kind) && is_in_session(ctx))
               : NULL;
    if (!slot) {
        __atomic_add_fetch(&profile.header->lost_calls, 1, __ATOMIC_RELAXED);
        return;
    }
    unsigned which = slot->cell_count > 1 ? (unsigned)call->pe : 0;
    struct profile_cell *cell = &slot->cells[which];
    uint32_t *left = profile_recent_left(thread, slot->site, which);
    if (!slot->site->element)
        cell->tally.bytes += bytes;
    if ((int32_t)*left > 0) {
        --*left;
        profile_recent_open(thread, slot->site);
        return;
    }
    *left = 0;
    cell->ops++;
    if (cell->tally.mark == 0)
        cell->tally.mark = 1;
    call->cell = cell;
    call->site = slot->site;
    call->begin = profile_ticks();
}

static void fold(struct profile_thread *thread)
{
    struct profile_bin *bins = thread->bins;
    for (int i = 0; i < PROFILE_BINS; i++) {
        struct profile_bin bin = bins[i];
        memset(&bins[i], 0, sizeof bin);
        for (int k = 0; k < PROFILE_KINDS; k++)
            bins[i / 2].ticks[k] += bin.ticks[k];
    }
    thread->timeline_chunk->detail *= 2;
}

/* Spread over the bins that it touches. */
static void add_time(struct profile_thread *thread, uint32_t kind, uint64_t begin, uint64_t end)
{
    uint64_t zero = profile.header->begin;
    begin = begin > zero ? begin - zero : 0;
    end = end > zero ? end - zero : 0;
    while (end / thread->timeline_chunk->detail >= PROFILE_BINS)
        fold(thread);
    uint64_t width = thread->timeline_chunk->detail;
    while (begin < end) {
        uint64_t edge = (begin / width + 1) * width, until = edge < end ? edge : end;
        thread->bins[begin / width].ticks[kind] += until - begin;
        begin = until;
    }
}

static uint64_t next_random(struct profile_thread *thread)
{
    uint64_t random = thread->random;
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    return thread->random = random;
}

/* How many calls the next timed one stands for: at random, so that no rhythm of the program's is
 * met; drawn before it is known how long that one takes, so that the sum is right on average; and a
 * part of those before, since the first calls are not like the others. */
static uint32_t next_step(struct profile_thread *thread, const struct profile_cell *cell,
                          uint64_t ticks)
{
    if (profile.is_tracing || cell->ops < ALL_TIMED || ticks >= profile.long_ticks)
        return 1;
    uint64_t mean = profile.long_ticks / (ticks + 1);
    mean = mean > MEAN_STEP ? MEAN_STEP : mean;
    mean = mean > cell->ops / 4 ? cell->ops / 4 : mean;
    return 1 + (uint32_t)((next_random(thread) >> 32) * (2 * mean - 1) >> 32);
}

/* Whether the kernel is asked for the memory node: at one of LOOKS calls on average, at random for the same
 * reason. */
static bool is_to_look(struct profile_thread *thread)
{
    if (thread->looks > 0) {
        thread->looks--;
        return false;
    }
    thread->looks = (uint32_t)((next_random(thread) >> 32) * (2 * LOOKS - 1) >> 32);
    return true;
}

static void note_spread(struct profile_site *site, uint32_t step, uint64_t ticks)
{
    double weight = (double)step * (step - 1.0), length = (double)ticks;
    site->spread[0] += weight;
    site->spread[1] += weight * length;
    site->spread[2] += weight * length * length;
}

static void note_event(struct profile_thread *thread, const struct profile_call *call, uint64_t end,
                       uint32_t sequence)
{
    /* A single word that is put may be what another PE waits for. */
    const void *word = call->signal ? call->signal : call->site->element ? call->place : NULL;
    struct profile_event event = {.begin = call->begin,
                                  .end = end,
                                  .bytes = call->bytes,
                                  .pe = call->pe,
                                  .kind = call->site->kind,
                                  .signal = word ? profile_heap_place(word) : 0,
                                  .site = (uint32_t)(call->site - thread->sites),
                                  .sequence = sequence};
    profile_trace_add(thread, &event);
}

void profile_leave(struct profile_call *call)
{
    struct profile_cell *cell = call->cell;
    struct profile_thread *thread = mine;
    bool is_collective = call->team != SHMEM_TEAM_INVALID || call->set.size > 0;
    if (!cell || !thread) {
        if (is_collective && profile.is_up)
            profile_collective_skip(call);
        return;
    }
    uint64_t end = profile_ticks(), clock = profile.header->clock,
             ticks = end > call->begin + clock ? end - call->begin - clock : 0,
             step = cell->tally.mark, all = ticks * step;
    struct profile_site *site = call->site;
    uint32_t kind = site->kind, sequence = 0;
    bool is_always = kind == PROFILE_WAIT || kind == PROFILE_COLLECTIVE || kind == PROFILE_MEMORY ||
                     kind == PROFILE_LOCK || kind == PROFILE_TEAM;
    cell->ticks += all;
    if (step > 1)
        note_spread(site, (uint32_t)step, ticks);
    cell->tally.mark = is_always ? 1 : next_step(thread, cell, ticks);
    unsigned which = (unsigned)(cell - thread->cells_of[site - thread->sites]);
    uint32_t left = cell->tally.mark - 1;
    cell->ops += left;
    *profile_recent_left(thread, site, which) = left;
    if (left && site->module != PROFILE_OF_LINES && profile_is_plain(profile_address_of(site->key)))
        profile_recent_use(thread, site, which);
    site->is_sampled |= left > 0;
    if (ticks > site->longest)
        site->longest = ticks;
    profile.header->last = end;
    if (call->place && profile.header->nodes > 1 && is_to_look(thread))
        profile_nodes_note(site, call->place, call->pe, call->bytes * step);
    add_time(thread, kind, end - all, end);
    if (is_collective)
        sequence = profile_collective_note(
            call, (uint32_t)(site - thread->sites) | thread->number << 16, end);
    if (profile.is_tracing)
        note_event(thread, call, end, sequence);
    if (end - profile.header->tick[1] > CLOCK_TICKS)
        profile_file_clock();
}

void profile_leave_memory(struct profile_call *call, const void *freed, const void *made,
                          size_t bytes)
{
    int kept = errno;
    if (call->site && profile.is_on)
        profile_heap_note(call->site, freed, made, bytes);
    errno = kept;
    profile_leave(call);
}

uint64_t profile_shape_bytes(const size_t *counts, int dims)
{
    uint64_t bytes = 1;
    for (int i = 0; counts && i < dims && i < 8; i++)
        bytes *= counts[i];
    return dims > 0 ? bytes : 0;
}
