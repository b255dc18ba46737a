/* SPDX-License-Identifier: BSD-3-Clause
 * A program that knows nothing of snapshots. It runs for as many milliseconds as its argument says, with a
 * barrier at the end where there is a second one.
 */
#include "check.h"

#include <shmem.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    shmem_init();
    usleep(argc > 1 ? (useconds_t)atoi(argv[1]) * 1000 : 0);
    if (argc > 2)
        shmem_barrier_all();
    shmem_finalize();
    return 0;
}
