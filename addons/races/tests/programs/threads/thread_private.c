/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1 PE: stack and malloc of one thread, used by another.
 */
#include <pthread.h>
#include <shmem.h>
#include <stdlib.h>
struct job { int *data; int n, result; };
static void *work(void *a) {
    struct job *j = a;
    for (int i = 0; i < j->n; i++)
        j->result += j->data[i]; /* race */
    return NULL;
}
int main(void) {
    int got;
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &got);
    int *d = malloc(40);
    for (int i = 0; i < 10; i++) d[i] = i;
    struct job j = {d, 10, 0};
    pthread_t t;
    pthread_create(&t, NULL, work, &j);
#ifdef RACY
    d[4] = 1; /* race */
#endif
    pthread_join(t, NULL);
    d[4] = 2;
    int r = j.result;
    free(d);
    shmem_finalize();
    return r == 1000;
}
