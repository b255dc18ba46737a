/* SPDX-License-Identifier: BSD-3-Clause
 * See chaos.h.
 */
#include "core/access/chaos/chaos.h"

#include "base/clock.h"
#include "base/keep_errno.h"
#include "base/log.h"
#include "core/access/chaos/choice.h"
#include "core/pe/job.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

/* Operations deferred at once. Before one more is deferred, the one that is due first is performed. */
#define MOST_ENTRIES 256
#define MOST_COPIED  ((size_t)1 << 20) /* a longer blocking put is performed at once */

enum state { FREE, WAITS, RUNS };

struct entry {
    enum state state;
    uint64_t number; /* the operation's, in the order of issue, from 1 */
    uint64_t fenced; /* number of the fence behind this operation: operations with a higher number come
                        after it; 0: no fence yet */
    uint64_t due_ns;
    struct sheaf_late late;
};

/* All fields are written with lock held. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed; /* an entry's state, or ends */
    pthread_t thread;
    bool ends;
    uint64_t seed;
    uint64_t issued;  /* the last operation's, fence's or quiet's number */
    uint64_t chosen;  /* choices made so far */
    uint64_t choices; /* a digest of all choices */
    bool *has_stores; /* of each PE: the program may store to its memory */
    struct entry entries[MOST_ENTRIES];
} chaos = {.lock = PTHREAD_MUTEX_INITIALIZER};

bool sheaf_chaos_is_on;

/* A selection of entries, for a caller that waits for them. */
struct selection {
    enum { ALL, OF_CONTEXT, BEFORE } which;
    shmem_ctx_t ctx;
    int pe;          /* OF_CONTEXT: or SHEAF_EVERY_PE */
    uint64_t number; /* BEFORE: of an operation; the entries come before it by a fence */
};

static bool is_before(const struct entry *entry, shmem_ctx_t ctx, int pe, uint64_t number)
{
    return entry->fenced != 0 && entry->fenced <= number && entry->late.ctx == ctx && entry->late.pe == pe;
}

static bool is_selected(const struct entry *entry, const struct selection *selection)
{
    if (entry->state == FREE)
        return false;
    switch (selection->which) {
    case OF_CONTEXT:
        return entry->late.ctx == selection->ctx &&
               (selection->pe == SHEAF_EVERY_PE || entry->late.pe == selection->pe);
    case BEFORE:
        return is_before(entry, selection->ctx, selection->pe, selection->number);
    default:
        return true;
    }
}

/* Whether the entry may be performed now. */
static bool is_ready(const struct entry *entry)
{
    if (entry->state != WAITS)
        return false;
    for (int i = 0; i < MOST_ENTRIES && entry->late.kind != SHEAF_LATE_GET; i++) {
        const struct entry *other = &chaos.entries[i];
        if (other->state != FREE && is_before(other, entry->late.ctx, entry->late.pe, entry->number))
            return false;
    }
    return true;
}

/* The entry of the selection that may be performed and is due first, or NULL. *any: whether the
 * selection has an entry at all. */
static struct entry *next_entry(const struct selection *selection, bool *any)
{
    struct entry *next = NULL;
    *any = false;
    for (int i = 0; i < MOST_ENTRIES; i++) {
        struct entry *entry = &chaos.entries[i];
        if (!is_selected(entry, selection))
            continue;
        *any = true;
        if ((!next || entry->due_ns < next->due_ns) && is_ready(entry))
            next = entry;
    }
    return next;
}

static void perform_entry(struct entry *entry)
{
    entry->state = RUNS;
    pthread_mutex_unlock(&chaos.lock);
    sheaf_late_perform(&entry->late);
    pthread_mutex_lock(&chaos.lock);
    entry->state = FREE;
    pthread_cond_broadcast(&chaos.changed);
}

static void wait_until(uint64_t ns)
{
    const struct timespec time = {(time_t)(ns / SHEAF_SECOND), (long)(ns % SHEAF_SECOND)};
    pthread_cond_timedwait(&chaos.changed, &chaos.lock, &time);
}

/* Returns when all entries of the selection have been performed, by this thread or by others. Before
 * the time then, this thread performs only entries that are due. */
static void complete_entries_from(const struct selection *selection, uint64_t then)
{
    bool any;
    for (;;) {
        struct entry *entry = next_entry(selection, &any);
        if (!any)
            return;
        const uint64_t now = sheaf_clock_ns(), until = entry && entry->due_ns < then ? entry->due_ns : then;
        if (!entry)
            pthread_cond_wait(&chaos.changed, &chaos.lock);
        else if (now < until)
            wait_until(until);
        else
            perform_entry(entry);
    }
}

static void complete_entries(const struct selection *selection)
{
    complete_entries_from(selection, 0);
}

static struct entry *find_free(void)
{
    for (int i = 0; i < MOST_ENTRIES; i++)
        if (chaos.entries[i].state == FREE)
            return &chaos.entries[i];
    return NULL;
}

/* Returns a free entry; while there is none, performs the entry that is due first. */
static struct entry *take_entry(void)
{
    const struct selection all = {.which = ALL};
    struct entry *entry, *next;
    bool any;
    while (!(entry = find_free()))
        if ((next = next_entry(&all, &any)))
            perform_entry(next);
        else
            pthread_cond_wait(&chaos.changed, &chaos.lock);
    return entry;
}

static void sleep_for(uint64_t ns)
{
    const struct timespec time = {(time_t)(ns / SHEAF_SECOND), (long)(ns % SHEAF_SECOND)};
    if (ns != 0)
        nanosleep(&time, NULL);
}

static void draw_choice(struct sheaf_chaos_choice *choice)
{
    pthread_mutex_lock(&chaos.lock);
    *choice = sheaf_chaos_choose(chaos.seed, sheaf_job.pe, ++chaos.chosen);
    chaos.choices = sheaf_chaos_mix(chaos.choices ^ choice->late_ns) + choice->dawdle_ns;
    pthread_mutex_unlock(&chaos.lock);
}

/* Begins a call that issues an operation or orders some: sleeps where the choice says so, then takes
 * the lock and draws the call's number. The lock stays held, so that a fence does not cover operations
 * issued during the sleep. */
static uint64_t begin_call(struct sheaf_chaos_choice *choice)
{
    draw_choice(choice);
    sleep_for(choice->dawdle_ns);
    pthread_mutex_lock(&chaos.lock);
    return ++chaos.issued;
}

static bool copy_source(struct sheaf_late *late)
{
    if (late->is_reusable && sheaf_late_bytes(late) > MOST_COPIED)
        return false;
    return sheaf_late_copy_source(late);
}

void sheaf_chaos_defer(struct sheaf_late *late)
{
    SHEAF_KEEP_ERRNO;
    struct sheaf_chaos_choice choice;
    const uint64_t number = begin_call(&choice);
    if (choice.late_ns != 0 && copy_source(late)) {
        struct entry *entry = take_entry();
        *entry = (struct entry){WAITS, number, 0, sheaf_clock_ns() + choice.late_ns, *late};
        pthread_cond_broadcast(&chaos.changed);
        pthread_mutex_unlock(&chaos.lock);
        return;
    }
    if (late->kind != SHEAF_LATE_GET)
        complete_entries(&(struct selection){BEFORE, late->ctx, late->pe, number});
    pthread_mutex_unlock(&chaos.lock);
    sheaf_late_perform(late);
}

void sheaf_chaos_perform_fenced(shmem_ctx_t ctx, int pe)
{
    SHEAF_KEEP_ERRNO;
    struct sheaf_chaos_choice choice;
    const uint64_t number = begin_call(&choice);
    complete_entries(&(struct selection){BEFORE, ctx, pe, number});
    pthread_mutex_unlock(&chaos.lock);
    sheaf_late_order(ctx);
}

/* The program's own store is performed when the processor does it, and has to come behind a fence too. */
static bool may_store_to(int pe)
{
    return pe == sheaf_job.pe || chaos.has_stores[pe];
}

void sheaf_chaos_fence(shmem_ctx_t ctx)
{
    SHEAF_KEEP_ERRNO;
    struct sheaf_chaos_choice choice;
    const uint64_t number = begin_call(&choice);
    for (int i = 0; i < MOST_ENTRIES; i++) {
        struct entry *entry = &chaos.entries[i];
        if (entry->state == FREE || entry->late.ctx != ctx || entry->late.kind == SHEAF_LATE_GET)
            continue;
        if (entry->fenced == 0)
            entry->fenced = number;
    }
    for (int pe = 0; pe < sheaf_job.npes; pe++)
        if (may_store_to(pe))
            complete_entries(&(struct selection){BEFORE, ctx, pe, number});
    pthread_mutex_unlock(&chaos.lock);
}

void sheaf_chaos_quiet(shmem_ctx_t ctx, int pe)
{
    SHEAF_KEEP_ERRNO;
    struct sheaf_chaos_choice choice;
    begin_call(&choice);
    complete_entries_from(&(struct selection){OF_CONTEXT, ctx, pe, 0}, choice.is_patient ? UINT64_MAX : 0);
    pthread_mutex_unlock(&chaos.lock);
}

void sheaf_chaos_quiet_all(void)
{
    SHEAF_KEEP_ERRNO;
    pthread_mutex_lock(&chaos.lock);
    complete_entries(&(struct selection){.which = ALL});
    pthread_mutex_unlock(&chaos.lock);
}

void sheaf_chaos_expect_stores(int pe)
{
    SHEAF_KEEP_ERRNO;
    pthread_mutex_lock(&chaos.lock);
    if (!may_store_to(pe)) /* fences before this call did not expect stores */
        complete_entries(&(struct selection){.which = ALL});
    chaos.has_stores[pe] = true;
    pthread_mutex_unlock(&chaos.lock);
}

static void *run_thread(void *unused)
{
    const struct selection all = {.which = ALL};
    bool any;
    (void)unused;
    prctl(PR_SET_NAME, "sheaf-chaos");
    pthread_mutex_lock(&chaos.lock);
    while (!chaos.ends) {
        struct entry *entry = next_entry(&all, &any);
        if (!entry)
            pthread_cond_wait(&chaos.changed, &chaos.lock);
        else if (entry->due_ns > sheaf_clock_ns())
            wait_until(entry->due_ns);
        else
            perform_entry(entry);
    }
    pthread_mutex_unlock(&chaos.lock);
    return NULL;
}

/* The program's signal handlers run in the program's threads. */
static int start_thread(void)
{
    sigset_t all, before;
    pthread_condattr_t by_clock;
    pthread_condattr_init(&by_clock);
    pthread_condattr_setclock(&by_clock, CLOCK_MONOTONIC);
    pthread_cond_init(&chaos.changed, &by_clock);
    pthread_condattr_destroy(&by_clock);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(&chaos.thread, NULL, run_thread, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed;
}

int sheaf_chaos_start(uint64_t seed)
{
    chaos.ends = false;
    chaos.seed = seed;
    chaos.issued = chaos.chosen = chaos.choices = 0;
    chaos.has_stores = calloc((size_t)sheaf_job.npes, sizeof *chaos.has_stores);
    int failed = chaos.has_stores ? start_thread() : -1;
    if (failed) {
        sheaf_error("SH206 SHEAF_CHAOS is set, and its thread cannot be created: %s",
                    failed < 0 ? "no memory" : strerror(failed));
        free(chaos.has_stores);
        return -1;
    }
    sheaf_chaos_is_on = true;
    return 0;
}

void sheaf_chaos_stop(void)
{
    if (!sheaf_chaos_is_on)
        return;
    sheaf_chaos_quiet_all();
    sheaf_chaos_is_on = false;
    pthread_mutex_lock(&chaos.lock);
    chaos.ends = true;
    pthread_cond_broadcast(&chaos.changed);
    pthread_mutex_unlock(&chaos.lock);
    pthread_join(chaos.thread, NULL);
    pthread_cond_destroy(&chaos.changed);
    free(chaos.has_stores);
    sheaf_debug("SHEAF_CHAOS: %llu calls, their choices are %016llx", (unsigned long long)chaos.chosen,
                (unsigned long long)chaos.choices);
}

void sheaf_chaos_forked(void)
{
    sheaf_chaos_is_on = false;
}
