/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An OpenSHMEM program that does what its first argument says, for the tests of oshrun. The last
 * PE is the one that misbehaves; all of them spin.
 */
#include <shmem.h>

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static void misbehave(const char *mode, const char *argument)
{
    struct rlimit no_core = {0, 0};
    if (!strcmp(mode, "leave"))
        exit(0);
    if (!strcmp(mode, "quit"))
        _exit(0);
    if (!strcmp(mode, "code"))
        exit(atoi(argument));
    if (!strcmp(mode, "range"))
        shmem_int_p((int[]){0}, 1, shmem_n_pes());
    if (!strcmp(mode, "poll")) {
        static long never;
        while (!shmem_long_test(&never, SHMEM_CMP_NE, 0))
            ;
    }
    if (!strcmp(mode, "hang"))
        for (;;)
            pause();
    if (!strcmp(mode, "global-exit")) {
        printf("last words");
        shmem_global_exit(atoi(argument));
    }
    if (!strcmp(mode, "signal")) {
        setrlimit(RLIMIT_CORE, &no_core);
        signal(atoi(argument), SIG_DFL);
        raise(atoi(argument));
    }
}

/* PE 0 has waited in shmem_finalize for more than a second, and does not run while the last PE comes and
 * exits. */
static void leave_first(const long *processes, bool is_last)
{
    long waiting;
    if (!is_last)
        return;
    usleep(1500000);
    while ((waiting = shmem_long_g(processes, 0)) == 0)
        usleep(1000);
    kill((pid_t)waiting, SIGSTOP);
    if (fork() == 0) {
        usleep(400000);
        kill((pid_t)waiting, SIGCONT);
        _exit(0);
    }
}

/* The last PE has left without shmem_finalize: the others do so as well, or finalize, or wait for it. */
static int go_on(const char *how, long *never)
{
    if (!strcmp(how, "wait"))
        shmem_long_wait_until(never, SHMEM_CMP_EQ, -1);
    if (!strcmp(how, "finalize"))
        shmem_finalize();
    return 0;
}

static void spin(void)
{
    puts("spinning");
    fflush(stdout);
    for (volatile long turns = 0; turns >= 0; turns++)
        ;
}

/* Puts of 1 KiB to the next PE, some hundred a second, and 1 MiB of heap. */
static void move(int me, int npes)
{
    char *block = shmem_malloc(1 << 20);
    for (;;) {
        for (int i = 0; block && i < 10; i++)
            shmem_putmem(block, block + 1024, 1024, (me + 1) % npes);
        usleep(10000);
    }
}

int main(int argc, char **argv)
{
    static long sum, process;
    const char *mode = argc > 1 ? argv[1] : "hello";
    if (!strcmp(mode, "no-init") && getenv("LAST"))
        return 0;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    if (me == npes - 1)
        misbehave(mode, argc > 2 ? argv[2] : "0");
    if (!strcmp(mode, "leave") && argc > 2)
        return go_on(argv[2], &sum);
    process = getpid();
    if (!strcmp(mode, "start")) {
        shmem_finalize();
        return 0;
    }
    if (!strcmp(mode, "late")) {
        leave_first(&process, me == npes - 1);
        shmem_finalize();
        return 0;
    }
    if (!strcmp(mode, "all-fail"))
        exit(3);
    if (!strcmp(mode, "spin"))
        spin();
    if (!strcmp(mode, "move"))
        move(me, npes);
    if (!strcmp(mode, "deadlock") && me > 0)
        shmem_long_wait_until(&sum, SHMEM_CMP_EQ, -1);
    shmem_long_atomic_add(&sum, me, 0);
    shmem_barrier_all();
    printf("PE %d of %d, sum %ld\n", me, npes, shmem_long_g(&sum, 0));
    shmem_finalize();
    return 0;
}
