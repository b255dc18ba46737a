/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A connection that is busy does not keep another one waiting. PE 0 gets from PE 1, again and again, until
 * PE 2 has put its data to PE 0, of lengths below and above that to which a message is sent as one piece.
 * 3 PEs, each far to the others, without a progress thread. Arguments: none.
 */
#include "check.h"

#include <shmem.h>

#include <string.h>

#define MOST 4096

static unsigned char from_two[MOST], sent[MOST];
static long seven, may_begin, is_over;

static void get_until_over(void)
{
    for (int gets = 0; shmem_long_atomic_fetch(&is_over, 0) == 0; gets++) {
        CHECK(shmem_long_g(&seven, 1) == 7);
        if (gets == 100)
            shmem_long_p(&may_begin, 1, 2);
    }
}

static void put_all_lengths(void)
{
    shmem_long_wait_until(&may_begin, SHMEM_CMP_EQ, 1);
    for (size_t bytes = 1; bytes <= MOST; bytes += bytes < 1900 || bytes > 2100 ? 37 : 1) {
        for (size_t i = 0; i < bytes; i++)
            sent[i] = (unsigned char)(i * 7 + bytes);
        shmem_putmem(from_two, sent, bytes, 0);
        shmem_quiet();
        unsigned char there[MOST];
        shmem_getmem(there, from_two, bytes, 0);
        CHECK(memcmp(there, sent, bytes) == 0);
    }
    shmem_long_p(&is_over, 1, 0);
    shmem_long_p(&is_over, 1, 1);
}

int main(void)
{
    shmem_init();
    int me = shmem_my_pe();
    CHECK(shmem_n_pes() == 3);
    if (me == 1)
        seven = 7;
    shmem_barrier_all();
    if (me == 0)
        get_until_over();
    else if (me == 1)
        shmem_long_wait_until(&is_over, SHMEM_CMP_EQ, 1);
    else
        put_all_lengths();
    shmem_finalize();
    return 0;
}
