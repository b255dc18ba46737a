/* SPDX-License-Identifier: BSD-3-Clause
 * See sync.h. An image that stops takes part in each later SYNC ALL of the initial team, so that
 * the others do not wait for it for ever, and tells them before at which one it was the first time.
 */
#include "sync.h"

#include <setjmp.h>
#include <shmemx_ft.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What each PE has of each other, in symmetric memory. */
struct meeting {
    uint64_t arrived; /* how often it has come to a SYNC IMAGES with the owner */
    uint64_t stopped; /* 0, or the SYNC ALL that it took part in first as one that had stopped */
};

static struct meeting *meetings; /* by PE */
static uint64_t *expected;       /* arrivals, by PE */
static uint64_t *told;           /* this image's own arrivals, by PE */
static bool *is_written;         /* PEs of other hosts: puts may be under way */
static bool are_written;         /* this image's writes, posted events too, may be under way */
static bool has_far;           /* PEs on other hosts: their deaths can end a quiet or a put */
static bool *is_known_stopped; /* PEs: a statement of this image has found it out */
static char (*waits)[32];      /* by image: the statement that waits for it, for reports */

static sigjmp_buf out; /* of the call that waits for a dead PE */
static bool may_leave;

static void leave(void *unused)
{
    (void)unused;
    if (!may_leave)
        sheaf_outcome_refuse(
            "an image has failed",
            "this statement cannot end without it; SYNC statements with STAT= can");
    may_leave = false;
    siglongjmp(out, 1);
}

/* Again after each death: what is for the dead does not count then, and all it does may be done twice. */
#define DESPITE_DEATHS(DO)                                                                         \
    do {                                                                                           \
        if (has_far)                                                                               \
            sigsetjmp(out, 0);                                                                     \
        may_leave = has_far;                                                                       \
        DO;                                                                                        \
        may_leave = false;                                                                         \
    } while (0)

void sheaf_sync_quiet(void)
{
    DESPITE_DEATHS(shmem_quiet());
    if (are_written)
        memset(is_written, 0, (size_t)shmem_n_pes());
    are_written = false;
}

void sheaf_sync_before_get(int pe)
{
    if (!is_written[pe])
        return;
    shmem_pe_quiet(&pe, 1);
    is_written[pe] = false;
}

void sheaf_sync_before_put(int pe)
{
    if (is_written[pe])
        shmem_fence();
    is_written[pe] = are_written = true;
}

void sheaf_sync_posted(int pe)
{
    are_written |= !shmem_ptr(meetings, pe);
}

void sheaf_sync_begin(void)
{
    size_t pes = (size_t)sheaf_current->images;
    shmemx_on_failure(leave, NULL);
    meetings = shmem_calloc(pes, sizeof *meetings);
    expected = calloc(pes, sizeof *expected);
    told = calloc(pes, sizeof *told);
    is_written = calloc(pes, sizeof *is_written);
    is_known_stopped = calloc(pes, sizeof *is_known_stopped);
    waits = calloc(pes, sizeof *waits);
    if (!meetings || !expected || !told || !is_written || !is_known_stopped || !waits)
        sheaf_outcome_refuse("start", "no memory for what %zu images have of each other", pes);
    for (int pe = 0; pe < sheaf_current->images; pe++)
        has_far |= !shmem_ptr(meetings, pe);
}

/* All living members come here once one has died, some of them a SYNC behind: those have met the
 * others by it, and the others wait for them once more. Returns whether this image has met all. */
static bool go_on_without(struct sheaf_images *team)
{
    shmem_team_t living;
    if (shmemx_team_shrink(team->team, &living) != 0)
        sheaf_outcome_refuse("SYNC", "the team of the living images cannot be made");
    if (team->has_failed)
        shmem_team_destroy(team->team);
    team->team = living;
    team->has_failed = true;
    size_t count = (size_t)shmem_team_n_pes(living);
    uint64_t *syncs = malloc(count * sizeof *syncs), most = 0;
    bool are_equal = true;
    if (!syncs)
        sheaf_outcome_refuse("SYNC", "no memory for %zu numbers", count);
    shmemx_team_exchange(living, &team->syncs, sizeof team->syncs, syncs);
    for (size_t i = 0; i < count; i++) {
        most = syncs[i] > most ? syncs[i] : most;
        are_equal &= syncs[i] == syncs[0];
    }
    free(syncs);
    return are_equal || team->syncs < most;
}

void sheaf_sync_team(struct sheaf_images *team)
{
    sheaf_sync_quiet();
    team->syncs++;
    if (sigsetjmp(out, 0) != 0 && go_on_without(team))
        return;
    may_leave = true;
    shmem_team_sync(team->team);
    may_leave = false;
}

int sheaf_sync_status(int pe)
{
    if (shmemx_pe_status(pe) != SHMEMX_PE_ALIVE)
        return SHEAF_STAT_FAILED;
    bool has_stopped =
        is_known_stopped[pe] || __atomic_load_n(&meetings[pe].stopped, __ATOMIC_ACQUIRE) != 0;
    return has_stopped ? SHEAF_STAT_STOPPED : 0;
}

/* How many images took part in the last SYNC ALL of the initial team as stopped ones; an image in
 * *which. A mark of a later one may be there already. */
static int count_stopped(const struct sheaf_images *initial, int *which)
{
    int count = 0;
    for (int pe = 0; pe < shmem_n_pes(); pe++) {
        uint64_t since = __atomic_load_n(&meetings[pe].stopped, __ATOMIC_ACQUIRE);
        if (since != 0 && since <= initial->syncs) {
            is_known_stopped[pe] = true;
            *which = pe + 1;
            count++;
        }
    }
    return count;
}

/* Not 0 once an image has stopped: each that does sets it on all PEs. */
static uint64_t *any_stopped(void)
{
    return &meetings[shmem_my_pe()].arrived; /* nobody meets itself: free for this */
}

void sheaf_sync_all(const struct sheaf_outcome *outcome)
{
    sheaf_sync_team(sheaf_current);
    int which = 0;
    if (!sheaf_current->parent && __atomic_load_n(any_stopped(), __ATOMIC_ACQUIRE) != 0 &&
        count_stopped(sheaf_current, &which) > 0)
        sheaf_outcome_bad(outcome, SHEAF_STAT_STOPPED, "image %d has stopped", which);
    else if (sheaf_current->has_failed)
        sheaf_outcome_bad(outcome, SHEAF_STAT_FAILED, "%d images of the team have failed",
                          sheaf_current->images - shmem_team_n_pes(sheaf_current->team));
    else
        sheaf_outcome_good(outcome);
}

/* Reports say for which image the program's statement waits. A profile has one row of all. */
static void tell_wait(const struct sheaf_outcome *outcome, int image, const void *site)
{
    char *text = waits[image - 1];
    if (!text[0])
        snprintf(text, sizeof *waits, "%s(%d)", outcome->statement, image);
    shmemx_call_for(text, site);
}

static bool has_come(int pe)
{
    return shmem_uint64_test(&meetings[pe].arrived, SHMEM_CMP_GE, expected[pe]);
}

/* As long as two images that come at once take to see each other; what else a wait prepares takes 60 ns. */
static bool comes_soon(int pe)
{
    bool has = has_come(pe);
    for (int looks = 0; !has && looks < 100; looks++)
        has = has_come(pe);
    return has;
}

/* Returns 0 where the image has come, or why it will not. */
static int meet(const struct sheaf_outcome *outcome, int image, int pe, const void *site)
{
    expected[pe]++;
    if (comes_soon(pe))
        return 0;
    if (!sheaf_is_observed)
        tell_wait(outcome, image, site);
    uint64_t least[] = {expected[pe], 1};
    /* A wait leaves once for each death, whoever is waited for. */
    if (sigsetjmp(out, 0) != 0)
        shmemx_failed_pes(NULL);
    if (shmemx_pe_status(pe) != SHMEMX_PE_ALIVE && !has_come(pe)) {
        expected[pe]--;
        return SHEAF_STAT_FAILED;
    }
    may_leave = true;
    size_t which =
        shmem_uint64_wait_until_any_vector(&meetings[pe].arrived, 2, NULL, SHMEM_CMP_GE, least);
    may_leave = false;
    /* It may have come and then stopped. */
    if (which == 1 && !has_come(pe)) {
        expected[pe]--;
        is_known_stopped[pe] = true;
        return SHEAF_STAT_STOPPED;
    }
    return 0;
}

static void tell_arrival(int pe)
{
    told[pe]++;
    if (shmemx_pe_status(pe) == SHMEMX_PE_ALIVE)
        DESPITE_DEATHS(shmem_signal_set(&meetings[shmem_my_pe()].arrived, told[pe], pe));
}

/* Before arrivals are told. A quiet between hosts would ask for the acknowledgement of the last arrivals,
 * which takes two messages more, and none is needed where this image has written nothing since. The
 * arrivals go with the puts, not in a context of their own: its connection would carry nothing back, and
 * the kernel would acknowledge each of its messages. */
static void before_arrivals(void)
{
    if (has_far && !are_written && !sheaf_is_observed)
        shmem_fence();
    else
        sheaf_sync_quiet();
}

void sheaf_sync_images(const struct sheaf_outcome *outcome, int count, const int *images, const void *site)
{
    int all = count < 0, me = shmem_my_pe(), status = 0, which = 0;
    count = all ? sheaf_current->images : count;
    for (int i = 0; i < count; i++)
        for (int j = 0; !all && j < i; j++)
            if (images[i] == images[j]) {
                sheaf_outcome_bad(outcome, SHEAF_STAT_TWICE, "image %d is there twice", images[i]);
                return;
            }
    before_arrivals();
    for (int i = 0; i < count; i++) {
        int pe = sheaf_images_pe(outcome->statement, all ? i + 1 : images[i] > 0 ? images[i] : -1);
        if (pe != me)
            tell_arrival(pe);
    }
    for (int i = 0; i < count; i++) {
        int image = all ? i + 1 : images[i], pe = sheaf_images_pe(outcome->statement, image);
        int met = pe == me ? 0 : meet(outcome, image, pe, site);
        which = met ? image : which;
        status = met && status != SHEAF_STAT_STOPPED ? met : status;
    }
    if (status)
        sheaf_outcome_bad(outcome, status, "image %d has %s", which,
                          status == SHEAF_STAT_STOPPED ? "stopped" : "failed");
    else
        sheaf_outcome_good(outcome);
}

/* An image that waits for an arrival of this one must not take it for stopped before. */
static void tell_stopped(uint64_t since)
{
    int me = shmem_my_pe(), npes = shmem_n_pes();
    for (int pe = 0; pe < npes; pe++)
        if (shmemx_pe_status(pe) == SHMEMX_PE_ALIVE)
            shmem_uint64_p(&meetings[me].stopped, since, pe);
    shmem_fence();
    for (int pe = 0; pe < npes; pe++)
        if (shmemx_pe_status(pe) == SHMEMX_PE_ALIVE)
            shmem_uint64_atomic_set(&meetings[pe].arrived, 1, pe); /* any_stopped of that PE */
    shmem_quiet();
}

void sheaf_sync_stop(void)
{
    int which;
    struct sheaf_images *initial = sheaf_current;
    while (initial->parent)
        initial = initial->parent;
    sheaf_sync_quiet();
    DESPITE_DEATHS(tell_stopped(initial->syncs + 1));
    do
        sheaf_sync_team(initial);
    while (count_stopped(initial, &which) + shmemx_failed_pes(NULL) < shmem_n_pes());
}
