/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every PE runs the command it is given while the job is up; the job is unharmed by it.
 */
#include "check.h"

#include <sys/wait.h>

static long cell;

int main(int argc, char **argv)
{
    CHECK(argc == 2);
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    shmem_long_p(&cell, 40 + me, (me + 1) % npes);
    shmem_barrier_all();
    fflush(stdout);
    int status = system(argv[1]);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    shmem_barrier_all();
    CHECK_EQ(cell, 40 + (me + npes - 1) % npes);
    shmem_barrier_all();
    shmem_long_p(&cell, 80 + me, (me + 1) % npes);
    shmem_barrier_all();
    CHECK_EQ(cell, 80 + (me + npes - 1) % npes);
    if (me == 0)
        printf("nested: %d PEs ok\n", npes);
    return test_finish();
}
