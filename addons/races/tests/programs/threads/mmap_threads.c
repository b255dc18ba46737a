/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1 PE: mapped memory, keys of threads, pthread_exit.
 */
#include <pthread.h>
#include <shmem.h>
#include <sys/mman.h>
static pthread_key_t key; static int gone; static long *map;
static void end(void *p) { __atomic_fetch_add((int *)p, 1, __ATOMIC_SEQ_CST); }
static void *work(void *a) {
    pthread_setspecific(key, &gone);
    long i = (long)a;
    for (int k = 0; k < 100; k++)
#ifdef RACY
        map[k * 8] += i; /* race */
#else
        map[k * 8 + i] += i;
#endif
    pthread_exit(NULL);
}
int main(void) {
    int got;
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &got);
    pthread_key_create(&key, end);
    map = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_t t[3];
    for (long i = 0; i < 3; i++) pthread_create(&t[i], NULL, work, (void *)i);
    for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
    long s = map[3] + gone;
    munmap(map, 65536);
    shmem_finalize();
    return s == 99;
}
