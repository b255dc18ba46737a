/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shmem_query_initialized may be called at any time from any thread, and is true only between
 * the first init and the last finalize.
 */
#include "check.h"

#include <pthread.h>

static int is_initialized(void)
{
    int initialized = -1;
    shmem_query_initialized(&initialized);
    CHECK(initialized != -1);
    return initialized != 0;
}

static void *ask(void *expected)
{
    CHECK_EQ(is_initialized(), *(int *)expected);
    return NULL;
}

static void everybody_agrees(int expected)
{
    pthread_t thread;
    CHECK_EQ(is_initialized(), expected);
    CHECK_EQ(pthread_create(&thread, NULL, ask, &expected), 0);
    CHECK_EQ(pthread_join(thread, NULL), 0);
}

int main(void)
{
    everybody_agrees(0);
    for (int level = SHMEM_THREAD_SINGLE; level <= SHMEM_THREAD_MULTIPLE; level++) {
        int provided;
        CHECK_EQ(shmem_init_thread(level, &provided), 0);
        everybody_agrees(1);
        shmem_init();
        everybody_agrees(1);
        shmem_finalize();
        everybody_agrees(1);
        shmem_finalize();
        everybody_agrees(0);
    }
    return test_finish();
}
