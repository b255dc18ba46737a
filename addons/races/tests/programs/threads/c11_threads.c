/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1 PE: threads.h: mutex, condition, call_once, join.
 */
#include <shmem.h>
#include <stdlib.h>
#include <threads.h>
static mtx_t m; static cnd_t c; static int full; static once_flag once = ONCE_FLAG_INIT; static int *buffer;
static void make(void) { buffer = malloc(10 * sizeof *buffer); for (int i = 0; i < 10; i++) buffer[i] = i; }
static int consumer(void *arg) {
    (void)arg;
    call_once(&once, make);
    mtx_lock(&m);
    while (!full) cnd_wait(&c, &m);
    mtx_unlock(&m);
    return buffer[3]; /* race */
}
int main(void) {
    int got, r;
    shmem_init_thread(SHMEM_THREAD_SERIALIZED, &got);
    mtx_init(&m, mtx_plain);
    cnd_init(&c);
    thrd_t t;
    thrd_create(&t, consumer, NULL);
    call_once(&once, make);
#ifndef RACY
    buffer[3] = 33;
#endif
    mtx_lock(&m);
    full = 1;
    cnd_signal(&c);
    mtx_unlock(&m);
#ifdef RACY
    buffer[3] = 33; /* race */
#endif
    thrd_join(t, &r);
    mtx_destroy(&m);
    cnd_destroy(&c);
    shmem_finalize();
    free(buffer);
    return 0;
}
