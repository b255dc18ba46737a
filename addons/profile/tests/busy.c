/* SPDX-License-Identifier: BSD-3-Clause
 *
 * More of everything than the profile keeps at first: threads that put at once, more collectives
 * than have records, more heap changes than have points, and a child that is no PE.
 */
#include <shmem.h>

#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS 4

static long target[THREADS], all[2];

static void *put(void *number)
{
    int next = (shmem_my_pe() + 1) % shmem_n_pes();
    for (int i = 0; i < 2500; i++)
        shmem_long_p(&target[(long)number], i, next);
    return NULL;
}

static void put_by_threads(void)
{
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, put, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

static void be_no_pe(void)
{
    pid_t child = fork();
    if (child == 0)
        _exit(system("exit 0"));
    waitpid(child, NULL, 0);
}

int main(void)
{
    int provided;
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
    put_by_threads();
    be_no_pe();
    for (int i = 0; i < 10000; i++) {
        shmem_barrier_all();
        shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &all[0], &all[1], 1);
    }
    for (int i = 0; i < 3000; i++)
        shmem_free(shmem_malloc((size_t)64 * (size_t)(i + 1)));
    shmem_finalize();
    return 0;
}
