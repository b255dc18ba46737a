/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program whose every call is counted by hand: test_profile.py compares. Argument: how it ends.
 */
#include <shmem.h>
#include <shmemx.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static long words[64], target[64], sum;
static short narrow;
static uint64_t ready;
static int reduced[2];

static void transfers(int me, int n)
{
    int next = (me + 1) % n;
    for (int i = 0; i < 1000; i++)
        shmem_long_p(&target[i % 64], i, next);
    for (int i = 0; i < 100; i++)
        shmem_long_put(target, words, 64, next);
    for (int i = 0; i < 37; i++)
        shmem_long_atomic_fetch_add(&sum, 1, 0);
    for (int i = 0; i < 10; i++)
        shmem_getmem(words, target, 24, next);
    shmem_long_put_signal(target, words, 8, &ready, 1, SHMEM_SIGNAL_ADD, next);
    shmem_signal_wait_until(&ready, SHMEM_CMP_GE, 1);
    shmem_quiet();
}

/* From one place to all. */
static void to_all(int n)
{
    for (int i = 0; i < 20 * n; i++)
        shmem_int_p(&reduced[0], i, i % n);
}

/* 7 of 11 calls, from one place. */
static void in_session(int next)
{
    for (int i = 0; i < 11; i++) {
        if (i == 2)
            shmem_ctx_session_start(SHMEM_CTX_DEFAULT, 0, NULL, 0);
        words[i] = shmem_long_g(&target[i], next);
        if (i == 8)
            shmem_ctx_session_stop(SHMEM_CTX_DEFAULT);
    }
}

/* A context of a team counts that team's PEs. */
static void contexts(int n)
{
    shmem_team_t backwards;
    shmem_ctx_t ctx;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, -1, n, NULL, 0, &backwards);
    if (shmem_team_create_ctx(backwards, 0, &ctx) == 0) {
        for (int i = 0; i < 5; i++)
            shmem_ctx_long_p(ctx, &target[i], i, 0);
        shmem_ctx_destroy(ctx);
    }
    for (int i = 0; i < 3; i++)
        shmem_int_sum_reduce(backwards, reduced, reduced, 2);
    shmem_team_destroy(backwards);
}

/* Phases within each other, and values of 0 to 4. */
static void events(void)
{
    shmemx_event_begin("outer");
    for (int i = 0; i < 5; i++) {
        shmemx_event_begin("inner");
        shmemx_event_counter("level", i);
        shmemx_event_counter("no number", NAN);
        shmemx_event_end("inner");
    }
    shmemx_event_end("outer");
}

/* 100 of 150 calls, from one place. */
static void switched_off(int n)
{
    for (int i = 0; i < 150; i++) {
        if (i == 50 || i == 100)
            shmem_pcontrol(i == 50 ? 0 : 2);
        shmem_short_p(&narrow, (short)i, n - 1);
    }
}

/* The others' collectives are still told from one another. */
static void switched_off_on_one(int me)
{
    shmem_pcontrol(me == 0 ? 0 : 2);
    shmem_sync_all();
    shmem_pcontrol(2);
}

static double allocate(int blocks)
{
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (int i = 0; i < blocks; i++)
        if (!shmem_malloc(64))
            shmem_global_exit(1);
    clock_gettime(CLOCK_MONOTONIC, &end);
    return (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
}

/* Prints how much longer the last tenth of a growing heap's blocks takes than the first. */
static void grow(void)
{
    double first = allocate(4000);
    allocate(32000);
    printf("%f\n", allocate(4000) / first);
}

int main(int argc, char **argv)
{
    const char *end = argc > 1 ? argv[1] : "";
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    transfers(me, n);
    to_all(n);
    in_session((me + 1) % n);
    contexts(n);
    switched_off(n);
    events();
    switched_off_on_one(me);
    for (int i = 0; i < 10; i++)
        shmem_barrier_all();
    if (strcmp(end, "killed") == 0 && me == 0)
        raise(SIGKILL);
    if (strcmp(end, "exits") == 0)
        shmem_global_exit(0);
    if (strcmp(end, "grows") == 0)
        grow();
    char *block = shmem_malloc(4096);
    block = shmem_realloc(block, 8192);
    shmem_free(block);
    shmem_finalize();
    return 0;
}
