/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"
#include <stdint.h>

#define SLOTS 4
static long slots[SLOTS];
static uint64_t written, taken;

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes();
    const uint64_t items = 1000;
    if (me == 0 && n > 1) {
        for (uint64_t i = 0; i < items; i++) {
            const long item = (long)(i * i);
            if (i >= SLOTS)
                shmem_signal_wait_until(&taken, SHMEM_CMP_GE, i - SLOTS + 1); /* a slot is free */
            shmem_fence(); /* the items arrive in order */
            shmem_put_signal(&slots[i % SLOTS], &item, 1, &written, i + 1, SHMEM_SIGNAL_SET, 1);
        }
    } else if (me == 1) {
        for (uint64_t i = 0; i < items; i++) {
            shmem_signal_wait_until(&written, SHMEM_CMP_GE, i + 1);
            CHECK(slots[i % SLOTS] == (long)(i * i));
            shmem_fence();
            shmem_signal_set(&taken, i + 1, 0);
        }
    }
    shmem_barrier_all();
    shmem_finalize();
}
