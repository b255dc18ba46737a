/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1 PE: members of a struct are apart, bit-fields of one unit are not.
 */
#include <pthread.h>
#include <shmem.h>
static struct { char a; int b : 4; int c : 4; char d; short e; } s;
static void *one(void *x) {
    (void)x;
    s.a = 1;
    s.b = 2; /* race */
    s.e = 3;
    return NULL;
}
int main(void) {
    int got;
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &got);
    pthread_t t;
    pthread_create(&t, NULL, one, NULL);
    s.d = 5;
#ifdef RACY
    s.c = 1; /* race */
#endif
    pthread_join(t, NULL);
    shmem_finalize();
    return s.a + s.b + s.c + s.d + s.e == 100;
}
