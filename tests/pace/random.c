/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Random programs on a random number of simulated processors. All end; nobody sleeps past the longest nap
 * while a message is there that nobody else will take; levels do not go to and fro.
 * Usage: random RUNS SEED
 */
#include "process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_STEPS 24
#define ROUNDS     40

/* Yields and naps between two changes of level, in the mean. */
#define FEWEST_BETWEEN 50

static struct step steps[MOST_PROCESSES][MOST_STEPS];
static int lengths[MOST_PROCESSES];
static uint64_t seed;

static uint64_t below(uint64_t most)
{
    return random_next(&seed) % most;
}

static void append(int process, enum operation operation, int peer, uint64_t amount)
{
    if (lengths[process] < MOST_STEPS)
        steps[process][lengths[process]++] = (struct step){operation, peer, amount};
}

static int other_than(int process, int count)
{
    return (process + 1 + (int)below((uint64_t)count - 1)) % count;
}

/* A round: puts, gets and computation as they come, then every put is waited for by its target. */
static void write_programs(int count)
{
    uint64_t puts[MOST_PROCESSES] = {0};
    memset(lengths, 0, sizeof lengths);
    for (int i = 0; i < count; i++)
        for (uint64_t left = 1 + below(8); left > 0; left--) {
            static const uint64_t times[] = {US, 20 * US, 300 * US, 3 * MS};
            int peer = other_than(i, count);
            switch (below(6)) {
            case 0:
                append(i, COMPUTE, 0, times[below(4)]);
                break;
            case 1:
                append(i, GET, peer, 0);
                break;
            case 2:
                append(i, GET_NBI, peer, (1 + below(16)) << 14);
                break;
            case 3:
                append(i, QUIET, 0, 0);
                break;
            default:
                append(i, PUT, peer, 0);
                puts[peer]++;
            }
        }
    for (int i = 0; i < count; i++) {
        append(i, AWAIT, 0, puts[i]);
        append(i, QUIET, 0, 0);
        process_program(i, steps[i], lengths[i], ROUNDS);
    }
}

static int check(const char *what, uint64_t found, uint64_t most, const char *run)
{
    if (found <= most)
        return 0;
    printf("%s: %s: %lu, at most %lu expected\n", run, what, (unsigned long)found, (unsigned long)most);
    return 1;
}

static int run_one(uint64_t number)
{
    char run[80];
    seed = number;
    int processors = 1 + (int)below(4), count = 2 + (int)below(below(3) ? 7 : 30);
    snprintf(run, sizeof run, "seed %lu: %d processors, %d PEs", (unsigned long)number, processors, count);
    processes_begin(processors, count, true, below(2));
    write_programs(count);
    uint64_t taken = processes_run();
    int failures = check("not over after a minute", taken == 0, 0, run);
    for (int i = 0; i < count; i++) {
        uint64_t longest = processes[i].was_crowded ? sheaf_pace_table.nap_most_crowded
                                                    : sheaf_pace_table.nap_most;
        failures += check("ns that a message waited for a nap", processes[i].most_neglect, longest, run);
        failures += check("changes of level", processes[i].level_changes,
                          20 + processes[i].learned / FEWEST_BETWEEN, run);
    }
    return failures;
}

int main(int argc, char **argv)
{
    int failures = 0;
    if (argc != 3)
        return 2;
    uint64_t runs = strtoul(argv[1], NULL, 10), first = strtoul(argv[2], NULL, 10);
    for (uint64_t i = 0; i < runs; i++)
        failures += run_one(first + i);
    return failures != 0;
}
