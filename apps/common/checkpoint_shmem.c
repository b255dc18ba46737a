/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Checkpoints by Sheaf's snapshots; other OpenSHMEM libraries have none.
 */
#include "app.h"
#include "checkpoint.h"

#if __has_include(<shmemx.h>)
#include <shmemx.h>
#endif

#ifdef SHEAF_SHMEMX_H

int checkpoint_save(const char *folder, const char *tag)
{
    return shmemx_snapshot(SHMEM_TEAM_WORLD, folder, tag) != 0;
}

int checkpoint_restore(bool *restored)
{
    const int result = shmemx_restore(SHMEM_TEAM_WORLD, NULL, NULL);
    *restored = result == 0;
    return result != 0 && result != 1;
}

#else
#include "checkpoint_none.c"
#endif
