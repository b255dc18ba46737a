/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A block of the symmetric heap allocated and each of its pages written, by PE 0 alone and by all PEs at once;
 * then, with a folder as argument, a snapshot of such a block. ../limits/touch.c has the limits.
 */
#include "../bench.h"

#include "first_touch.h"

#include <shmemx.h>

static void allocate_and_touch(const char *what, int all)
{
    struct touch touch;
    for (touch_begin(&touch); touch_goes_on(&touch);) {
        shmem_barrier_all();
        touch_start(&touch);
        char *memory = shmem_malloc(touch_bytes());
        if (!memory)
            shmem_global_exit(1);
        if (all || bench_me == 0)
            touch_pages(memory);
        touch_own_end(&touch);
        if (all)
            shmem_barrier_all();
        touch_stop(&touch);
        shmem_free(memory);
    }
    touch_end(&touch, what);
}

static void take_snapshots(const char *folder)
{
    struct touch touch;
    char *memory = shmem_malloc(touch_bytes());
    if (!memory)
        shmem_global_exit(1);
    for (touch_begin(&touch); touch_goes_on(&touch);) {
        memset(memory, touch.done + 1, touch_bytes()); /* all pages have changed */
        shmem_barrier_all();
        touch_start(&touch);
        if (shmemx_snapshot(SHMEM_TEAM_WORLD, folder, "block") != 0)
            shmem_global_exit(1);
        touch_own_end(&touch);
        touch_stop(&touch);
    }
    touch_end(&touch, "snapshot");
    shmem_free(memory);
}

int main(int count, char **arguments)
{
    bench_start();
    allocate_and_touch("malloc + first touch", 0);
    allocate_and_touch("malloc + first touch, all at once", 1);
    if (count > 1)
        take_snapshots(arguments[1]);
    bench_end();
}
