/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1 PE: a counter and a mutex.
 */
#include <pthread.h>
#include <shmem.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long count;
static void *work(void *arg) {
    (void)arg;
    for (int i = 0; i < 100; i++) {
#ifndef RACY
        pthread_mutex_lock(&m);
#endif
        count++; /* race */
#ifndef RACY
        pthread_mutex_unlock(&m);
#endif
    }
    return NULL;
}
int main(void) {
    int got;
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &got);
    pthread_t t[3];
    for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
    long v = count;
    shmem_finalize();
    return v == 7;
}
