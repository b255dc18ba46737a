/* SPDX-License-Identifier: BSD-3-Clause
 *
 * OpenMP of gcc in a PE, and what else orders threads.
 */
#include "cases.h"

#include <omp.h>
#include <pthread.h>
#include <semaphore.h>

#define THREADS 3
static long data[64], total, flag;

CASE(region_writes_parts)
{
#pragma omp parallel for num_threads(THREADS)
    for (int i = 0; i < 64; i++)
        data[i] = i;
    for (int i = 0; i < 64; i++)
        total += data[i];
}

CASE(region_writes_one)
{
#pragma omp parallel num_threads(THREADS)
    data[3]++; /* race */
}

CASE(region_reduces)
{
    long sum = 0;
#pragma omp parallel for num_threads(THREADS) reduction(+ : sum)
    for (int i = 0; i < 64; i++)
        sum += data[i];
    total = sum;
}

CASE(barrier_in_a_region)
{
#pragma omp parallel num_threads(THREADS)
    {
        int mine = omp_get_thread_num();
        data[mine] = mine;
#pragma omp barrier
        USE(data[(mine + 1) % THREADS]);
    }
}

CASE(no_barrier_in_a_region)
{
#pragma omp parallel num_threads(THREADS)
    {
        int mine = omp_get_thread_num();
        data[mine] = mine;                /* race */
        USE(data[(mine + 1) % THREADS]); /* race */
    }
}

CASE(nowait_before_a_read)
{
#pragma omp parallel num_threads(THREADS)
    {
#pragma omp for schedule(static, 1) nowait
        for (int i = 0; i < 8; i++)
            data[i] = i; /* race */
#pragma omp for schedule(static, 1)
        for (int i = 0; i < 8; i++)
            USE(data[7 - i]); /* race */
    }
}

CASE(loop_ends_before_a_read)
{
#pragma omp parallel num_threads(THREADS)
    {
#pragma omp for schedule(dynamic, 1)
        for (int i = 0; i < 8; i++)
            data[i] = i;
#pragma omp for schedule(guided)
        for (int i = 0; i < 8; i++)
            USE(data[7 - i]);
    }
}

CASE(critical_guards)
{
#pragma omp parallel num_threads(THREADS)
    {
#pragma omp critical
        total++;
#pragma omp critical(of_a_name)
        data[0]++;
    }
}

CASE(two_criticals_for_one_thing)
{
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0)
#pragma omp critical(one)
        total = 1; /* race */
    else
#pragma omp critical(other)
        total = 2; /* race */
}

CASE(lock_of_openmp)
{
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp parallel num_threads(THREADS)
    {
        omp_set_lock(&lock);
        total++;
        omp_unset_lock(&lock);
    }
    omp_destroy_lock(&lock);
}

CASE(single_and_copies)
{
#pragma omp parallel num_threads(THREADS)
    {
        long *mine = NULL;
#pragma omp single copyprivate(mine)
        {
            data[5] = 5;
            mine = &data[5];
        }
        USE(*mine);
    }
}

CASE(tasks_are_waited_for)
{
#pragma omp parallel num_threads(THREADS)
#pragma omp single
    {
        for (int i = 0; i < 8; i++)
#pragma omp task firstprivate(i)
            data[i] = i;
#pragma omp taskwait
        for (int i = 0; i < 8; i++)
            total += data[i];
    }
}

CASE(tasks_depend)
{
#pragma omp parallel num_threads(THREADS)
#pragma omp single
    {
#pragma omp task depend(out : data[0])
        data[0] = 1;
#pragma omp task depend(in : data[0])
        total = data[0];
    }
}

CASE(threads_put_their_parts)
{
    static long there[64];
#pragma omp parallel for num_threads(THREADS)
    for (int i = 0; i < 64; i++)
        shmem_long_p(&there[i], i, (me + 1) % npes);
    shmem_barrier_all();
    for (int i = 0; i < 64; i++)
        total += there[i];
}

CASE(master_waits_workers_read)
{
    if (me == 0) {
        for (int i = 0; i < 8; i++)
            shmem_long_p(&data[i], i, 1);
        shmem_fence();
        shmem_long_atomic_set(&flag, 1, 1);
    } else if (me == 1) {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
#pragma omp parallel for num_threads(THREADS)
        for (int i = 0; i < 8; i++)
            USE(data[i]);
    }
}

CASE(workers_read_too_early)
{
    if (me == 0)
        shmem_long_p(&data[2], 1, 1); /* race */
    else if (me == 1) {
#pragma omp parallel for num_threads(THREADS)
        for (int i = 0; i < 8; i++)
            USE(data[i]); /* race */
    }
}

static sem_t semaphore;
static pthread_rwlock_t readers = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t meeting;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int is_ready;

static void *post_it(void *unused)
{
    (void)unused;
    data[0] = 1;
    sem_post(&semaphore);
    pthread_rwlock_wrlock(&readers);
    data[1] = 1;
    pthread_rwlock_unlock(&readers);
    data[2] = 1;
    pthread_barrier_wait(&meeting);
    data[3] = 1;
    pthread_mutex_lock(&mutex);
    is_ready = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

CASE(all_of_pthreads)
{
    pthread_t thread;
    sem_init(&semaphore, 0, 0);
    pthread_barrier_init(&meeting, NULL, 2);
    if (pthread_create(&thread, NULL, post_it, NULL) != 0)
        exit(3);
    sem_wait(&semaphore);
    USE(data[0]);
    pthread_rwlock_rdlock(&readers);
    USE(data[1]);
    pthread_rwlock_unlock(&readers);
    pthread_barrier_wait(&meeting);
    USE(data[2]);
    pthread_mutex_lock(&mutex);
    while (!is_ready)
        pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    USE(data[3]);
    pthread_join(thread, NULL);
}

CASES(RUN(region_writes_parts), RUN(region_writes_one), RUN(region_reduces), RUN(barrier_in_a_region),
      RUN(no_barrier_in_a_region), RUN(nowait_before_a_read), RUN(loop_ends_before_a_read),
      RUN(critical_guards), RUN(two_criticals_for_one_thing), RUN(lock_of_openmp), RUN(single_and_copies),
      RUN(tasks_are_waited_for), RUN(tasks_depend), RUN(threads_put_their_parts),
      RUN(master_waits_workers_read), RUN(workers_read_too_early), RUN(all_of_pthreads))
