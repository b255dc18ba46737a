/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls of two threads at the level of threads that is given by name: beside each other, or each under a
 * lock ("locked").
 */
#include <pthread.h>
#include <shmem.h>
#include <stdlib.h>
#include <string.h>

static long data[2][4];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int is_locked;

static void call(long *at)
{
    if (is_locked)
        pthread_mutex_lock(&mutex);
    for (int i = 0; i < 4; i++)
        shmem_long_p(&at[i], 1, shmem_my_pe());
    if (is_locked)
        pthread_mutex_unlock(&mutex);
}

static void *call_too(void *unused)
{
    call(data[1]);
    return unused;
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"single", "funneled", "serialized", "multiple"};
    static const int levels[] = {SHMEM_THREAD_SINGLE, SHMEM_THREAD_FUNNELED, SHMEM_THREAD_SERIALIZED,
                                 SHMEM_THREAD_MULTIPLE};
    int level = 0, got = -1;
    pthread_t thread;
    while (argc > 1 && level < 3 && strcmp(names[level], argv[1]) != 0)
        level++;
    is_locked = argc > 2;
    if (level == 0)
        shmem_init();
    else
        shmem_init_thread(levels[level], &got);
    if (pthread_create(&thread, NULL, call_too, NULL) != 0)
        return 3;
    call(data[0]);
    pthread_join(thread, NULL);
    shmem_finalize();
    return 0;
}
