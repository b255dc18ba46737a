/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The memory that simulated PEs allocate, each for itself, and the most that one of them has held: start.h.
 */
#include "simulation.h"
#include "start.h"
#include "unit.h"

#include <malloc.h>

static int64_t *held, most; /* bytes, by PE */

void start_memory_begin(int npes)
{
    held = calloc((size_t)npes, sizeof *held);
    most = 0;
}

void start_memory_end(void)
{
    free(held);
}

int64_t start_memory_most(void)
{
    return most;
}

void *start_allocate(size_t count, size_t bytes)
{
    void *memory = calloc(count ? count : 1, bytes ? bytes : 1);
    CHECK(memory != NULL);
    int64_t mine = held[sim_me->pe] += (int64_t)malloc_usable_size(memory);
    most = mine > most ? mine : most;
    return memory;
}

void start_free(void *memory)
{
    held[sim_me->pe] -= (int64_t)malloc_usable_size(memory);
    free(memory);
}

void *start_reallocate(void *memory, size_t bytes)
{
    void *larger = start_allocate(bytes, 1);
    if (memory) {
        size_t before = malloc_usable_size(memory);
        memcpy(larger, memory, before < bytes ? before : bytes);
        start_free(memory);
    }
    return larger;
}
