/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Small programs with and without a race, several in a file, told apart by a name on the command line. In
 * a racy one the lines of the two accesses carry the comment "race"; one without such lines has no race.
 * addons/races/tests/test_races.py reads this, runs each, and compares what is reported.
 */
#ifndef TESTS_RACES_CASES_H
#define TESTS_RACES_CASES_H

#include <shmem.h>
#include <shmemx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where a value goes, so that no load is dropped. The thread's own. */
static __thread volatile long sink __attribute__((unused));
static int me, npes;

#define USE(value) ((void)(sink = (long)(value)))
#define CASE(NAME) static void NAME(void)

struct test_case {
    const char *name;
    void (*run)(void);
};
#define RUN(NAME)                                                                                        \
    {                                                                                                    \
#NAME, NAME                                                                                      \
    }

/* CASES(RUN(a), RUN(b)): the program. */
#define CASES(...)                                                                                       \
    static const struct test_case all_cases[] = {__VA_ARGS__};                                           \
    int main(int argc, char **argv)                                                                      \
    {                                                                                                    \
        int level;                                                                                       \
        if (shmem_init_thread(SHMEM_THREAD_MULTIPLE, &level) != 0)                                       \
            return 2;                                                                                    \
        me = shmem_my_pe();                                                                              \
        npes = shmem_n_pes();                                                                            \
        int found = 0;                                                                                   \
        for (size_t i = 0; argc > 1 && i < sizeof all_cases / sizeof *all_cases; i++)                    \
            if (strcmp(all_cases[i].name, argv[1]) == 0) {                                               \
                found = 1;                                                                               \
                all_cases[i].run();                                                                      \
            }                                                                                            \
        shmem_barrier_all();                                                                             \
        shmem_finalize();                                                                                \
        return found ? 0 : 2;                                                                            \
    }

#endif
