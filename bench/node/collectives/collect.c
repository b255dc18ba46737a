/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Blocks of all PEs, which may differ in length, put together on all, by size: what each PE gives.
 */
#define NAME "collect"
#define SYNC_WORDS SHMEM_COLLECT_SYNC_SIZE
#define TARGET_BLOCKS bench_pes
#define SOURCE_BLOCKS 1
#define BY_TEAM shmem_long_collect(SHMEM_TEAM_WORLD, target, source, elements)
#define BY_ACTIVE_SET shmem_collect64(target, source, elements, 0, 0, bench_pes, sync_words)
#include "both_forms.h"
