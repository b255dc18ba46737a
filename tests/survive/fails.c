/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Gives variables, a block and a memory space known values, and fails as its argument says: for failure.py.
 */
#include "check.h"

#include <shmemx.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define COUNT 5000

struct cell {
    double temperature;
    struct cell *next;
};

struct cell grid[COUNT];
long *heap, *space_words;
int large[1 << 24];

static void fill(int me)
{
    shmemx_space_t space;
    heap = shmem_malloc(COUNT * sizeof *heap);
    CHECK_EQ(shmemx_space_create(SHMEM_TEAM_WORLD, "default", 1 << 20, &space), 0);
    space_words = shmemx_space_malloc(space, COUNT * sizeof *space_words);
    for (int i = 0; i < COUNT; i++) {
        grid[i] = (struct cell){1000.0 * me + i, &grid[(i + 1) % COUNT]};
        heap[i] = 10L * i + me;
        space_words[i] = -10L * i - me;
    }
    large[(1 << 24) - 1] = 77 + me;
    shmem_barrier_all();
}

static void fail(const char *how, int me)
{
    int last = shmem_n_pes() - 1;
    if (strcmp(how, "ends") == 0 || (me != last && strcmp(how, "exits") != 0))
        return;
    if (strcmp(how, "killed") == 0)
        kill(getpid(), SIGKILL);
    else if (strcmp(how, "aborts") == 0)
        abort();
    else if (strcmp(how, "exits") == 0)
        exit(5);
    else if (strcmp(how, "everybody") == 0)
        shmem_global_exit(6);
    else if (strcmp(how, "argument") == 0)
        shmem_int_p(large, 1, 12345);
    else
        pause();
}

int main(int argc, char **argv)
{
    CHECK(argc == 2);
    if (strcmp(argv[1], "early") == 0)
        return 7;
    shmem_init();
    int me = shmem_my_pe();
    fill(me);
    fail(argv[1], me);
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
