/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A broadcast from one of two processes to the other, and a barrier, by plain loops. Up to 48 bytes lie beside the
 * flag, and the reader copies them from there. More are read where the writer has them, and the writer waits until
 * they have been. The least batch counts, as in flags.c.
 */
#include "limit.h"

#define MOST   ((size_t)4 << 20)
#define BESIDE 48

static char *memory[2];
static long turn;

static void raise_flag(int which)
{
    limit_store(&shared->flags[bench_me][which], turn);
}

static void await_flag(int which)
{
    while (limit_load(&shared->flags[1 - bench_me][which]) < turn)
        limit_pause();
}

static void meet(int which)
{
    raise_flag(which);
    await_flag(which);
}

static void broadcast(size_t bytes)
{
    const size_t line = LINE / sizeof(long);
    long *beside = &shared->flags[0][line + 1];
    turn++;
    if (bench_me == 0) {
        if (bytes <= BESIDE)
            memcpy(beside, memory[0], bytes);
        raise_flag((int)line);
    } else {
        await_flag((int)line);
        memcpy(memory[1], bytes <= BESIDE ? (const char *)beside : memory[0], bytes);
    }
    if (bytes > BESIDE)
        meet(2 * (int)line);
}

int main(void)
{
    for (int i = 0; i < 2; i++)
        memory[i] = limit_memory(MOST);
    limit_start_pair(0);
    for (size_t bytes = 0; (bytes = bench_next_size(bytes, MOST)) != 0;) {
        struct bench_run run;
        for (bench_begin(&run, "broadcast and two flags", bytes), run.least = 1; bench_batch(&run);)
            for (long i = 0; i < run.count; i++) {
                broadcast(bytes);
                meet(0);
            }
    }
    return limit_end();
}
