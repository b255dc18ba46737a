/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a compiler sees of Sandia OpenSHMEM where it differs from Sheaf: numbers, handles that are
 * variables, and routines of its shmemx.h.
 */
#ifndef TEST_SOS_H
#define TEST_SOS_H

#include <shmem.h>

#undef SHMEM_CMP_EQ
#undef SHMEM_CMP_NE
#undef SHMEM_CMP_GT
#undef SHMEM_CMP_GE
#undef SHMEM_CMP_LT
#undef SHMEM_CMP_LE
#define SHMEM_CMP_EQ 1
#define SHMEM_CMP_NE 2
#define SHMEM_CMP_GT 3
#define SHMEM_CMP_GE 4
#define SHMEM_CMP_LT 5
#define SHMEM_CMP_LE 6

#undef SHMEM_SIGNAL_SET
#undef SHMEM_SIGNAL_ADD
#define SHMEM_SIGNAL_SET 0
#define SHMEM_SIGNAL_ADD 1

#undef SHMEM_SYNC_VALUE
#define SHMEM_SYNC_VALUE 0

#undef SHMEM_CTX_DEFAULT
#undef SHMEM_TEAM_WORLD
#undef SHMEM_TEAM_SHARED
#undef SHMEMX_TEAM_NODE
extern shmem_ctx_t SHMEM_CTX_DEFAULT;
extern shmem_team_t SHMEM_TEAM_WORLD, SHMEM_TEAM_SHARED, SHMEMX_TEAM_NODE;

#undef shmemx_long_ibput
#undef shmemx_long_sum_inscan
void shmemx_long_ibput(long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,
                       size_t nblocks, int pe);
int shmemx_long_sum_inscan(shmem_team_t team, long *dest, const long *source, size_t nelems);
double shmemx_wtime(void);

#endif
