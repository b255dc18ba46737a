/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1 PE: 300 threads with small stacks.
 */
#include <pthread.h>
#include <shmem.h>
enum { N = 300 };
static int slot[N], sum; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static pthread_barrier_t b;
static void *work(void *a) {
    long i = (long)a;
    slot[i] = i;
    pthread_barrier_wait(&b);
#ifdef RACY
    if (i >= 298)
        sum += slot[(i + 1) % N]; /* race */
#else
    pthread_mutex_lock(&m);
    sum += slot[(i + 1) % N];
    pthread_mutex_unlock(&m);
#endif
    return NULL;
}
int main(void) {
    int got;
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &got);
    static pthread_t t[N];
    pthread_barrier_init(&b, NULL, N);
    pthread_attr_t at;
    pthread_attr_init(&at);
    pthread_attr_setstacksize(&at, 65536);
    for (long i = 0; i < N; i++)
        if (pthread_create(&t[i], &at, work, (void *)i)) return 3;
    for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
    shmem_finalize();
    return sum == 1;
}
