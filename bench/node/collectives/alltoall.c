/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A block from each PE to each, by size: what each PE gives each.
 */
#define NAME "alltoall"
#define SYNC_WORDS SHMEM_ALLTOALL_SYNC_SIZE
#define TARGET_BLOCKS bench_pes
#define SOURCE_BLOCKS bench_pes
#define BY_TEAM shmem_long_alltoall(SHMEM_TEAM_WORLD, target, source, elements)
#define BY_ACTIVE_SET shmem_alltoall64(target, source, elements, 0, 0, bench_pes, sync_words)
#include "both_forms.h"
