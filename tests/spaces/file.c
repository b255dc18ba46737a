/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A memory space in files: write PATH BYTES fills it and has the others' parts changed, read PATH BYTES
 * finds that; refuse PATH BYTES expects none. twice PATH BYTES makes two of the same files at once, fork
 * checks that a child's changes are its own.
 */
#include "check.h"

#include <shmemx.h>

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static long value(int pe, size_t i)
{
    return 1000000L * (pe + 1) + (long)i;
}

static void write_all(long *words, size_t count, int me, int npes)
{
    int next = (me + 1) % npes;
    for (size_t i = 0; i < count / 2; i++)
        words[i] = value(me, i);
    shmem_barrier_all();
    for (size_t i = count / 2; i < count; i++)
        shmem_long_p(&words[i], value(next, i), next);
    shmem_barrier_all();
}

static void check_all(const long *words, size_t count, int me)
{
    for (size_t i = 0; i < count; i++)
        CHECK_EQ(words[i], value(me, i));
    shmem_barrier_all();
}

static void check_child(long *words, size_t count, int me)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        memset(words, 0, count * sizeof *words);
        _exit(0);
    }
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    check_all(words, count, me);
}

int main(int argc, char **argv)
{
    char kind[4200];
    shmemx_space_t space, second;
    CHECK(argc == 4);
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    size_t size = strtoull(argv[3], NULL, 10), count = 1000;
    snprintf(kind, sizeof kind, "file:%s", argv[2]);
    int result = shmemx_space_create(SHMEM_TEAM_WORLD, kind, size, &space);
    if (strcmp(argv[1], "refuse") == 0) {
        CHECK(result != 0 && space == SHMEMX_SPACE_INVALID);
        return test_finish();
    }
    CHECK_EQ(result, 0);
    long *unused = shmemx_space_malloc(space, 100);
    long *words = shmemx_space_malloc(space, count * sizeof *words);
    CHECK(unused && words);
    if (strcmp(argv[1], "twice") == 0)
        CHECK(shmemx_space_create(SHMEM_TEAM_WORLD, kind, size, &second) != 0);
    if (strcmp(argv[1], "read") != 0)
        write_all(words, count, me, npes);
    check_all(words, count, me);
    if (strcmp(argv[1], "fork") == 0)
        check_child(words, count, me);
    long *zeros = shmemx_space_calloc(space, 8, sizeof *zeros);
    CHECK(zeros && zeros[7] == 0);
    if (me % 2 == 0)
        zeros[0] = 5;
    shmem_barrier_all();
    if (strcmp(argv[1], "write") == 0)
        shmemx_space_destroy(space);
    return test_finish();
}
