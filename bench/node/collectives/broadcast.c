/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Longs from PE 0 to all, by size.
 */
#define NAME "broadcast"
#define SYNC_WORDS SHMEM_BCAST_SYNC_SIZE
#define TARGET_BLOCKS 1
#define SOURCE_BLOCKS 1
#define BY_TEAM shmem_long_broadcast(SHMEM_TEAM_WORLD, target, source, elements, 0)
#define BY_ACTIVE_SET shmem_broadcast64(target, source, elements, 0, 0, 0, bench_pes, sync_words)
#include "both_forms.h"
