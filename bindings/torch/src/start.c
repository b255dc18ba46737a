/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The job that a process joins, once, and its thread, which moves operations on that nobody waits
 * for.
 */
#include "torch.h"

#include <pthread.h>
#include <sched.h>
#include <shmemx_ft.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define IDLE_NS 100000000 /* after so long without a call the thread sleeps until the next one */

static pthread_t thread;
static pid_t process; /* 0: the job has not begun, or has ended here */

/* Goes on with what nobody waits for; how long to sleep then. */
static long work_once(unsigned *still)
{
    uint64_t before = sheaf_job_moves;
    if (!sheaf_job_pending || sheaf_job_has_waiters())
        return 1000000;
    if (!sheaf_job_guard(sheaf_operation_turn_all, NULL))
        sheaf_group_fail_of_dead();
    *still = sheaf_job_moves != before ? 0 : *still + 1;
    return *still < 20 ? 0 : 20000L << (*still < 60 ? (*still - 20) / 8 : 5);
}

static void *work(void *unused)
{
    unsigned still = 0;
    sheaf_job_lock();
    while (!sheaf_job_is_closed()) {
        if (sheaf_job_idle(IDLE_NS))
            continue;
        long ns = work_once(&still);
        sheaf_job_unlock();
        if (ns)
            sheaf_job_sleep(ns);
        else
            sched_yield();
        sheaf_job_lock();
    }
    sheaf_job_unlock();
    return unused;
}

static int start_thread(void)
{
    sigset_t all, before;
    sheaf_job_count(shmem_team_n_pes(SHMEM_TEAM_SHARED));
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(&thread, NULL, work, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed;
}

static void tell_others(void *unused)
{
    (void)unused;
    for (struct sheaf_group *group = sheaf_job_groups; group; group = group->next) {
        char text[SHEAF_TORCH_TEXT];
        snprintf(text, sizeof text, "rank %d has ended", group->rank);
        if (!group->has_failed)
            sheaf_group_tell(group, text);
        sheaf_group_fail(group, text);
    }
}

/* Ends the thread and all operations, before the library ends; the others hear that this rank is
 * gone. */
SHEAF_EXPORTED void sheaf_torch_end(void)
{
    if (process != getpid())
        return;
    process = 0;
    sheaf_job_lock();
    sheaf_job_guard(tell_others, NULL);
    sheaf_job_close();
    sheaf_job_unlock();
    pthread_join(thread, NULL);
}

/* Joins the job: by an identifier, as number rank of size processes; or, where id is NULL, the one
 * that oshrun has begun. The number of the PE, or -1 after a line that says why. */
SHEAF_EXPORTED int sheaf_torch_start(const char *id, int rank, int size)
{
    int provided;
    shmemx_uniqueid_t identifier;
    if (process == getpid())
        return shmem_my_pe();
    if (id) {
        memset(&identifier, 0, sizeof identifier);
        memcpy(&identifier, id, strnlen(id, sizeof identifier - 1));
    }
    if (id ? shmemx_init_uid_thread(rank, size, &identifier, SHMEM_THREAD_MULTIPLE, &provided)
           : shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided))
        return -1;
    if (start_thread() != 0)
        return -1;
    process = getpid();
    atexit(sheaf_torch_end);
    return shmem_my_pe();
}

/* Makes the text of an identifier; of 512 letters at most. */
SHEAF_EXPORTED int sheaf_torch_identifier(char *text)
{
    shmemx_uniqueid_t identifier;
    if (shmemx_get_uniqueid(&identifier) != 0)
        return -1;
    memcpy(text, &identifier, sizeof identifier);
    return 0;
}

SHEAF_EXPORTED int sheaf_torch_size(void)
{
    return shmem_n_pes();
}

/* Whether the PE is known to have died; 0 where this process is none itself. */
SHEAF_EXPORTED int sheaf_torch_has_died(int pe)
{
    return process == getpid() && shmemx_pe_status(pe) == SHMEMX_PE_DEAD;
}

/* Whether this process is a PE, and no child of one. */
SHEAF_EXPORTED int sheaf_torch_is_up(void)
{
    return process && process == getpid();
}

SHEAF_EXPORTED void sheaf_torch_finalize(void)
{
    shmem_finalize();
}
