/* SPDX-License-Identifier: BSD-3-Clause
 *
 * This PE's place in its job, and the way from nothing to initialized and back.
 */
#ifndef SHEAF_CORE_PE_JOB_H
#define SHEAF_CORE_PE_JOB_H

#include "base/env.h"
#include "image/control.h"

#include <pthread.h>
#include <stdbool.h>

struct sheaf_job {
    int pe;                        /* my number in the world */
    int npes;                      /* PEs of the world */
    int init_count;                /* shmem_init calls not yet matched by shmem_finalize */
    int thread_level;              /* SHMEM_THREAD_*; -1 before the first init */
    pthread_t thread;              /* that initialized */
    struct sheaf_control *control; /* NULL in a job of one PE that no launcher started */
    struct sheaf_settings settings;
};

/* Read by everybody; written by init.c alone. */
extern struct sheaf_job sheaf_job;

/* What the layers above get ready once the settings are known, before the first team is made;
 * prints the reason when it returns -1. */
typedef int sheaf_job_prepare(const struct sheaf_settings *settings);

/* One more initialization; the first brings the library up, and is collective. Returns 0, or
 * prints the reason and returns -1. */
int sheaf_job_init(int thread_level, sheaf_job_prepare *prepare);

/* The same in two steps, between which the PE's place is known and another runtime hands in its heap. The
 * first returns the thread level that the second brings into force, or prints the reason and returns -1. */
int sheaf_job_preinit(int thread_level);
int sheaf_job_postinit(sheaf_job_prepare *prepare);

/* Each ends the program with a line that says so: when call does not come between the two steps, and when
 * it comes before the first of them. */
void sheaf_job_require_preinit(const char *call);
void sheaf_job_require_place(const char *call);

/* One finalization; the last is collective and takes the library down. */
void sheaf_job_finalize(void);

static inline bool sheaf_job_is_initialized(void)
{
    return __atomic_load_n(&sheaf_job.init_count, __ATOMIC_ACQUIRE) > 0;
}

/* start_pes(): initializes once, and finalizes by itself when the program exits. */
void sheaf_job_start_pes(sheaf_job_prepare *prepare);

/* Ends the whole job with this status: shmem_global_exit(). */
_Noreturn void sheaf_job_exit(int status);

/* Ends the program with a line that says so when call comes before init or after finalize. */
void sheaf_job_require(const char *call);

#endif
