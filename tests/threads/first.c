/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The first thread ends, by pthread_exit in main, and another goes on: it makes a space, reaches all PEs for the
 * first time, and finalizes. Arguments: "main" or "other", the thread that initializes; "returns": the last one
 * ends without shmem_finalize.
 */
#include "threads.h"

#include <shmemx.h>

#include <string.h>

#define TIME 50000 /* us in which the first thread ends, or begins to */

static const char *first_by;
static int returns;
static long sum, values[MOST_PES];

static void *go_on(void *unused)
{
    shmemx_space_t space;
    if (strcmp(first_by, "main") != 0)
        multiple_init();
    usleep(TIME);
    int me = shmem_my_pe(), npes = shmem_n_pes();
    for (int pe = 0; pe < npes; pe++) {
        shmem_long_p(&values[me], me + 1, pe);
        shmem_long_atomic_add(&sum, me + 1, pe);
    }
    shmem_barrier_all();
    for (int pe = 0; pe < npes; pe++)
        CHECK_EQ(values[pe], pe + 1);
    CHECK_EQ(sum, npes * (npes + 1) / 2);
    CHECK_EQ(shmemx_space_create(SHMEM_TEAM_WORLD, "default", 1 << 16, &space), 0);
    int *mine = shmemx_space_malloc(space, sizeof *mine);
    *mine = me;
    shmem_barrier_all();
    CHECK_EQ(shmem_int_g(mine, (me + 1) % npes), (me + 1) % npes);
    if (!returns)
        exit(test_finish());
    return unused; /* the process ends with its last thread, and finalizes then */
}

int main(int argc, char **argv)
{
    pthread_t other;
    int is_up = 0;
    first_by = argc > 1 ? argv[1] : "main";
    returns = argc > 2;
    if (strcmp(first_by, "main") == 0)
        multiple_init();
    CHECK_EQ(pthread_create(&other, NULL, go_on, NULL), 0);
    for (; !is_up; shmem_query_initialized(&is_up))
        usleep(100);
    pthread_exit(NULL);
}
