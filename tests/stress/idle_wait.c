/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A PE that waits for long must leave the processor alone: in a barrier, for a variable, for a
 * lock, for several variables. PE 0 comes late; what the others' waits cost is measured. The
 * requirement is 5 % of a core; the test allows 10 %.
 */
#include "check.h"

#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define SECONDS 3

static long flag, flags[4], lock;
static double cost;

static double processor_seconds(void)
{
    struct rusage usage;
    CHECK(getrusage(RUSAGE_SELF, &usage) == 0);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/* PE 0: late, then the event that all others wait for. */
static void come_late(const char *what, int npes)
{
    sleep(SECONDS);
    for (int pe = 1; pe < npes; pe++) {
        if (strcmp(what, "variable") == 0)
            shmem_long_p(&flag, 1, pe);
        if (strcmp(what, "any") == 0)
            shmem_long_p(&flags[2], 1, pe);
    }
    if (strcmp(what, "lock") == 0)
        shmem_clear_lock(&lock);
}

static void wait_for_it(const char *what)
{
    if (strcmp(what, "variable") == 0)
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
    if (strcmp(what, "any") == 0)
        CHECK_EQ(shmem_long_wait_until_any(flags, 4, NULL, SHMEM_CMP_NE, 0), 2);
    if (strcmp(what, "lock") == 0) {
        shmem_set_lock(&lock);
        shmem_clear_lock(&lock);
    }
}

int main(int argc, char **argv)
{
    CHECK(argc == 2);
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    if (me == 0 && strcmp(argv[1], "lock") == 0)
        shmem_set_lock(&lock);
    shmem_barrier_all();
    double before = processor_seconds();
    if (me == 0)
        come_late(argv[1], npes);
    else
        wait_for_it(argv[1]);
    shmem_barrier_all();
    cost = (processor_seconds() - before) / SECONDS;
    shmem_barrier_all();
    for (int pe = 1; pe < npes && me == 0; pe++)
        printf("%s: PE %d used %.2f %% of a core\n", argv[1], pe, 100 * shmem_double_g(&cost, pe));
    if (me != 0)
        CHECK(cost < 0.10);
    return test_finish();
}
