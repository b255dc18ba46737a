/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Snapshots that settings ask for: the program's next shmem_barrier_all takes one. All PEs must choose the
 * same barrier, so they exchange notes at a barrier; where barriers are frequent, at one of 16. This file
 * also warns about each setting that had no effect because the program made no call that it needs.
 */
#include "snapshot/snapshot.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/times.h"
#include "core/pe/job.h"
#include "core/team/agree.h"
#include "core/team/note.h"
#include "image/image.h"
#include "image/imports.h"
#include "snapshot/buddy.h"
#include "snapshot/file/bytes.h"

#include <signal.h>
#include <string.h>

/* The most barriers from one exchange of notes to the next. */
#define MOST_SKIP 16

/* When the last snapshot, or the job, began; and when notes were last exchanged. */
static uint64_t last_ns, asked_ns;
static uint32_t skip = 1, skipped; /* barriers from one exchange to the next */
static volatile sig_atomic_t is_signalled;
static bool has_barrier; /* shmem_barrier_all has been called */

struct snapshot_note {
    uint32_t wants;
    uint32_t skip;
};

static void on_signal(int number)
{
    (void)number;
    is_signalled = 1;
}

static void read_note(void *result, int rank, const void *note)
{
    struct snapshot_note *all = result, other;
    memcpy(&other, note, sizeof other);
    all->wants |= other.wants;
    all->skip = rank == 0 ? other.skip : all->skip;
}

/* Only PE 0's clock decides whether a snapshot is due. */
static struct snapshot_note make_note(uint64_t now)
{
    uint64_t every = sheaf_job.settings.snapshot_every_ns;
    bool is_often = now - asked_ns < sheaf_times.snapshot_ask;
    bool is_due = sheaf_job.pe == 0 && every && now - last_ns >= every;
    uint32_t next = is_often ? 2 * skip : skip / 2;
    return (struct snapshot_note){is_due || is_signalled,
                                  next < 1 ? 1 : next > MOST_SKIP ? MOST_SKIP : next};
}

static bool takes_by_itself(void)
{
    return sheaf_job.settings.snapshot_every_ns || sheaf_job.settings.snapshot_signal;
}

static void warn_without_effect(void)
{
    uint64_t every = sheaf_job.settings.snapshot_every_ns;
    sheaf_snapshot_check_restart(false);
    if (sheaf_job.pe != 0)
        return;
    if (!has_barrier && (is_signalled || (every && sheaf_clock_ns() - last_ns >= every)))
        sheaf_warn("SH803 SHEAF_SNAPSHOT_EVERY and SHEAF_SNAPSHOT_SIGNAL have taken no snapshot: the "
                   "program has not called shmem_barrier_all, which takes it");
    else if (sheaf_buddy_is_asked_for() && !takes_by_itself() && !sheaf_snapshot_is_used())
        sheaf_warn("SH806 SHEAF_BUDDY=on has had no effect: the program has neither taken nor restored a "
                   "snapshot; call shmemx_snapshot, or set SHEAF_SNAPSHOT_DIR and SHEAF_SNAPSHOT_EVERY");
}

/* A sheaf_agree_visit: all members are about to begin call. */
static void at_collective(struct sheaf_team *team, const char *call)
{
    if (strcmp(call, "shmem_finalize") == 0)
        warn_without_effect();
    if (!takes_by_itself() || team != sheaf_team_world() || strcmp(call, "shmem_barrier_all") != 0)
        return;
    has_barrier = true;
    if (++skipped < skip)
        return;
    uint64_t now = sheaf_clock_ns();
    struct snapshot_note mine = make_note(now), all = {0, 1};
    sheaf_team_gather(team, &mine, sizeof mine, read_note, &all);
    skip = all.skip;
    skipped = 0;
    asked_ns = now;
    if (!all.wants)
        return;
    is_signalled = 0;
    sheaf_snapshot_take(team, NULL, "auto", "SHEAF_SNAPSHOT_DIR");
    last_ns = sheaf_clock_ns();
}

static int watch_signal(const char *name)
{
    int number = strcmp(name, "USR1") == 0 ? SIGUSR1 : strcmp(name, "USR2") == 0 ? SIGUSR2 : 0;
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    if (number && sigaction(number, &action, NULL) == 0)
        return 0;
    sheaf_error("SH201 SHEAF_SNAPSHOT_SIGNAL is \"%s\", and must be USR1 or USR2", name);
    return -1;
}

int sheaf_snapshot_prepare(const struct sheaf_settings *settings)
{
    if (settings->snapshot_compress == SHEAF_COMPRESS_ZSTD && !sheaf_zstd_is_there()) {
        sheaf_error("SH203 SHEAF_SNAPSHOT_COMPRESS is \"zstd\", and %s",
                    sheaf_image.is_static ? "a statically linked program can load no library"
                                          : "libzstd.so.1 is not installed");
        return -1;
    }
    if (settings->save_on_failure && (sheaf_image.has_own_file || !sheaf_image.control)) {
        sheaf_error("SH203 SHEAF_SAVE_ON_FAILURE needs oshrun, on one host: there each PE's memory "
                    "outlives it");
        return -1;
    }
    if (settings->buddy == SHEAF_BUDDY_ON && settings->onnode == SHEAF_ONNODE_OFF) {
        sheaf_error("SH203 SHEAF_BUDDY=on is about hosts, and with SHEAF_ONNODE=off each PE is one: leave "
                    "one out");
        return -1;
    }
    sheaf_agree_set_visit(settings->restart || settings->buddy == SHEAF_BUDDY_ON ? at_collective : NULL);
    if (settings->restart && !sheaf_image_imports("shmemx_restore", true))
        sheaf_snapshot_check_restart(false);
    if (!settings->snapshot_dir) {
        if (!settings->snapshot_every_ns && !settings->snapshot_signal)
            return 0;
        sheaf_error("SH203 SHEAF_SNAPSHOT_EVERY and SHEAF_SNAPSHOT_SIGNAL need a folder: set "
                    "SHEAF_SNAPSHOT_DIR");
        return -1;
    }
    last_ns = sheaf_clock_ns();
    if (settings->snapshot_signal && watch_signal(settings->snapshot_signal) != 0)
        return -1;
    if (settings->snapshot_every_ns || settings->snapshot_signal)
        sheaf_agree_set_visit(at_collective);
    return 0;
}
