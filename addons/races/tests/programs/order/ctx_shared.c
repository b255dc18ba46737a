/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: threads share a context; one of them quiets it for all.
 */
#include <pthread.h>
#include <shmem.h>
static long data[4], flag; static shmem_ctx_t c; static pthread_barrier_t b;
static void *work(void *a) {
    long i = (long)a;
    long v = i + 1;
    shmem_ctx_long_put(c, &data[i], &v, 1, 1); /* race */
    pthread_barrier_wait(&b);
    if (i == 0) {
#ifndef RACY
        shmem_ctx_quiet(c);
#endif
        shmem_long_p(&flag, 1, 1);
    }
    return NULL;
}
int main(void) {
    int got;
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &got);
    if (shmem_ctx_create(0, &c)) return 1;
    if (shmem_my_pe() == 0) {
        pthread_t t[4];
        pthread_barrier_init(&b, NULL, 4);
        for (long i = 0; i < 4; i++) pthread_create(&t[i], NULL, work, (void *)i);
        for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
    } else {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        long s = data[0]; /* race */
        s += data[3]; /* race */
        if (s == 100) return 2;
    }
    shmem_ctx_destroy(c);
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
