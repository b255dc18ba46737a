/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: longjmp out of deep calls.
 */
#include <setjmp.h>
#include <shmem.h>
static jmp_buf env; static int x[8], flag;
static void deep(int n) {
    x[n] = n;
    if (n == 7) longjmp(env, 1);
    deep(n + 1);
}
int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    volatile int rounds = 0;
    while (rounds < 2000) {
        rounds++;
        if (setjmp(env) == 0) deep(0);
    }
    shmem_barrier_all();
#ifdef RACY
    if (me == 0) shmem_int_p(&x[3], 1, 1); /* race */
    if (me == 1) x[3] = 2; /* race */
#endif
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
