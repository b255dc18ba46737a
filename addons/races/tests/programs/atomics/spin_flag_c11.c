/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: stores and an atomic of stdatomic.h by way of shmem_ptr.
 */
#include <shmem.h>
#include <stdatomic.h>
static int data[20]; static atomic_int flag;
int main(void) {
    shmem_init();
    if (shmem_my_pe() == 0) {
        int v[20] = {1};
        int *there = shmem_ptr(data, 1);
        atomic_int *f = shmem_ptr(&flag, 1);
        if (!there || !f) return 0;
        for (int i = 0; i < 20; i++)
            there[i] = v[i]; /* race */
#ifdef RACY
        atomic_store_explicit(f, 1, memory_order_relaxed);
#else
        atomic_store_explicit(f, 1, memory_order_release);
#endif
    } else {
        while (!atomic_load_explicit(&flag, memory_order_acquire))
            ;
        int s = 0;
        for (int i = 0; i < 20; i++)
            s += data[i]; /* race */
        if (s == 99) return 1;
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
