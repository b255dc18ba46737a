/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A token travels around all PEs, each adding its number; the sum is known.
 */
#include "app.h"

#include <stdio.h>

static uint64_t lap_here; /* written by the PE before me: the lap whose token has arrived */
static long token;        /* written by the PE before me, before lap_here */

/* PE 0 starts the lap and ends it; everybody else passes the token on. */
static void pass_token(uint64_t lap, int me, int next)
{
    long sum = 0;
    if (me != 0) {
        shmem_signal_wait_until(&lap_here, SHMEM_CMP_GE, lap);
        sum = token;
    } else if (lap > 1) {
        sum = token;
    }
    sum += me;
    shmem_long_put_signal(&token, &sum, 1, &lap_here, lap, SHMEM_SIGNAL_SET, next);
    if (me == 0)
        shmem_signal_wait_until(&lap_here, SHMEM_CMP_GE, lap);
}

static int run(int argc, char **argv)
{
    long laps = 1000;
    const struct app_option options[] = {
        {"--laps", APP_COUNT, &laps, "how often the token goes around", 1, 1e9, NULL},
        {.kind = APP_END}};
    int status = app_start(argc, argv, "Passes a token around a ring of PEs.", options);
    if (status != APP_RUN)
        return status;
    const int me = shmem_my_pe(), npes = shmem_n_pes();
    shmem_barrier_all();
    const double begin = app_seconds();
    for (long lap = 1; lap <= laps; lap++)
        pass_token((uint64_t)lap, me, (me + 1) % npes);
    const double seconds = app_seconds() - begin;

    const long expected = laps * ((long)npes * (npes - 1) / 2);
    status = app_agree(me == 0 && token != expected);
    if (status != 0)
        return app_fail("the token came back with %ld instead of %ld", token, expected);
    if (me == 0)
        printf("ring: %ld laps of %d PEs, %.0f ns per hop, verified: the token is %ld\n", laps,
               npes, seconds / ((double)laps * npes) * 1e9, token);
    return 0;
}

int main(int argc, char **argv)
{
    shmem_init();
    int status = run(argc, argv);
    shmem_finalize();
    return status;
}
