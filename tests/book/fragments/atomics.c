/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The fragments of docs/understand/atomics.md, docs/do/tune.md and docs/understand/waiting.md: what a program declares and asks, and a wait
 * of its own.
 */
#include <shmemx.h>

#include "check.h"

static long flag;

static void wait_for(long old)
{
    while (shmem_test(&flag, SHMEM_CMP_EQ, old))
        ;
}

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), pe = (me + 1) % shmem_n_pes();
    unsigned long *word = shmem_calloc(1, sizeof *word);
    shmemx_atomics_declare("add64,fetch64");   /* collective; 1 where the network has them now */
    char channel[SHMEM_MAX_NAME_LEN];
    int who = shmemx_provider("xor", sizeof *word, word, pe, channel);
    double ns = shmemx_provider_ns("xor", sizeof *word, word, pe);
    CHECK(who == SHMEMX_PROVIDER_NONE || (ns > 0 && channel[0]));
    CHECK(who == SHMEMX_PROVIDER_PROCESSOR || who == SHMEMX_PROVIDER_MESSAGE || who == SHMEMX_PROVIDER_NONE);
    shmem_long_p(&flag, 1, pe);
    wait_for(0);
    CHECK(flag == 1);
    shmem_barrier_all();
    shmem_free(word);
    shmem_finalize();
    return 0;
}
