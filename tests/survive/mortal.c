/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Runs a program whose PE may die at any instruction of it, by a timer that outlives exec.
 *
 *     mortal SEED PES VICTIMS FIRST-US LAST-US PROGRAM...
 */
#include "random.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

static int my_pe(void)
{
    const char *job = getenv("SHEAF_JOB"), *rank = getenv("PMI_RANK"); /* LAUNCHER:FD:PE:JOB */
    int pe;
    if (!job && rank)
        return atoi(rank);
    if (!job || sscanf(job, "%*d:%*d:%d", &pe) != 1) {
        fprintf(stderr, "mortal: to be started by oshrun or one-by-one\n");
        exit(2);
    }
    return pe;
}

int main(int argc, char **argv)
{
    if (argc < 7)
        return 2;
    uint64_t random = (uint64_t)atol(argv[1]);
    int pes = atoi(argv[2]), victims = atoi(argv[3]), me = my_pe();
    long first_us = atol(argv[4]), span_us = atol(argv[5]) - first_us;
    int first = (int)test_random_below(&random, (uint64_t)pes);
    for (int i = 0; i < victims; i++) {
        long us = first_us + (long)test_random_below(&random, (uint64_t)span_us);
        struct itimerval timer = {.it_value = {.tv_sec = us / 1000000, .tv_usec = us % 1000000}};
        if (me == (first + i) % pes)
            setitimer(ITIMER_REAL, &timer, NULL);
    }
    execv(argv[6], argv + 6);
    perror(argv[6]);
    return 2;
}
