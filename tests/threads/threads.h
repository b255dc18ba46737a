/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Starting the library with SHMEM_THREAD_MULTIPLE, and threads in it.
 */
#ifndef TEST_THREADS_H
#define TEST_THREADS_H

#include "check.h"

#include <pthread.h>
#include <unistd.h>

#define MOST_THREADS 8
#define MOST_PES     64

struct worker {
    pthread_t thread;
    int index;         /* 0 to workers - 1, the same numbers on every PE */
    int workers;
    int me, npes;
    uint64_t state;    /* of the thread's own generator */
    void *argument;
};

static inline void multiple_init(void)
{
    int provided;
    CHECK_EQ(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided), 0);
    CHECK_EQ(provided, SHMEM_THREAD_MULTIPLE);
    CHECK(shmem_n_pes() <= MOST_PES);
}

/* Runs body in so many threads and waits for all. */
static inline void run_workers(int workers, void *(*body)(void *), void *argument)
{
    struct worker all[MOST_THREADS];
    CHECK(workers <= MOST_THREADS);
    for (int i = 0; i < workers; i++) {
        all[i] = (struct worker){.index = i, .workers = workers, .me = shmem_my_pe(),
                                 .npes = shmem_n_pes(), .argument = argument};
        all[i].state = (uint64_t)(all[i].me * MOST_THREADS + i + 1);
        CHECK_EQ(pthread_create(&all[i].thread, NULL, body, &all[i]), 0);
    }
    for (int i = 0; i < workers; i++)
        CHECK_EQ(pthread_join(all[i].thread, NULL), 0);
}

#endif
