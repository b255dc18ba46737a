/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Checkpoints of what all PEs hold in symmetric memory, variables included, and going on from one in a
 * later run. One of checkpoint_shmem.c and checkpoint_none.c is linked: MPI and OpenMP have no such calls.
 */
#ifndef CHECKPOINT_H
#define CHECKPOINT_H

#include <stdbool.h>

/* Collective. Writes folder/tag in place of what was there; 0, or 1 on all PEs, the reason printed. */
int checkpoint_save(const char *folder, const char *tag);

/* Collective. Symmetric memory is as the checkpoint has it that this run is to go on from (oshrun
 * --restart), if there is one: *restored. Blocks are allocated before, in the same order. 0, or 1 on all
 * PEs, the reason printed, and nothing has changed. */
int checkpoint_restore(bool *restored);

/* Calls work, and again after each death of PEs or of a whole host (SHEAF_FAILURES=report): all leave it
 * then, new processes come for the dead (oshrun --spare), and symmetric memory is as folder/tag has it, which must
 * be there by now: is_back. A new process calls this first of all. Returns what work has; ends the job, the
 * reason printed, where that is not possible. */
int checkpoint_survive(const char *folder, const char *tag, int (*work)(void *argument, bool is_back),
                       void *argument);

/* Whether this process has come for a dead one. */
bool checkpoint_is_new(void);

#endif
