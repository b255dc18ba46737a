/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From nothing to initialized and back.
 */
#ifndef SHEAF_CORE_INIT_H
#define SHEAF_CORE_INIT_H

#include "base/settings/env.h"

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

/* One finalization; the last is collective and takes the library down. */
void sheaf_job_finalize(void);

/* start_pes(): initializes once, and finalizes by itself when the program exits. */
void sheaf_job_start_pes(sheaf_job_prepare *prepare);

/* Ends the whole job with this status: shmem_global_exit(). */
_Noreturn void sheaf_job_exit(int status);

#endif
