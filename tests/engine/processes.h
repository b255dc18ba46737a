/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Processes that a test forks, a PE each: memory that they share, a barrier, and one that fails ends
 * all. In steps, one of them runs at a time, the next is chosen by a seed, and time is what they have
 * done: the same seed then does the same again, whatever else the machine does.
 */
#ifndef SHEAF_TEST_ENGINE_PROCESSES_H
#define SHEAF_TEST_ENGINE_PROCESSES_H

#include "random.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST_PES 8

extern int me, npes;

/* Zeros, shared by the processes that are forked afterwards, at one address. */
void *share(size_t bytes);

/* Runs body in so many processes. Returns the program's exit status. */
int run_processes(int count, bool in_steps, void (*body)(void));

/* From here on steps are chosen by the seed, among the first pes processes; by all of them, between two
 * barriers of their own. most: how many there may be before the test is stuck. */
void begin_steps(uint64_t seed, int pes, uint64_t most);

/* Another process may go on; by those that wait for something, and wherever else a test likes. */
void step(void);

/* Waits for the first pes processes; meanwhile, where not NULL, is called again and again. */
void meet(int pes, void (*meanwhile)(void));

/* Ends this process as if it had been killed, but for the others' steps, which go on without it. */
_Noreturn void die(void);

/* For messages: what this process does, a constant; and the command that does it again. */
void is_doing(const char *what);
void repeat_by(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* What happens, line by line, where SHEAF_TEST_TRACE is set. */
void trace(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints what has failed, what all processes are doing, and the command; ends them. */
_Noreturn void fail(const char *file, int line, const char *condition, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
#define REQUIRE(condition, ...)                                                                    \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fail(__FILE__, __LINE__, #condition, __VA_ARGS__);                                     \
    } while (0)

/* A number below limit, by chance. */
static inline uint64_t below(uint64_t *chance, uint64_t limit)
{
    return test_random_below(chance, limit);
}

/* The bytes that belong to a number. */
void fill(void *bytes, size_t count, uint64_t number);
bool is_filled(const void *bytes, size_t count, uint64_t number);

#endif
