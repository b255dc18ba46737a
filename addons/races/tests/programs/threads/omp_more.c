/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1 PE: OpenMP: nowait, lastprivate, ordered, capture, locks, named critical, collapse, nested regions.
 * Options: -fopenmp.
 */
#include <omp.h>
#include <shmem.h>
static int a[100], b[100], order[10], at, tp; static omp_lock_t l;
#pragma omp threadprivate(tp)
int main(void) {
    int got, last = 0, cap = 0, best = 0;
    shmem_init_thread(SHMEM_THREAD_FUNNELED, &got);
    omp_init_lock(&l);
#pragma omp parallel num_threads(3)
    {
        tp = omp_get_thread_num();
#ifdef RACY
#pragma omp for nowait schedule(static, 10)
#else
#pragma omp for schedule(static, 10)
#endif
        for (int i = 0; i < 100; i++)
            a[i] = i; /* race */
#pragma omp for schedule(static, 7) lastprivate(last)
        for (int i = 0; i < 100; i++) {
            b[i] = a[99 - i]; /* race */
            last = i;
        }
#pragma omp for ordered schedule(dynamic)
        for (int i = 0; i < 10; i++) {
#pragma omp ordered
            order[at++] = i;
        }
        int mine;
#pragma omp atomic capture
        mine = cap++;
        omp_set_lock(&l);
        if (mine > best) best = mine;
        omp_unset_lock(&l);
#pragma omp critical(one)
        at += tp;
#pragma omp sections
        {
#pragma omp section
            a[0] = 1;
#pragma omp section
            a[1] = 1;
        }
    }
#pragma omp parallel for collapse(2) reduction(max : best) num_threads(2)
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 10; j++)
            if (b[i * 10 + j] > best) best = b[i * 10 + j];
#pragma omp parallel num_threads(2)
    {
#pragma omp parallel for num_threads(2)
        for (int i = 0; i < 10; i++) {
#pragma omp atomic
            order[i] += 1;
        }
    }
    omp_destroy_lock(&l);
    shmem_finalize();
    return last + best == -1;
}
