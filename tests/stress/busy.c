/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PEs that keep their processor, or leave it alone, for some seconds: for preempt.py. Argument: "loop",
 * "wait" for all but PE 0, which sleeps, in a wait of the library, or "pass": two PEs send one another a
 * put and a flag, polled by plain loads, and say how often.
 */
#include "check.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#define SECONDS 4

static volatile long never;
static long flag, data[64], turn;

static void pass(time_t end)
{
    long rounds = 0, me = shmem_my_pe();
    while (time(NULL) < end) {
        if (*(volatile long *)&turn != 2 * rounds + me)
            continue;
        shmem_putmem_nbi(data, data, sizeof data, 1 - me);
        shmem_fence();
        shmem_long_p(&turn, 2 * rounds + me + 1, 1 - me);
        rounds++;
    }
    if (me == 0)
        printf("rounds %ld\n", rounds);
}

int main(int argc, char **argv)
{
    CHECK(argc == 2);
    shmem_init();
    time_t end = time(NULL) + SECONDS;
    if (strcmp(argv[1], "loop") == 0) {
        while (time(NULL) < end && never == 0)
            ;
    } else if (strcmp(argv[1], "pass") == 0) {
        pass(end);
    } else if (shmem_my_pe() == 0) {
        sleep(SECONDS);
        for (int pe = 1; pe < shmem_n_pes(); pe++)
            shmem_long_p(&flag, 1, pe);
    } else {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
    }
    return test_finish();
}
