/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program whose whole state is symmetric: a counter of steps, a static array, blocks of the heap that are
 * linked by pointers, and a memory space. Each step changes some of each, in a way that a checksum tells.
 */
#ifndef TEST_SURVIVE_STATE_H
#define TEST_SURVIVE_STATE_H

#include "check.h"

#include <shmemx.h>
#include <string.h>

#define WORDS 4096 /* of the array and of each block */

struct block {
    struct block *next;
    long words[WORDS];
};

static long steps;
static long numbers[WORDS] = {1, 2, 3};
static long untouched[1 << 20]; /* of which only a few pages ever exist */
static struct block *blocks;
static const char *text = "a pointer to the program";

/* Every PE gives its next one a word of its own, so that each depends on all. */
static void step(void)
{
    int me = shmem_my_pe(), next = (me + 1) % shmem_n_pes();
    long place = (steps * 37 + me) % WORDS;
    shmem_long_put(&numbers[(place + 1000) % WORDS], &numbers[place], 1, next);
    shmem_barrier_all();
    numbers[place] = numbers[place] * 31 + steps;
    if (steps % 8 == 0) {
        struct block *made = shmem_calloc(1, sizeof *made);
        CHECK(made != NULL);
        made->next = blocks;
        blocks = made;
    }
    for (struct block *block = blocks; block; block = block->next)
        block->words[place] += numbers[place] + me;
    untouched[steps * 4096 % (1 << 20)] = steps;
    steps++;
    shmem_barrier_all();
}

static unsigned long checksum(void)
{
    unsigned long sum = (unsigned long)steps;
    for (int i = 0; i < WORDS; i++)
        sum = sum * 31 + (unsigned long)numbers[i];
    for (struct block *block = blocks; block; block = block->next)
        for (int i = 0; i < WORDS; i++)
            sum = sum * 31 + (unsigned long)block->words[i];
    for (int i = 0; i < 1 << 20; i += 4096)
        sum = sum * 31 + (unsigned long)untouched[i];
    return sum + strlen(text);
}

#endif
