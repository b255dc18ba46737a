/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: a private context for each thread, fences and a flag on it.
 */
#include <pthread.h>
#include <shmem.h>
static int data[2][16]; static int flag[2];
static void *work(void *a) {
    long id = (long)a;
    shmem_ctx_t c;
    if (shmem_ctx_create(SHMEM_CTX_PRIVATE, &c)) return NULL;
    int v[16] = {0};
    v[3] = id;
    for (int k = 0; k < 4; k++) {
        shmem_ctx_int_put(c, data[id], v, 16, 1); /* race */
        shmem_ctx_fence(c);
    }
#ifdef RACY
    shmem_ctx_int_put(c, data[id], v, 16, 1); /* race */
#endif
    shmem_ctx_int_atomic_set(c, &flag[id], 1, 1);
    shmem_ctx_destroy(c);
    return NULL;
}
int main(void) {
    int got;
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &got);
    if (shmem_my_pe() == 0) {
        pthread_t t[2];
        for (long i = 0; i < 2; i++) pthread_create(&t[i], NULL, work, (void *)i);
        for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
    } else {
        shmem_int_wait_until_all(flag, 2, NULL, SHMEM_CMP_EQ, 1);
        int s = data[0][3]; /* race */
        s += data[1][3]; /* race */
        if (s == 100) return 1;
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
