/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1 PE: a semaphore of 1 is a lock.
 */
#include <pthread.h>
#include <semaphore.h>
#include <shmem.h>
static sem_t s; static int count; static pthread_barrier_t b;
static void *work(void *a) {
    (void)a;
    pthread_barrier_wait(&b);
    for (int i = 0; i < 10; i++) {
#ifndef RACY
        sem_wait(&s);
#endif
        count++; /* race */
#ifndef RACY
        sem_post(&s);
#endif
    }
    pthread_barrier_wait(&b);
    return NULL;
}
int main(void) {
    int got;
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &got);
    sem_init(&s, 0, 1);
    pthread_barrier_init(&b, NULL, 2);
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    int v = count;
    shmem_finalize();
    return v == 1;
}
