/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What calls about atomic operations must refuse, one mistake a run: refused MISTAKE. "nothing" makes
 * none and ends in order.
 */
#include "check.h"

#include <shmemx.h>

#include <string.h>

static uint64_t words[2];

/* Of the first PE alone, then of all. */
static void make_space(void)
{
    shmemx_space_t space;
    shmem_team_t alone;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 1, NULL, 0, &alone);
    if (alone != SHMEM_TEAM_INVALID)
        CHECK(shmemx_space_create(alone, "atomics:network", 4096, &space) != 0 && space == SHMEMX_SPACE_INVALID);
    CHECK(shmemx_space_create(SHMEM_TEAM_WORLD, "atomics:network", 4096, &space) != 0);
}

static void make(const char *mistake)
{
    int last = shmem_n_pes() - 1;
    uint64_t *unaligned = (uint64_t *)((char *)words + 4);
    if (strcmp(mistake, "declare") == 0)
        shmemx_atomics_declare("add64,nand");
    else if (strcmp(mistake, "declare-space") == 0)
        shmemx_atomics_declare("add64, xor");
    else if (strcmp(mistake, "declare-null") == 0)
        shmemx_atomics_declare(NULL);
    else if (strcmp(mistake, "ask-operation") == 0)
        shmemx_provider("nand", 8, words, 0, NULL);
    else if (strcmp(mistake, "ask-bytes") == 0)
        shmemx_provider("add", 2, words, 0, NULL);
    else if (strcmp(mistake, "ask-pe") == 0)
        shmemx_provider("add", 8, words, last + 1, NULL);
    else if (strcmp(mistake, "ask-signal") == 0)
        shmemx_provider("signal", 4, words, 0, NULL);
    else if (strcmp(mistake, "ask-reduce") == 0)
        shmemx_provider("reduce", 12, words, 0, NULL);
    else if (strcmp(mistake, "measure-null") == 0)
        shmemx_provider_ns("put", 8, NULL, 0);
    else if (strcmp(mistake, "space") == 0)
        make_space();
    else if (strcmp(mistake, "unaligned") == 0)
        shmem_uint64_atomic_add(unaligned, 1, last);
    else if (strcmp(mistake, "unaligned-fetch") == 0)
        shmem_uint32_atomic_fetch_xor((uint32_t *)((char *)words + 2), 1, last);
    else if (strcmp(mistake, "undeclared") == 0)
        shmem_uint64_atomic_xor(words, 1, last);
}

int main(int argc, char **argv)
{
    shmem_init();
    if (shmem_my_pe() == 0 || (argc > 1 && strcmp(argv[1], "space") == 0))
        make(argc > 1 ? argv[1] : "nothing");
    shmem_barrier_all();
    return test_finish();
}
