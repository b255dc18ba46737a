/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fork() before initialization, as test runners do: of parent and children the process that initializes is
 * the PE, one after the other. "some": beside PEs that fork nothing. "both": parent and child at once, of which the second ends with a line.
 */
#define _GNU_SOURCE
#include "check.h"

#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORDS 3000

static long variables[WORDS];
static long expected; /* what the program itself has written to the last of them */
static const long constant = 7;

/* A job: static data, heap and constants as in any other. */
static int be_the_pe(void)
{
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes(), next = (me + 1) % npes;
    long *heap = shmem_calloc(WORDS, sizeof *heap);
    CHECK(heap && heap[WORDS - 1] == 0);
    CHECK_EQ(variables[WORDS - 1], expected);
    CHECK_EQ(shmem_long_g(&constant, next), 7);
    shmem_barrier_all();
    shmem_long_p(&variables[5], 100 + me, next);
    shmem_long_atomic_add(&heap[WORDS - 1], 200 + me, next);
    shmem_barrier_all();
    int previous = (me + npes - 1) % npes;
    CHECK_EQ(variables[5], 100 + previous);
    CHECK_EQ(heap[WORDS - 1], 200 + previous);
    CHECK_EQ(shmem_long_g(&variables[5], next), 100 + me);
    shmem_barrier_all();
    return test_finish();
}

static void be_the_parent(void)
{
    int status;
    fflush(NULL);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0)
        exit(be_the_pe());
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK_EQ(WEXITSTATUS(status), 0);
    CHECK_EQ(variables[5], 0);
}

int main(int argc, char **argv)
{
    bool is_some = argc > 1 && strcmp(argv[1], "some") == 0;
    variables[WORDS - 1] = expected = 1;
    if (argc > 1 && strcmp(argv[1], "both") == 0) {
        fork();
        return be_the_pe();
    }
    if (is_some && getpid() % 2) /* about every other PE */
        return be_the_pe();
    be_the_parent();
    if (is_some)
        return 0;
    variables[WORDS - 1] = expected = 2;
    be_the_parent();
    return be_the_pe();
}
