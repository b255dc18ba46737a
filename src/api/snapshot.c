/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Snapshots of symmetric memory.
 */
#include "api/define.h"

#include "core/team/agree.h"
#include "snapshot/snapshot.h"

SHEAF_CHAPTER("Snapshots: extensions")

/* Writes the symmetric memory of team's members, one file each, to the folder dir/tag: static variables,
 * the heap and memory spaces, and which blocks there are. A snapshot of that name is replaced: whatever
 * is killed meanwhile, the old one or the new one is there, complete. dir NULL: SHEAF_SNAPSHOT_DIR. tag:
 * letters, digits and ._- alone. Completes what the members have started. No thread may write symmetric
 * memory meanwhile. Returns 0; or nonzero on all members where one of them could not, and that one
 * prints why. Collective over team, ends with a barrier. See docs/do/survive.md. */
SHEAF_EXTENSION(int, snapshot, (shmem_team_t team, const char *dir, const char *tag), {
    SHEAF_CALL(call);
    return sheaf_snapshot_take(sheaf_team_require(team, call), dir, tag, call);
})

/* Restores symmetric memory from dir/tag, a snapshot of the same program with as many PEs at
 * the same addresses. tag NULL: dir is the snapshot's own folder. dir NULL: the one that oshrun
 * --restart names. Blocks that exist must be blocks of the snapshot; its other blocks are allocated.
 * After shmemx_rejoin blocks that were allocated since the snapshot are gone instead. Teams, contexts
 * and memory spaces must be the same as then. Variables that hold addresses of private memory have the
 * old ones. Returns 0; 1 where dir is NULL and there is nothing to restore; or another value on all
 * members where the snapshot is missing, damaged or does not fit: nothing has changed then, and one of
 * them prints why. Collective over team, begins and ends with a barrier. */
SHEAF_EXTENSION(int, restore, (shmem_team_t team, const char *dir, const char *tag), {
    SHEAF_CALL(call);
    return sheaf_snapshot_restore(sheaf_team_require(team, call), dir, tag, call);
})
