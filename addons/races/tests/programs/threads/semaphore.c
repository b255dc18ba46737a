/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1 PE: semaphores of a queue of one.
 */
#include <pthread.h>
#include <semaphore.h>
#include <shmem.h>
static sem_t full, empty; static int slot;
static void *produce(void *a) {
    (void)a;
    for (int i = 0; i < 20; i++) {
#ifndef RACY
        sem_wait(&empty);
#endif
        slot = i; /* race */
        sem_post(&full);
    }
    return NULL;
}
int main(void) {
    int got, s = 0;
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &got);
    sem_init(&full, 0, 0);
    sem_init(&empty, 0, 1);
    pthread_t t;
    pthread_create(&t, NULL, produce, NULL);
    for (int i = 0; i < 20; i++) {
        sem_wait(&full);
        s += slot; /* race */
        sem_post(&empty);
    }
    pthread_join(t, NULL);
    shmem_finalize();
    return s == 1;
}
