/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1 PE: 300,000 mutexes. Correct alone.
 */
#include <pthread.h>
#include <shmem.h>
#include <stdlib.h>
enum { N = 300000 };
static pthread_mutex_t *m; static int *v;
static void *work(void *a) {
    for (long i = 0; i < N; i++) {
        long k = (long)a ? i : N - 1 - i;
        pthread_mutex_lock(&m[k]); v[k]++; pthread_mutex_unlock(&m[k]);
    }
    return NULL;
}
int main(void) {
    int got;
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &got);
    m = calloc(N, sizeof *m); v = calloc(N, sizeof *v);
    pthread_t t[2];
    for (long i = 0; i < 2; i++) pthread_create(&t[i], NULL, work, (void *)i);
    for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
    shmem_finalize();
}
