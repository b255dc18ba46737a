/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Processes that tell of the same deaths at the same time, some of which are killed while they do: each death
 * is in the list once, one caller at most has written it there, and whoever comes last finds all counted.
 * Argument: seed.
 */
#include "image/control.h"
#include "random.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define SLOTS   40
#define TELLERS 4
#define ROUNDS  300

static struct sheaf_control *control;
static uint32_t *written; /* by slot: callers that were told that they did */

static void reset(size_t bytes)
{
    for (size_t i = 0; i < bytes / sizeof(uint32_t); i++)
        ((uint32_t *)control)[i] = 0;
    control->pes_offset = sizeof *control;
    for (int slot = 0; slot < SLOTS; slot++)
        written[slot] = 0;
}

static void tell(uint64_t random)
{
    int first = (int)test_random_below(&random, SLOTS);
    for (int i = 0; i < SLOTS; i++) {
        int slot = (first + i) % SLOTS;
        if (sheaf_control_list_death(control, slot))
            __atomic_fetch_add(&written[slot], 1, __ATOMIC_RELAXED);
        sheaf_control_count_deaths(control);
    }
}

static void start_teller(uint64_t *random)
{
    uint64_t own = test_random(random);
    struct itimerval timer = {.it_value = {.tv_usec = 1 + (long)test_random_below(random, 60)}};
    if (fork() != 0)
        return;
    if (own % 2)
        setitimer(ITIMER_REAL, &timer, NULL);
    tell(own);
    _exit(0);
}

static int check(void)
{
    int listed[SLOTS] = {0}, wrong = control->deaths != SLOTS;
    for (uint32_t i = 0; i < control->deaths && i < SLOTS; i++) {
        int slot = control->dead[i] - 1;
        if (slot < 0 || slot >= SLOTS)
            return -1;
        listed[slot]++;
        wrong += sheaf_control_pe(control, slot)->died != i + 1;
    }
    for (int slot = 0; slot < SLOTS; slot++)
        wrong += listed[slot] != 1 || written[slot] > 1 ||
                 sheaf_control_pe(control, slot)->presence != SHEAF_PE_DEAD;
    return wrong;
}

int main(int argc, char **argv)
{
    uint64_t random = argc > 1 ? (uint64_t)atol(argv[1]) : 1;
    size_t bytes = sizeof *control + SLOTS * sizeof(struct sheaf_pe);
    int access = PROT_READ | PROT_WRITE, flags = MAP_SHARED | MAP_ANONYMOUS;
    control = mmap(NULL, bytes, access, flags, -1, 0);
    written = mmap(NULL, SLOTS * sizeof *written, access, flags, -1, 0);
    if (control == MAP_FAILED || written == MAP_FAILED)
        return 2;
    int killed = 0;
    for (int round = 0; round < ROUNDS; round++) {
        reset(bytes);
        for (int i = 0; i < TELLERS; i++)
            start_teller(&random);
        for (int status; wait(&status) > 0;)
            killed += WIFSIGNALED(status);
        tell(test_random(&random));
        if (check() != 0) {
            printf("round %d: %u deaths of %d, not each once\n", round, control->deaths, SLOTS);
            return 1;
        }
    }
    printf("%d rounds, %d tellers killed\n", ROUNDS, killed);
    return 0;
}
