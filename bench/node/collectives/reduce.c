/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The sum of longs over all PEs, by size.
 */
#define NAME "sum"
#define SYNC_WORDS SHMEM_REDUCE_SYNC_SIZE
#define TARGET_BLOCKS 1
#define SOURCE_BLOCKS 1
#define BY_TEAM shmem_long_sum_reduce(SHMEM_TEAM_WORLD, target, source, elements)
#define BY_ACTIVE_SET shmem_long_sum_to_all(target, source, (int)elements, 0, 0, bench_pes, work, sync_words)
#include "../../bench.h"
static long work[(4 << 20) / 8 / 2 + 1 + SHMEM_REDUCE_MIN_WRKDATA_SIZE];
#include "both_forms.h"
