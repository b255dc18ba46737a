/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program with functions of its own under the names of system calls and other functions of libc that the C
 * standard leaves to programs: the library must call none of them. own_names.inc has a line OWN(poll) for
 * each name of base/os/direct.syms.
 */
#include <shmem.h>

#include <stdio.h>
#include <stdlib.h>

static void complain(const char *name)
{
    fprintf(stderr, "sheaf: the program's own %s was called\n", name);
    _Exit(1);
}

#define OWN(name)                                                                                  \
    long own_##name(void) __asm__(#name);                                                          \
    long own_##name(void)                                                                          \
    {                                                                                              \
        complain(#name);                                                                           \
        return 12345;                                                                              \
    }
#include "own_names.inc"

int main(void)
{
    static long sum, one = 1;
    shmem_init();
    int npes = shmem_n_pes();
    long *block = shmem_malloc(1 << 20);
    shmem_team_t team;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, npes, NULL, 0, &team);
    shmem_long_sum_reduce(team, &sum, &one, 1);
    shmem_free(block);
    shmem_finalize();
    return sum == npes ? 0 : 1;
}
