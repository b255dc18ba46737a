/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The four thread levels: each can be asked for, is given or exceeded, and is what
 * shmem_query_thread reports; after the last finalize another may be asked for.
 */
#include "check.h"

static void use_level(int requested)
{
    int provided = -1, queried = -1, initialized = -1;
    shmem_query_initialized(&initialized);
    CHECK_EQ(initialized, 0);
    CHECK_EQ(shmem_init_thread(requested, &provided), 0);
    CHECK(provided >= requested && provided <= SHMEM_THREAD_MULTIPLE);
    shmem_query_thread(&queried);
    CHECK_EQ(queried, provided);
    shmem_query_initialized(&initialized);
    CHECK(initialized != 0);

    int again = -1;
    CHECK_EQ(shmem_init_thread(requested, &again), 0);
    CHECK(again >= SHMEM_THREAD_SINGLE && again <= SHMEM_THREAD_MULTIPLE);
    shmem_finalize();

    int me = shmem_my_pe(), npes = shmem_n_pes();
    static long cell;
    shmem_long_p(&cell, 10 * requested + me, (me + 1) % npes);
    shmem_barrier_all();
    CHECK_EQ(cell, 10 * requested + (me + npes - 1) % npes);
    shmem_finalize();
}

int main(void)
{
    static const int levels[] = {SHMEM_THREAD_SINGLE, SHMEM_THREAD_FUNNELED,
                                 SHMEM_THREAD_SERIALIZED, SHMEM_THREAD_MULTIPLE,
                                 SHMEM_THREAD_SINGLE};
    CHECK(SHMEM_THREAD_SINGLE < SHMEM_THREAD_FUNNELED);
    CHECK(SHMEM_THREAD_FUNNELED < SHMEM_THREAD_SERIALIZED);
    CHECK(SHMEM_THREAD_SERIALIZED < SHMEM_THREAD_MULTIPLE);
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        use_level(levels[i]);
    return 0;
}
