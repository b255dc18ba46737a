/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A job for test_failures.py and test_strangers.py to harm. Every PE prints its number and process;
 * when all are there PE 0 prints "ready"; then all do for a minute, or for as many seconds as the
 * second argument says, what the first says:
 *   compute   no call of the library
 *   wait      wait for a variable that nobody writes
 *   barrier   barriers, one after the other
 *   put       puts to all others and quiet
 *   atomics   additions to words of all others, with and without a result, and quiet
 *   get, fetch, store  of the next host's PE, one after the other; store is a put and a quiet
 *   contexts  contexts, one after the other, a put to all others with each
 *   mixed     even PEs compute, odd ones wait in a barrier
 *   large     allocate 64 MiB, exit status 1 where there are none
 *   leave     finalize after half a second, and return much later
 */
#include <shmem.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static long never;
static long cells[64];
static long counted;
static long last;

static void compute(double seconds)
{
    struct timespec step = {.tv_nsec = 10000000};
    for (double spent = 0; spent < seconds; spent += 0.01)
        nanosleep(&step, NULL);
}

/* On lines of their own: who is stuck is asked for the place. */
static void reach(const char *what, int pe)
{
    if (strcmp(what, "get") == 0)
        shmem_long_g(&counted, pe);
    else if (strcmp(what, "fetch") == 0)
        shmem_long_atomic_fetch_add(&counted, 1, pe);
    else if (strcmp(what, "store") == 0)
        shmem_long_p(&counted, 1, pe);
    if (strcmp(what, "store") == 0)
        shmem_quiet();
}

static void use_a_context(int me, int npes)
{
    shmem_ctx_t context;
    if (shmem_ctx_create(0, &context) != 0)
        exit(1);
    for (int pe = 0; pe < npes; pe++)
        shmem_ctx_long_p(context, &cells[me], me, pe);
    shmem_ctx_destroy(context);
}

static void add_everywhere(int npes)
{
    for (int pe = 0; pe < npes; pe++) {
        shmem_long_atomic_add(&counted, 1, pe);
        if (shmem_long_atomic_fetch_add(&counted, 1, pe) < 0)
            exit(1);
    }
    shmem_quiet();
}

/* PE 0 decides which barrier is the last: by clocks of their own PEs would call different numbers of
 * them. */
static void barriers_for(int seconds, int me, int npes)
{
    time_t end = time(NULL) + seconds;
    long round = 0;
    do {
        round++;
        if (me == 0 && time(NULL) >= end)
            for (int pe = 0; pe < npes; pe++)
                shmem_long_p(&last, round, pe);
        shmem_barrier_all();
        compute(0.01);
    } while (last != round);
}

static void do_for(int seconds, const char *what, int me, int npes)
{
    time_t end = time(NULL) + seconds;
    if (strcmp(what, "wait") == 0)
        shmem_long_wait_until(&never, SHMEM_CMP_NE, 0);
    while (time(NULL) < end) {
        if (strcmp(what, "mixed") == 0 && me % 2 == 1) {
            shmem_barrier_all();
        } else if (strcmp(what, "put") == 0) {
            for (int pe = 0; pe < npes; pe++)
                shmem_long_p(&cells[me], me, pe);
            shmem_quiet();
        }
        if (strcmp(what, "atomics") == 0)
            add_everywhere(npes);
        if (strcmp(what, "contexts") == 0)
            use_a_context(me, npes);
        if (me == 0)
            reach(what, npes - 1);
        if (strcmp(what, "wait") != 0)
            compute(0.01);
    }
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "compute";
    char host[64] = "";
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    gethostname(host, sizeof host - 1);
    printf("PE %d of %d is process %d on %s\n", me, npes, (int)getpid(), host);
    fflush(stdout);
    shmem_barrier_all();
    if (me == 0) {
        printf("ready\n");
        fflush(stdout);
    }
    if (strcmp(what, "large") == 0)
        return shmem_malloc((size_t)64 << 20) ? 0 : 1;
    if (strcmp(what, "leave") == 0)
        compute(0.5);
    else if (strcmp(what, "barrier") == 0)
        barriers_for(argc > 2 ? atoi(argv[2]) : 60, me, npes);
    else
        do_for(argc > 2 ? atoi(argv[2]) : 60, what, me, npes);
    shmem_finalize();
    if (strcmp(what, "large") == 0)
        return shmem_malloc((size_t)64 << 20) ? 0 : 1;
    if (strcmp(what, "leave") == 0)
        compute(0.1 * me + 2.0);
    return 0;
}
