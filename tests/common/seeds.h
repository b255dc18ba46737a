/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tests that run again and again with other random numbers, each run by a seed. A run that fails ends its process.
 * Arguments of such a test:
 *   none         the seeds that are kept because they failed once, then the first ones
 *   FIRST COUNT  so many seeds from FIRST on
 *   soak         new seeds for SHEAF_SOAK_SECONDS; a seed that fails is kept in the file that SEEDS names, one a line,
 *                and the next one follows
 */
#ifndef TEST_SEEDS_H
#define TEST_SEEDS_H

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* In seconds: a run that lasts longer is ended by SIGALRM, and has failed. Runs take some ms. */
#define TEST_SEED_LASTS 60

typedef void test_seed_run(uint64_t seed);

static inline void test_seeds_run(uint64_t first, uint64_t count, test_seed_run *run)
{
    for (uint64_t seed = first; count > 0; seed++, count--)
        run(seed);
}

static inline void test_seeds_run_kept(test_seed_run *run)
{
    const char *name = getenv("SEEDS");
    FILE *file = name ? fopen(name, "r") : NULL;
    uint64_t seed;
    while (file && fscanf(file, "%" SCNu64, &seed) == 1) {
        printf("seed %" PRIu64 " of %s\n", seed, name);
        run(seed);
    }
    if (file)
        fclose(file);
}

static inline void test_seed_keep(uint64_t seed, const char *test)
{
    const char *name = getenv("SEEDS");
    FILE *file = name ? fopen(name, "a") : NULL;
    if (!file || fprintf(file, "%" PRIu64 "\n", seed) < 0 || fclose(file) != 0)
        printf("%s: the seed cannot be kept there\n", name ? name : "SEEDS is not set");
    printf("seed %" PRIu64 " has failed: run it again by %s %" PRIu64 " 1\n", seed, test, seed);
    fflush(stdout);
}

/* From *seed on, until one fails or the time is over; returns how this process's child has ended. */
static inline int test_seeds_try(volatile uint64_t *seed, time_t end, test_seed_run *run)
{
    int status = -1;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        for (; time(NULL) < end; ++*seed) {
            alarm(TEST_SEED_LASTS);
            run(*seed);
        }
        exit(0);
    }
    if (child > 0)
        waitpid(child, &status, 0);
    return status;
}

static inline int test_seeds_soak(const char *test, test_seed_run *run)
{
    const char *seconds = getenv("SHEAF_SOAK_SECONDS");
    if (!seconds) {
        printf("skipped: set SHEAF_SOAK_SECONDS to the seconds that it takes\n");
        return 77;
    }
    const time_t end = time(NULL) + atol(seconds);
    const uint64_t first = (uint64_t)time(NULL) << 20;
    volatile uint64_t *seed =
        mmap(NULL, sizeof *seed, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (seed == MAP_FAILED)
        return 1;
    uint64_t failed = 0;
    for (*seed = first; time(NULL) < end;)
        if (test_seeds_try(seed, end, run) != 0) {
            test_seed_keep((*seed)++, test);
            failed++;
        }
    printf("%" PRIu64 " seeds from %" PRIu64 " on, of which %" PRIu64 " have failed\n", *seed - first, first, failed);
    return failed != 0;
}

/* A test's main; usual: how many seeds it runs without arguments, from 1 on. */
static inline int test_seeds_main(int argc, char **argv, uint64_t usual, test_seed_run *run)
{
    if (argc > 1 && strcmp(argv[1], "soak") == 0)
        return test_seeds_soak(argv[0], run);
    if (argc > 2) {
        test_seeds_run(strtoull(argv[1], NULL, 10), strtoull(argv[2], NULL, 10), run);
        return 0;
    }
    test_seeds_run_kept(run);
    test_seeds_run(1, usual, run);
    return 0;
}

#endif
