/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every PE says who it is, and asks its neighbour, by a get from a global variable, who that is.
 */
#include "app.h"

#include <stdio.h>

static int who_i_am; /* a global or static variable is symmetric: other PEs may read it */

static int run(int argc, char **argv)
{
    const struct app_option options[] = {{.kind = APP_END}};
    int status = app_start(argc, argv, "Says hello from every PE.", options);
    if (status != APP_RUN)
        return status;
    const int me = shmem_my_pe(), npes = shmem_n_pes(), neighbour = (me + 1) % npes;
    who_i_am = me;
    shmem_barrier_all();
    const int answer = shmem_int_g(&who_i_am, neighbour);
    printf("hello from PE %d of %d; my neighbour is PE %d\n", me, npes, answer);
    if (answer != neighbour)
        fprintf(stderr, "hello: PE %d read %d from PE %d\n", me, answer, neighbour);
    return app_agree(answer != neighbour);
}

int main(int argc, char **argv)
{
    shmem_init();
    int status = run(argc, argv);
    shmem_finalize();
    return status;
}
