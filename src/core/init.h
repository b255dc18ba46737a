/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Initialization and finalization of the library.
 */
#ifndef SHEAF_CORE_INIT_H
#define SHEAF_CORE_INIT_H

#include "base/settings/env.h"

/* Called once the settings are known, before the first team is made, so that the layers above prepare.
 * Returns 0, or prints the reason and returns -1. */
typedef int sheaf_job_prepare(const struct sheaf_settings *settings);

/* One more initialization; the first starts the library, and is collective. Returns 0, or prints the
 * reason and returns -1. */
int sheaf_job_init(int thread_level, sheaf_job_prepare *prepare);

/* The first initialization, of rank of size processes that connect by an identifier (boot/boot.h). call:
 * the public routine's name. 0, or -1 with the reason printed: the program may go on. */
int sheaf_job_init_by_id(int rank, int size, const char *id, int thread_level, sheaf_job_prepare *prepare,
                         const char *call);

/* The same in two steps. Between them the PE's number is known, and another runtime passes its heap.
 * The first returns the thread level that the second puts into force, or prints the reason and returns
 * -1. */
int sheaf_job_preinit(int thread_level);
int sheaf_job_postinit(sheaf_job_prepare *prepare);

/* One finalization; the last is collective and stops the library. */
void sheaf_job_finalize(void);

/* start_pes(): initializes once, and finalizes by itself when the program exits. */
void sheaf_job_start_pes(sheaf_job_prepare *prepare);

/* Ends the whole job with this status: shmem_global_exit(). */
_Noreturn void sheaf_job_exit(int status);

#endif
