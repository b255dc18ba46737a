/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 3 PEs: queues under locks, and their owner's own accesses.
 */
#include <shmem.h>
#include <stdlib.h>
typedef struct { int top, bottom; int task[32]; } queue;
int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    queue *q = shmem_calloc(1, sizeof *q);
    long *lock = shmem_calloc(n, sizeof *lock);
    for (int i = 0; i < 32; i++) q->task[i] = i * me;
    q->top = 32; /* race */
    shmem_barrier_all();
    long sum = 0;
    for (int v = 0; v < n; v++) {
        int who = (me + v) % n;
        for (int go = 1; go;) {
#ifdef RACY
            if (who != me || v)
#endif
            shmem_set_lock(&lock[who]);
            int b, t, task = 0;
            shmem_int_get(&b, &q->bottom, 1, who); /* race */
            shmem_int_get(&t, &q->top, 1, who);
            go = b < t;
            if (go) {
                shmem_int_get(&task, &q->task[b], 1, who);
                b++;
                shmem_int_put(&q->bottom, &b, 1, who); /* race */
                if (who != me) shmem_quiet();
            }
#ifdef RACY
            if (who != me || v)
#endif
            shmem_clear_lock(&lock[who]);
            sum += task;
        }
    }
    shmem_barrier_all();
    shmem_free(q);
    shmem_free(lock);
    shmem_finalize();
    return sum == -1;
}
