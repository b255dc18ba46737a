/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1 PE: a thread's own variable, by its address.
 */
#include <pthread.h>
#include <shmem.h>
static __thread int mine; static int *leaked; static pthread_barrier_t b;
static void *work(void *a) {
    (void)a;
    mine = 3;
    leaked = &mine;
    pthread_barrier_wait(&b);
#ifdef RACY
    mine = 4; /* race */
#endif
    pthread_barrier_wait(&b);
    return NULL;
}
int main(void) {
    int got;
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &got);
    pthread_barrier_init(&b, NULL, 2);
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_barrier_wait(&b);
    int v = *leaked; /* race */
    pthread_barrier_wait(&b);
    pthread_join(t, NULL);
    mine = v;
    shmem_finalize();
    return v == 1;
}
