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

#define MOST        256              /* under way at once: one more has the oldest performed */
#define MOST_COPIED ((size_t)1 << 20) /* longer blocking puts are performed at once */

enum state { FREE, WAITS, RUNS };

struct entry {
    enum state state;
    uint64_t number; /* of the operation, in the order of issue, from 1 */
    uint64_t fenced; /* operations with this number and higher come after a fence behind it; 0: none do */
    uint64_t due_ns;
    struct sheaf_late late;
};

/* All of it is written with lock held. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed; /* an entry's state, or ends */
    pthread_t thread;
    bool ends;
    uint64_t seed;
    uint64_t issued;  /* the last operation's, fence's or quiet's number */
    uint64_t chosen;  /* choices that were made */
    uint64_t choices; /* a digest of them all */
    bool *has_stores; /* of each PE: the program may store to its memory */
    struct entry entries[MOST];
} chaos = {.lock = PTHREAD_MUTEX_INITIALIZER};

bool sheaf_chaos_is_on;

/* Which entries somebody waits for. */
struct those {
    enum { ALL, OF_CONTEXT, BEFORE } which;
    shmem_ctx_t ctx;
    int pe;          /* OF_CONTEXT: or SHEAF_EVERY_PE */
    uint64_t number; /* BEFORE: the operation that fences put them before */
};

static bool is_before(const struct entry *entry, shmem_ctx_t ctx, int pe, uint64_t number)
{
    return entry->fenced != 0 && entry->fenced <= number && entry->late.ctx == ctx && entry->late.pe == pe;
}

static bool is_one_of(const struct entry *entry, const struct those *those)
{
    if (entry->state == FREE)
        return false;
    switch (those->which) {
    case OF_CONTEXT:
        return entry->late.ctx == those->ctx &&
               (those->pe == SHEAF_EVERY_PE || entry->late.pe == those->pe);
    case BEFORE:
        return is_before(entry, those->ctx, those->pe, those->number);
    default:
        return true;
    }
}

/* Whether it may be performed now. */
static bool is_ready(const struct entry *entry)
{
    if (entry->state != WAITS)
        return false;
    for (int i = 0; i < MOST && entry->late.kind != SHEAF_LATE_GET; i++) {
        const struct entry *other = &chaos.entries[i];
        if (other->state != FREE && is_before(other, entry->late.ctx, entry->late.pe, entry->number))
            return false;
    }
    return true;
}

/* The one of those that may be performed and is due first; *any: whether there are any. */
static struct entry *next_of(const struct those *those, bool *any)
{
    struct entry *next = NULL;
    *any = false;
    for (int i = 0; i < MOST; i++) {
        struct entry *entry = &chaos.entries[i];
        if (!is_one_of(entry, those))
            continue;
        *any = true;
        if ((!next || entry->due_ns < next->due_ns) && is_ready(entry))
            next = entry;
    }
    return next;
}

static void perform(struct entry *entry)
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

/* Returns when they are performed, those by other threads too. Until then none is hurried. */
static void settle_from(const struct those *those, uint64_t then)
{
    bool any;
    for (;;) {
        struct entry *entry = next_of(those, &any);
        if (!any)
            return;
        const uint64_t now = sheaf_clock_ns(), until = entry && entry->due_ns < then ? entry->due_ns : then;
        if (!entry)
            pthread_cond_wait(&chaos.changed, &chaos.lock);
        else if (now < until)
            wait_until(until);
        else
            perform(entry);
    }
}

static void settle(const struct those *those)
{
    settle_from(those, 0);
}

static struct entry *find_free(void)
{
    for (int i = 0; i < MOST; i++)
        if (chaos.entries[i].state == FREE)
            return &chaos.entries[i];
    return NULL;
}

/* Makes room where there is none. */
static struct entry *take_entry(void)
{
    const struct those all = {.which = ALL};
    struct entry *entry, *next;
    bool any;
    while (!(entry = find_free()))
        if ((next = next_of(&all, &any)))
            perform(next);
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

static void choose(struct sheaf_chaos_choice *choice)
{
    pthread_mutex_lock(&chaos.lock);
    *choice = sheaf_chaos_choose(chaos.seed, sheaf_job.pe, ++chaos.chosen);
    chaos.choices = sheaf_chaos_mix(chaos.choices ^ choice->late_ns) + choice->dawdle_ns;
    pthread_mutex_unlock(&chaos.lock);
}

/* A call that issues an operation or orders some: takes the lock, and a slow PE its time before. Its number
 * is drawn with the lock held from then on, so that a fence has no part in what came meanwhile. */
static uint64_t begin(struct sheaf_chaos_choice *choice)
{
    choose(choice);
    sleep_for(choice->dawdle_ns);
    pthread_mutex_lock(&chaos.lock);
    return ++chaos.issued;
}

static bool keep(struct sheaf_late *late)
{
    if (late->is_reusable && sheaf_late_bytes(late) > MOST_COPIED)
        return false;
    return sheaf_late_keep(late);
}

void sheaf_chaos_leave(struct sheaf_late *late)
{
    SHEAF_KEEP_ERRNO;
    struct sheaf_chaos_choice choice;
    const uint64_t number = begin(&choice);
    if (choice.late_ns != 0 && keep(late)) {
        struct entry *entry = take_entry();
        *entry = (struct entry){WAITS, number, 0, sheaf_clock_ns() + choice.late_ns, *late};
        pthread_cond_broadcast(&chaos.changed);
        pthread_mutex_unlock(&chaos.lock);
        return;
    }
    if (late->kind != SHEAF_LATE_GET)
        settle(&(struct those){BEFORE, late->ctx, late->pe, number});
    pthread_mutex_unlock(&chaos.lock);
    sheaf_late_perform(late);
}

void sheaf_chaos_pass(shmem_ctx_t ctx, int pe)
{
    SHEAF_KEEP_ERRNO;
    struct sheaf_chaos_choice choice;
    const uint64_t number = begin(&choice);
    settle(&(struct those){BEFORE, ctx, pe, number});
    pthread_mutex_unlock(&chaos.lock);
    sheaf_late_order(ctx);
}

/* A store is performed when the processor does it, and comes behind a fence too. */
static bool may_store_to(int pe)
{
    return pe == sheaf_job.pe || chaos.has_stores[pe];
}

void sheaf_chaos_fence(shmem_ctx_t ctx)
{
    SHEAF_KEEP_ERRNO;
    struct sheaf_chaos_choice choice;
    const uint64_t number = begin(&choice);
    for (int i = 0; i < MOST; i++) {
        struct entry *entry = &chaos.entries[i];
        if (entry->state == FREE || entry->late.ctx != ctx || entry->late.kind == SHEAF_LATE_GET)
            continue;
        if (entry->fenced == 0)
            entry->fenced = number;
    }
    for (int pe = 0; pe < sheaf_job.npes; pe++)
        if (may_store_to(pe))
            settle(&(struct those){BEFORE, ctx, pe, number});
    pthread_mutex_unlock(&chaos.lock);
}

void sheaf_chaos_quiet(shmem_ctx_t ctx, int pe)
{
    SHEAF_KEEP_ERRNO;
    struct sheaf_chaos_choice choice;
    begin(&choice);
    settle_from(&(struct those){OF_CONTEXT, ctx, pe, 0}, choice.is_patient ? UINT64_MAX : 0);
    pthread_mutex_unlock(&chaos.lock);
}

void sheaf_chaos_quiet_all(void)
{
    SHEAF_KEEP_ERRNO;
    pthread_mutex_lock(&chaos.lock);
    settle(&(struct those){.which = ALL});
    pthread_mutex_unlock(&chaos.lock);
}

void sheaf_chaos_expect_stores(int pe)
{
    SHEAF_KEEP_ERRNO;
    pthread_mutex_lock(&chaos.lock);
    if (!may_store_to(pe)) /* a fence that is past had not expected any */
        settle(&(struct those){.which = ALL});
    chaos.has_stores[pe] = true;
    pthread_mutex_unlock(&chaos.lock);
}

static void *run(void *unused)
{
    const struct those all = {.which = ALL};
    bool any;
    (void)unused;
    prctl(PR_SET_NAME, "sheaf-chaos");
    pthread_mutex_lock(&chaos.lock);
    while (!chaos.ends) {
        struct entry *entry = next_of(&all, &any);
        if (!entry)
            pthread_cond_wait(&chaos.changed, &chaos.lock);
        else if (entry->due_ns > sheaf_clock_ns())
            wait_until(entry->due_ns);
        else
            perform(entry);
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
    int failed = pthread_create(&chaos.thread, NULL, run, NULL);
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
        sheaf_error("SH206 SHEAF_CHAOS is set, and the thread for it cannot be had: %s",
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
