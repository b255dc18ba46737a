/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is no space, and what a space does not allow, by the word given: refused by name, on all members.
 */
#include "check.h"

#include <shmemx.h>

#include <stdbool.h>
#include <string.h>

#define MIB ((size_t)1 << 20)

/* Of the first two PEs; the handle is invalid on the others. */
static shmemx_space_t of_two(long **words)
{
    shmem_team_t two;
    shmemx_space_t space = SHMEMX_SPACE_INVALID;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 2, NULL, 0, &two);
    if (two != SHMEM_TEAM_INVALID) {
        CHECK_EQ(shmemx_space_create(two, "default", MIB, &space), 0);
        *words = shmemx_space_calloc(space, 100, sizeof **words);
    }
    return space;
}

static void misuse(const char *word)
{
    long *words = NULL;
    char byte = 0;
    shmemx_space_t space = of_two(&words);
    if (words && strcmp(word, "stranger") == 0)
        shmem_long_p(words, 1, 2);
    else if (words && strcmp(word, "stranger-get") == 0)
        shmem_getmem(&byte, words, 1, 2);
    else if (words && strcmp(word, "beyond") == 0)
        shmem_putmem((char *)words + MIB, &byte, 1, 1);
    else if (words && strcmp(word, "free") == 0)
        shmemx_space_free(space, words + 1);
    else if (words && strcmp(word, "realloc") == 0)
        shmem_realloc(words, 10);
    else if (words && strcmp(word, "handle") == 0)
        shmemx_space_malloc((shmemx_space_t)words, 10);
    shmem_barrier_all();
}

int main(int argc, char **argv)
{
    shmem_init();
    if (argc == 2) {
        misuse(argv[1]);
        return test_finish();
    }
    size_t size = strtoull(argv[2], NULL, 10);
    shmemx_space_t space = (shmemx_space_t)1;
    CHECK(shmemx_space_create(SHMEM_TEAM_WORLD, argv[1], size, &space) != 0);
    CHECK(space == SHMEMX_SPACE_INVALID);
    shmem_barrier_all();
    if (shmem_my_pe() == 0)
        printf("refused\n");
    return test_finish();
}
