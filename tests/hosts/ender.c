/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A job that ends early, for test_ends.py: ender HOW STATUS WHO WHAT DELAY FILE. The PE with number WHO, or
 * each where that is -1, ends after DELAY ms: by shmem_global_exit(STATUS) where HOW is "global-exit",
 * by exit(STATUS) where it is "exit", by _exit(STATUS) where it is "_exit". The others wait in a barrier, or for a variable that nobody
 * writes, or compute, as WHAT says. FILE is made at that moment.
 */
#include <shmem.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long never;

static void end(const char *how, int status, int delay_ms, const char *file)
{
    usleep((useconds_t)delay_ms * 1000);
    int made = open(file, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
    if (made >= 0)
        close(made); /* else another PE was first */
    if (strcmp(how, "global-exit") == 0)
        shmem_global_exit(status);
    if (strcmp(how, "exit") == 0)
        exit(status);
    _exit(status);
}

int main(int argc, char **argv)
{
    if (argc != 7)
        return 2;
    int status = atoi(argv[2]), who = atoi(argv[3]), delay_ms = atoi(argv[5]);
    shmem_init();
    int me = shmem_my_pe();
    if (strcmp(argv[1], "_exit") == 0)
        shmem_barrier_all(); /* everybody is connected */
    if (who < 0 || who == me)
        end(argv[1], status, delay_ms, argv[6]);
    if (strcmp(argv[4], "wait") == 0)
        shmem_long_wait_until(&never, SHMEM_CMP_NE, 0);
    for (volatile long turns = 0; strcmp(argv[4], "compute") == 0 && turns >= 0; turns++)
        ;
    shmem_barrier_all();
    shmem_finalize();
    return 99;
}
