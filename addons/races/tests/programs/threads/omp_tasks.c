/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1 PE: OpenMP: tasks in tasks, for, sections, master. Options: -fopenmp. Correct alone.
 */
#include <omp.h>
#include <shmem.h>
static int a[100], s1, s2; static long fibs[30];
static long fib(int n) {
    long x, y;
    if (n < 2) return n; /* race */
#pragma omp task shared(x)
    x = fib(n - 1); /* race */
#pragma omp task shared(y)
    y = fib(n - 2); /* race */
#ifndef RACY
#pragma omp taskwait
#endif
    long z = x + y; /* race */
#pragma omp taskwait
    return z;
}
int main(void) {
    int got;
    shmem_init_thread(SHMEM_THREAD_FUNNELED, &got);
#pragma omp parallel num_threads(3)
    {
#pragma omp single
        fibs[0] = fib(9);
#pragma omp for
        for (int i = 0; i < 100; i++) a[i] = i;
#pragma omp sections
        {
#pragma omp section
            s1 = a[3];
#pragma omp section
            s2 = a[97];
        }
#pragma omp master
        s1 += s2;
    }
    shmem_finalize();
    return s1 == 1;
}
