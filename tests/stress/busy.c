/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PEs that keep their processor, or leave it alone, for some seconds: for metronome.py. Argument: "loop",
 * or "wait" for all but PE 0, which sleeps, in a wait of the library.
 */
#include "check.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#define SECONDS 4

static volatile long never;
static long flag;

int main(int argc, char **argv)
{
    CHECK(argc == 2);
    shmem_init();
    time_t end = time(NULL) + SECONDS;
    if (strcmp(argv[1], "loop") == 0) {
        while (time(NULL) < end && never == 0)
            ;
    } else if (shmem_my_pe() == 0) {
        sleep(SECONDS);
        for (int pe = 1; pe < shmem_n_pes(); pe++)
            shmem_long_p(&flag, 1, pe);
    } else {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
    }
    return test_finish();
}
