/* SPDX-License-Identifier: BSD-3-Clause */
/* A PE waits for words of its own memory that other PEs write. */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST 64
static long from[MOST]; /* symmetric: PE i writes element i */

int main(void)
{
    size_t indices[MOST];
    long ones[MOST];
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    for (int pe = 0; pe < n; pe++)
        ones[pe] = 1;
    for (int pe = 0; pe < n; pe++)
        shmem_p(&from[me], 1L, pe);

    shmem_wait_until(&from[0], SHMEM_CMP_NE, 0L);
    size_t some = shmem_wait_until_some(from, n, indices, NULL, SHMEM_CMP_EQ, 1L); /* some have come */
    size_t any = shmem_wait_until_any(from, n, NULL, SHMEM_CMP_EQ, 1L);            /* the index of one */
    shmem_wait_until_all(from, n, NULL, SHMEM_CMP_EQ, 1L);                         /* all have come */
    shmem_wait_until_all_vector(from, n, NULL, SHMEM_CMP_EQ, ones); /* each with a value of its own */
    any += shmem_wait_until_any_vector(from, n, NULL, SHMEM_CMP_EQ, ones);
    some += shmem_wait_until_some_vector(from, n, indices, NULL, SHMEM_CMP_EQ, ones);

    /* The same without waiting: 1 or 0, an index or SIZE_MAX, how many. */
    int all = shmem_test(&from[0], SHMEM_CMP_EQ, 1L) + shmem_test_all(from, n, NULL, SHMEM_CMP_EQ, 1L) +
              shmem_test_all_vector(from, n, NULL, SHMEM_CMP_EQ, ones);
    any += shmem_test_any(from, n, NULL, SHMEM_CMP_EQ, 1L) + shmem_test_any_vector(from, n, NULL, SHMEM_CMP_EQ, ones);
    some += shmem_test_some(from, n, indices, NULL, SHMEM_CMP_EQ, 1L) +
            shmem_test_some_vector(from, n, indices, NULL, SHMEM_CMP_EQ, ones);
    printf("PE %d: %d tests hold; %s\n", me, all, some >= (size_t)n && any < SIZE_MAX ? "the others, too" : "odd");
    shmem_finalize();
}
