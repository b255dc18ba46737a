/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What test programs share: checks that name PE, place and values on standard output and end the
 * whole job; a skip with its reason; a seeded generator. C and C++; uses the public interface
 * alone.
 */
#ifndef TEST_CHECK_H
#define TEST_CHECK_H

#include "random.h"

#include <shmem.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define TEST_STATUS_FAILED  1
#define TEST_STATUS_SKIPPED 77

/* A PE number for messages; -1 outside init and finalize. bench/conform compiles tests with libraries that
 * lack routines of 1.5 and 1.6: the TEST_WITHOUT_ macros say which. */
static inline int test_pe(void)
{
#ifdef TEST_WITHOUT_QUERY
    return shmem_my_pe();
#else
    int initialized = 0;
    shmem_query_initialized(&initialized);
    return initialized ? shmem_my_pe() : -1;
#endif
}

/* Whether pe's memory can be reached by load and store: shmem_ptr must then give an address. */
static inline int test_is_near(int pe)
{
#ifdef TEST_WITHOUT_TEAMS
    static long object;
    return shmem_ptr(&object, pe) != NULL;
#else
    return shmem_team_translate_pe(SHMEM_TEAM_WORLD, pe, SHMEM_TEAM_SHARED) >= 0;
#endif
}

/* Ends the whole job with this status, or, outside init and finalize, this process. */
static inline void test_end(int status)
{
    fflush(stdout);
    if (test_pe() >= 0)
        shmem_global_exit(status);
    exit(status);
}

static inline void test_fail(const char *file, int line, const char *what)
{
    printf("PE %d: %s:%d: failed: %s\n", test_pe(), file, line, what);
    test_end(TEST_STATUS_FAILED);
}

static inline void test_equal(const char *file, int line, const char *actual_text,
                              const char *expected_text, long long actual, long long expected)
{
    if (actual == expected)
        return;
    printf("PE %d: %s:%d: failed: %s == %s: got %lld, expected %lld\n", test_pe(), file, line,
           actual_text, expected_text, actual, expected);
    test_end(TEST_STATUS_FAILED);
}

/* Ends the job as failed unless condition holds. */
#define CHECK(condition)                                  \
    do {                                                  \
        if (!(condition))                                 \
            test_fail(__FILE__, __LINE__, #condition);    \
    } while (0)

/* The same for two integers, whose values it prints. Unsigned 64-bit values compare bit by bit. */
#define CHECK_EQ(actual, expected)                                             \
    test_equal(__FILE__, __LINE__, #actual, #expected, (long long)(actual),    \
               (long long)(expected))

/* Ends the job as skipped. */
#define TEST_SKIP(reason)                                                      \
    do {                                                                       \
        printf("skipped: %s\n", (reason));                                     \
        test_end(TEST_STATUS_SKIPPED);                                         \
    } while (0)

/* The last line of main: finalizes when the library is up, and is the exit status. */
static inline int test_finish(void)
{
    if (test_pe() >= 0)
        shmem_finalize();
    return 0;
}

#endif
