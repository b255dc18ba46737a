/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1 PE: a flag of stdatomic.h, relaxed or acquired.
 */
#include <pthread.h>
#include <shmem.h>
#include <stdatomic.h>
static int payload[4]; static atomic_int ready;
static void *reader(void *arg) {
    (void)arg;
#ifdef RACY
    while (!atomic_load_explicit(&ready, memory_order_relaxed))
#else
    while (!atomic_load_explicit(&ready, memory_order_acquire))
#endif
        ;
    return payload[2] == 9 ? NULL : (void *)1; /* race */
}
int main(void) {
    int got;
    shmem_init_thread(SHMEM_THREAD_FUNNELED, &got);
    pthread_t t;
    pthread_create(&t, NULL, reader, NULL);
    payload[2] = 9; /* race */
    atomic_store_explicit(&ready, 1, memory_order_release);
    pthread_join(t, NULL);
    shmem_finalize();
    return 0;
}
