/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1 PE: detached threads, counted by an atomic.
 */
#include <pthread.h>
#include <sched.h>
#include <shmem.h>
#include <stdatomic.h>
static atomic_int done; static int box[4], seen;
static void *work(void *a) {
    long i = (long)a;
    box[i] = 5; /* race */
#ifndef RACY
    atomic_fetch_add(&done, 1);
#else
    atomic_fetch_add_explicit(&done, 1, memory_order_relaxed);
#endif
    return NULL;
}
int main(void) {
    int got;
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &got);
    for (int round = 0; round < 3; round++) {
        atomic_store(&done, 0);
        for (long i = 0; i < 4; i++) {
            pthread_t t;
            if (pthread_create(&t, NULL, work, (void *)i)) return 1;
            pthread_detach(t);
        }
        while (atomic_load(&done) < 4) sched_yield();
        for (int i = 0; i < 4; i++)
            seen += box[i]; /* race */
    }
    shmem_finalize();
    return seen == 1;
}
