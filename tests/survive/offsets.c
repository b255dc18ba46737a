/* SPDX-License-Identifier: BSD-3-Clause
 *
 * After shmemx_rejoin the new process's blocks lie where the others' do, whatever the living had allocated and
 * freed before. PE 1 dies, and holds a lock: the new process, which finds the dead one's copy of the lock in its heap,
 * does not hold it, and sets it as the others do. Arguments: a seed; a file that
 * PE 1 waits for before it dies. Without a process in reserve the job ends with 3. PE 0 says when all is well:
 * some launchers do not tell that a PE has failed.
 */
#include "check.h"
#include "random.h"

#include <shmemx_ft.h>

#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#define MOST 4200

static sigjmp_buf out;
static long *lock, passed, inherited; /* the two last: PE 0's */

static void leave(void *unused)
{
    (void)unused;
    siglongjmp(out, 1);
}

static void meet(void)
{
    static int dead[64];
    int missing;
    do {
        int count = shmemx_failed_pes(dead);
        for (int i = 0; i < count; i++)
            shmemx_respawn(dead[i]);
        missing = shmemx_rejoin();
        if (missing < 0)
            shmem_global_exit(3);
    } while (missing != 0);
}

static size_t some_size(uint64_t *seed)
{
    return 16 + test_random_below(seed, (uint64_t)1 << (4 + test_random_below(seed, 16)));
}

/* More blocks than stay: their number crosses powers of two, there and back. */
static void live(uint64_t seed)
{
    static void *blocks[MOST];
    size_t count = 0, peak = 100 + test_random_below(&seed, 4000), stay = peak / (1 + test_random_below(&seed, 3));
    for (; count < peak; count++)
        blocks[count] = count % 10 == 5 ? shmem_malloc_with_hints(some_size(&seed), SHMEM_MALLOC_ATOMICS_REMOTE)
                                        : shmem_malloc(some_size(&seed));
    while (count > stay) {
        size_t gone = test_random_below(&seed, count);
        shmem_free(blocks[gone]);
        blocks[gone] = blocks[--count];
    }
}

/* What each of the others got, as this PE would name it, is what this PE got. */
static void compare(void)
{
    static void *mine;
    for (int i = 0; i < 200; i++) {
        mine = i % 8 ? shmem_malloc((size_t)1000 << (i % 9)) : shmem_align((size_t)64 << (i % 5), 3000);
        shmem_barrier_all();
        for (int pe = 0; pe < shmem_n_pes(); pe++) {
            void *theirs;
            shmem_getmem(&theirs, &mine, sizeof theirs, pe);
            CHECK(shmemx_local_address(theirs, pe) == mine);
        }
        shmem_barrier_all();
        if (i % 3 == 0)
            shmem_free(mine);
    }
}

static void find_lock(void)
{
    long *theirs;
    shmem_getmem(&theirs, &lock, sizeof theirs, 0);
    lock = shmemx_local_address(theirs, 0);
    CHECK(lock != NULL);
}

/* One after the other; one of them has it from the dead one. */
static void pass_lock(void)
{
    shmem_set_lock(lock);
    shmem_long_p(&passed, shmem_long_g(&passed, 0) + 1, 0);
    if (shmemx_lock_inherited(lock) == 1)
        shmem_long_atomic_inc(&inherited, 0);
    shmem_clear_lock(lock);
    shmem_barrier_all();
    CHECK_EQ(shmem_long_g(&passed, 0), shmem_n_pes());
    CHECK_EQ(shmem_long_g(&inherited, 0), 1);
}

int main(int argc, char **argv)
{
    shmem_init();
    shmemx_on_failure(leave, NULL);
    if (!shmemx_is_respawned()) {
        lock = shmem_calloc(1, sizeof *lock);
        live(argc > 1 ? strtoull(argv[1], NULL, 10) : 1);
        shmem_barrier_all();
        while (argc > 2 && shmem_my_pe() == 1 && access(argv[2], F_OK) != 0)
            usleep(10000);
        if (shmem_my_pe() == 1) {
            shmem_set_lock(lock);
            raise(SIGKILL);
        }
        if (sigsetjmp(out, 0) == 0)
            shmem_barrier_all();
    }
    meet();
    if (shmemx_is_respawned())
        find_lock();
    pass_lock();
    compare();
    if (shmem_my_pe() == 0)
        printf("all have the same\n");
    return test_finish();
}
