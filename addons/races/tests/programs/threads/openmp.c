/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1 PE: OpenMP: reduction, barrier, critical, single, atomic, dynamic loops. Options: -fopenmp.
 */
#include <omp.h>
#include <shmem.h>
#include <stdlib.h>
static long total, part[64];
int main(void) {
    int got;
    shmem_init_thread(SHMEM_THREAD_FUNNELED, &got);
    omp_set_num_threads(3);
    long sum = 0;
    int *v = malloc(300 * sizeof *v);
#pragma omp parallel for
    for (int i = 0; i < 300; i++) v[i] = i;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 300; i++) sum += v[299 - i];
#pragma omp parallel
    {
        part[omp_get_thread_num()] = omp_get_thread_num(); /* race */
#ifndef RACY
#pragma omp barrier
#endif
        int next = (omp_get_thread_num() + 1) % omp_get_num_threads();
        part[next] += 1; /* race */
#pragma omp critical
        total += 1;
#pragma omp barrier
#pragma omp single
        total *= 2;
#pragma omp atomic
        total += 2;
#pragma omp for schedule(dynamic, 4)
        for (int i = 0; i < 100; i++) v[i] += part[0] > 100;
    }
    free(v);
    shmem_finalize();
    return sum == 3;
}
