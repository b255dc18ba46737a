/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The last PE watches the others while they work. Each publishes its counters (shmemx_tool_read) in symmetric
 * memory after every step; the watcher reads them by gets, which no worker answers, and draws them, on a
 * terminal in place:
 *
 *   oshcc -O2 insitu.c -o insitu
 *   oshrun -n 4 ./insitu 200
 */
#include <shmem.h>
#include <shmemx.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define MOST_COUNTERS 8
#define NAME          64
#define BAR           30

static char names[MOST_COUNTERS][NAME];
static int counters;

static struct published {
    long step;
    long values[MOST_COUNTERS];
} mine; /* symmetric */

static void find_counters(void)
{
    char name[NAME], text[256];
    for (int i = 0; counters < MOST_COUNTERS && shmemx_tool_name(i, name, sizeof name) == 0; i++)
        if (shmemx_tool_describe(name, text, sizeof text) == SHMEMX_TOOL_COUNTER)
            snprintf(names[counters++], NAME, "%s", name);
}

static void publish(long step)
{
    char value[NAME];
    for (int i = 0; i < counters; i++)
        if (shmemx_tool_read(names[i], value, sizeof value) == 0)
            mine.values[i] = atol(value);
    mine.step = step;
}

static void work(shmem_team_t workers, long steps)
{
    static double part, sum;
    for (long step = 1; step <= steps; step++) {
        for (long i = 1; i < 200000; i++)
            part += 1.0 / (double)(i * step);
        shmem_double_sum_reduce(workers, &sum, &part, 1);
        publish(step);
    }
}

static void draw(int pe, const struct published *seen, long steps)
{
    printf("PE %d [", pe);
    for (long i = 0; i < BAR; i++)
        putchar(i < seen->step * BAR / steps ? '#' : ' ');
    printf("] step %ld", seen->step);
    for (int i = 0; i < counters; i++)
        printf("  %s %ld", names[i], seen->values[i]);
    printf("%s\n", isatty(STDOUT_FILENO) ? "\033[K" : "");
}

/* Until all have made their last step. Returns 0; 1 where a worker's step has gone back. */
static int watch(int workers, long steps)
{
    struct published seen[workers];
    struct timespec pause = {0, 50000000};
    int done = 0, failed = 0;
    for (int pe = 0; pe < workers; pe++)
        seen[pe].step = 0;
    while (done < workers) {
        done = 0;
        nanosleep(&pause, NULL);
        for (int pe = 0; pe < workers; pe++) {
            long before = seen[pe].step;
            shmem_getmem(&seen[pe], &mine, sizeof mine, pe);
            failed |= seen[pe].step < before;
            done += seen[pe].step == steps;
            draw(pe, &seen[pe], steps);
        }
        if (done < workers && isatty(STDOUT_FILENO))
            printf("\033[%dA", workers);
        fflush(stdout);
    }
    return failed;
}

int main(int argc, char **argv)
{
    shmem_init();
    long steps = argc > 1 ? atol(argv[1]) : 100;
    int workers = shmem_n_pes() - 1, failed = 0;
    shmem_team_t team;
    if (workers < 1 || steps < 1) {
        fprintf(stderr, "usage: oshrun -n PES insitu [STEPS], with 2 PEs or more\n");
        shmem_global_exit(2);
    }
    find_counters();
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, workers, NULL, 0, &team);
    if (shmem_my_pe() < workers)
        work(team, steps);
    else
        failed = watch(workers, steps);
    shmem_finalize();
    return failed;
}
