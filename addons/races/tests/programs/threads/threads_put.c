/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: threads put, one of them sets the flag.
 */
#include <pthread.h>
#include <shmem.h>
static int data[40]; static int flag;
static pthread_barrier_t bar;
static void *work(void *a) {
    long id = (long)a;
    int v[10];
    for (int i = 0; i < 10; i++) v[i] = id;
    shmem_int_put(data + 10 * id, v, 10, 1); /* race */
#ifdef RACY
    pthread_barrier_wait(&bar);
#else
    shmem_quiet();
    pthread_barrier_wait(&bar);
#endif
    return NULL;
}
int main(void) {
    int got;
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &got);
    if (shmem_my_pe() == 0) {
        pthread_t t[3];
        pthread_barrier_init(&bar, NULL, 4);
        for (long i = 0; i < 3; i++) pthread_create(&t[i], NULL, work, (void *)i);
        work((void *)3);
        shmem_int_p(&flag, 1, 1);
        for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
    } else {
        shmem_int_wait_until(&flag, SHMEM_CMP_EQ, 1);
        int s = 0;
        for (int i = 0; i < 40; i++)
            s += data[i]; /* race */
        if (s == 1) return 1;
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
