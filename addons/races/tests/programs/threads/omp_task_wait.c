/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1 PE: OpenMP: tasks, and taskwait. Options: -fopenmp.
 */
#include <omp.h>
#include <shmem.h>
#include <unistd.h>
static int other;
int main(void) {
    int got;
    shmem_init_thread(SHMEM_THREAD_FUNNELED, &got);
    int x = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task shared(x)
        x = 5; /* race */
#pragma omp task
        other = 3; /* race */
        usleep(2000);
#ifndef RACY
#pragma omp taskwait
#endif
        other += x; /* race */
    }
    shmem_finalize();
    return other == 99;
}
