/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Stops of a PE, and their causes. PE 0 and PE 1 play ping-pong with 8 bytes; the program prints the longest round trip, and
 * that of one in a million. Then they play it again, and look at the clock at every poll. A step of the clock of more than
 * 10 us is a stop of that PE, and its cause is looked up at once. The program prints the number of stops by each cause on the
 * two PEs, and their share of the time.
 *
 * Causes, the first that fits: the thread waited for a processor while another ran (/proc/thread-self/schedstat), a page
 * fault (getrusage), an interrupt on this processor (/proc/interrupts), else what the system does not see: the host of a
 * virtual machine, or firmware.
 */
#include "../bench.h"

#include <sched.h>
#include <stdbool.h>
#include <sys/resource.h>

#define STOP_NS 1e4

enum cause { SCHEDULER, PAGE_FAULT, INTERRUPT, UNSEEN, CAUSES };
static const char *const cause_names[CAUSES] = {"stops by other processes", "stops by page faults", "stops by interrupts",
                                                "stops from outside the system"};

struct evidence {
    unsigned long waited_ns, faults, interrupts;
};

static struct {
    long count[CAUSES], ns[CAUSES];
} stops;
static struct evidence before;
static double last_ns;
static long ball;

/* Which column of /proc/interrupts is a processor's, by the table's first line; -1: none. */
static int column_of(int cpu, const char *header)
{
    char name[16];
    int column = 0;
    size_t length = (size_t)snprintf(name, sizeof name, "CPU%d", cpu);
    for (const char *word = header + strspn(header, " "); *word; word += strspn(word, " \n"), column++) {
        if (strcspn(word, " \n") == length && strncmp(word, name, length) == 0)
            return column;
        word += strcspn(word, " \n");
    }
    return -1;
}

static unsigned long interrupts_of(int cpu)
{
    unsigned long sum = 0;
    char *line = NULL;
    size_t size = 0;
    FILE *table = fopen("/proc/interrupts", "r");
    int column = table && getline(&line, &size, table) > 0 ? column_of(cpu, line) : -1;
    while (column >= 0 && getline(&line, &size, table) > 0) {
        char *at = strchr(line, ':');
        at = at ? at + 1 : line + strlen(line);
        for (int i = 0; i < column; i++)
            strtoul(at, &at, 10);
        sum += strtoul(at, NULL, 10);
    }
    free(line);
    if (table)
        fclose(table);
    return sum;
}

static struct evidence look(void)
{
    struct evidence now = {0};
    struct rusage usage;
    FILE *file = fopen("/proc/thread-self/schedstat", "r");
    if (file && fscanf(file, "%*u %lu", &now.waited_ns) != 1)
        now.waited_ns = 0;
    if (file)
        fclose(file);
    getrusage(RUSAGE_THREAD, &usage);
    now.faults = (unsigned long)(usage.ru_minflt + usage.ru_majflt);
    now.interrupts = interrupts_of(sched_getcpu());
    return now;
}

/* Looking is no stop of its own. */
static void note_stop(double stop_ns)
{
    struct evidence now = look();
    enum cause cause = (double)(now.waited_ns - before.waited_ns) > stop_ns / 2 ? SCHEDULER
                       : now.faults != before.faults                           ? PAGE_FAULT
                       : now.interrupts != before.interrupts                   ? INTERRUPT
                                                                               : UNSEEN;
    stops.count[cause]++;
    stops.ns[cause] += (long)stop_ns;
    before = look();
    last_ns = bench_now_ns();
}

static void watch_clock(void)
{
    double now = bench_now_ns();
    if (now - last_ns > STOP_NS)
        note_stop(now - last_ns);
    else
        last_ns = now;
}

static void await(long turn, bool is_watched)
{
    if (!is_watched) {
        shmem_long_wait_until(&ball, SHMEM_CMP_EQ, turn);
        return;
    }
    while (!shmem_long_test(&ball, SHMEM_CMP_EQ, turn))
        watch_clock();
    watch_clock();
}

static void trip(long turn, bool is_watched)
{
    if (bench_me == 0) {
        shmem_long_p(&ball, turn, 1);
        await(turn, is_watched);
    } else if (bench_me == 1) {
        await(turn, is_watched);
        shmem_long_p(&ball, turn, 0);
    }
}

static int compare(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static void measure_trips(long count)
{
    double *trips = malloc((size_t)count * sizeof *trips);
    if (!trips)
        shmem_global_exit(1);
    memset(trips, 1, (size_t)count * sizeof *trips);
    shmem_barrier_all();
    for (long turn = 1; turn <= count; turn++) {
        double begun_ns = bench_now_ns();
        trip(turn, false);
        trips[turn - 1] = bench_now_ns() - begun_ns;
    }
    shmem_barrier_all();
    qsort(trips, (size_t)count, sizeof *trips, compare);
    bench_report("there and back, median", 8, trips[count / 2], "ns");
    bench_report("there and back, one in a million", 8, trips[count - 1 - count / 1000000], "ns");
    bench_report("there and back, longest", 8, trips[count - 1], "ns");
    free(trips);
}

/* Looking for a cause takes longer than most stops: these trips are not timed. */
static void find_causes(long count)
{
    shmem_barrier_all();
    before = look();
    const double begun_ns = last_ns = bench_now_ns();
    for (long turn = 1; turn <= count; turn++)
        trip(-turn, true);
    shmem_barrier_all();
    const double both_ns = 2 * (bench_now_ns() - begun_ns);
    for (int cause = 0; bench_me == 0 && cause < CAUSES; cause++) {
        char name[64];
        long count_of_both = stops.count[cause] + shmem_long_g(&stops.count[cause], 1);
        long ns_of_both = stops.ns[cause] + shmem_long_g(&stops.ns[cause], 1);
        bench_report(cause_names[cause], 0, (double)count_of_both, "stops");
        snprintf(name, sizeof name, "%s, share of the time", cause_names[cause]);
        bench_report(name, 0, 100 * (double)ns_of_both / both_ns, "%");
    }
}

int main(void)
{
    bench_start();
    const long count = bench_setting("BENCH_TRIPS", 10000000);
    if (bench_pes >= 2) {
        measure_trips(count);
        find_causes(count);
    }
    bench_end();
}
