/* SPDX-License-Identifier: BSD-3-Clause
 *
 * This PE in its job. init.h starts it.
 */
#ifndef SHEAF_CORE_PE_JOB_H
#define SHEAF_CORE_PE_JOB_H

#include "base/atomic.h"
#include "base/settings/env.h"
#include "image/control.h"

#include <pthread.h>
#include <stdbool.h>

struct sheaf_job {
    int pe;                        /* this PE's number in the world */
    int npes;                      /* PEs of the world */
    int init_count;                /* shmem_init calls not yet matched by shmem_finalize */
    int thread_level;              /* SHMEM_THREAD_*; -1 before the first init */
    int prepared_level;            /* the same; -1 except between preinit and postinit of init.h */
    pthread_t thread;              /* the thread that initialized */
    struct sheaf_control *control; /* NULL in a job of one PE that no launcher started */
    struct sheaf_settings settings;
    uint32_t lock_name;            /* this process in the words of locks: 30 bits, never 0; a respawned
                                      process has another name */
};

/* Read everywhere; written by init.c alone. */
extern SHEAF_HIDDEN struct sheaf_job sheaf_job;

static inline bool sheaf_job_is_initialized(void)
{
    return __atomic_load_n(&sheaf_job.init_count, __ATOMIC_ACQUIRE) > 0;
}

/* Whether calls check their arguments: SHEAF_CHECK=args, or SHMEM_DEBUG. */
static inline bool sheaf_job_checks_args(void)
{
    return sheaf_unlikely(sheaf_job.settings.checks & 1U << SHEAF_CHECK_ARGS);
}

/* Whether blocks of the heap are guarded: SHEAF_CHECK=memory. */
static inline bool sheaf_job_checks_memory(void)
{
    return sheaf_unlikely(sheaf_job.settings.checks & 1U << SHEAF_CHECK_MEMORY);
}

/* The number of processors that this host's PEs may use together. */
int sheaf_job_cpus(void);

/* Ends the program with a line where call comes before init or after finalize. */
void sheaf_job_require(const char *call);

/* The same where call does not come between preinit and postinit (require_preinit), or comes before
 * preinit and before init (require_place). */
void sheaf_job_require_preinit(const char *call);
void sheaf_job_require_place(const char *call);

#endif
