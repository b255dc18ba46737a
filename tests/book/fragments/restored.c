/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The fragment of docs/do/failures.md: a program that goes back to its last snapshot. Without an argument it ends before
 * its first one.
 */
#include <shmemx.h>
#include <shmemx_ft.h>

#include "check.h"

#include <setjmp.h>

static long step, last = 99, done;

static void meet(void)
{
    shmemx_rejoin();
}

static void begin_again(void)
{
    step = 0;
}

static void work(void)
{
    done++;
    shmem_barrier_all();
}

int main(void)
{
    shmem_init();
    static _Thread_local sigjmp_buf out;                 /* not symmetric: the restore must leave it alone */

    if (sigsetjmp(out, 0) != 0 || shmemx_is_respawned()) {
        meet();                                          /* as above: shmemx_respawn, shmemx_rejoin */
        if (shmemx_restore(SHMEM_TEAM_WORLD, "/dev/shm/heat", "heat") != 0)
            begin_again();                               /* there is none yet */
    }
    while (step < last) {                                /* static: symmetric, and restored */
        work();
        if (++step % 100 == 0)
            shmemx_snapshot(SHMEM_TEAM_WORLD, "/dev/shm/heat", "heat");
    }
    CHECK(done == last);
    shmem_finalize();
    return 0;
}
