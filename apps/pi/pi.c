/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Pi as the integral of 4 / (1 + x^2) over 0..1, by the midpoint rule; PEs take turns at the
 * steps and a reduction adds up.
 */
#include "app.h"

#include <math.h>
#include <stdio.h>

static double my_sum, sum;

static int run(int argc, char **argv)
{
    long steps = 10000000;
    const struct app_option options[] = {
        {"--steps", APP_COUNT, &steps, "rectangles under the curve", 1, 1e12, NULL},
        {.kind = APP_END}};
    int status = app_start(argc, argv, "Computes pi by the midpoint rule.", options);
    if (status != APP_RUN)
        return status;
    const int me = shmem_my_pe(), npes = shmem_n_pes();
    const double width = 1.0 / (double)steps;
    for (long i = me; i < steps; i += npes) {
        const double x = ((double)i + 0.5) * width;
        my_sum += 4.0 / (1.0 + x * x);
    }
    shmem_double_sum_reduce(SHMEM_TEAM_WORLD, &sum, &my_sum, 1);

    /* The midpoint rule is off by width^2 / 24 times the change of slope over the range, which
     * is 2 here; the rest is room for rounding. */
    const double pi = sum * width, error = fabs(pi - M_PI);
    const double bound = width * width / 12.0 * 1.01 + 1e-11;
    if (me == 0)
        printf("pi: %.12f with %ld steps on %d PEs, off by %.1e\n", pi, steps, npes, error);
    if (app_agree(!(error <= bound)) != 0)
        return app_fail("the error is larger than %.1e", bound);
    if (me == 0)
        printf("pi: verified: the error is at most %.1e\n", bound);
    return 0;
}

int main(int argc, char **argv)
{
    shmem_init();
    int status = run(argc, argv);
    shmem_finalize();
    return status;
}
