/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1 PE: a read-write lock, and a barrier of threads.
 */
#include <pthread.h>
#include <shmem.h>
#include <stdlib.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t b;
static int *table;
static void *work(void *arg) {
    long id = (long)arg;
    pthread_barrier_wait(&b);
    for (int i = 0; i < 10; i++) {
        if (id == 0 && i == 5) {
#ifdef RACY
            pthread_rwlock_rdlock(&l);
#else
            pthread_rwlock_wrlock(&l);
#endif
            table[1] = 7; /* race */
        } else {
            pthread_rwlock_rdlock(&l);
            if (table[1] == 99) abort(); /* race */
        }
        pthread_rwlock_unlock(&l);
    }
    pthread_barrier_wait(&b);
    table[2 + id] = 4;
    return NULL;
}
int main(void) {
    int got;
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &got);
    table = calloc(8, sizeof *table);
    pthread_barrier_init(&b, NULL, 3);
    pthread_t t[3];
    for (long i = 0; i < 3; i++) pthread_create(&t[i], NULL, work, (void *)i);
    for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
    int s = table[1] + table[2];
    free(table);
    shmem_finalize();
    return s == 0;
}
