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

#endif
