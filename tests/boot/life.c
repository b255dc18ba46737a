/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program that ends in the way its argument says, mostly on the last PE while the others wait in
 * a barrier or compute.
 */
#include <shmem.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *way;

static int is(const char *name)
{
    return strcmp(way, name) == 0;
}

static void end(int npes)
{
    if (is("kill"))
        kill(getpid(), SIGKILL);
    else if (is("exit-0") || is("exit-one") || is("exit-missed"))
        exit(0);
    else if (is("exit-5"))
        exit(5);
    else if (is("global-exit"))
        shmem_global_exit(42);
    else if (is("mistake"))
        shmem_int_p(&npes, 1, npes);
}

static void again(int me, int npes)
{
    static long cell;
    for (int round = 1; round <= 3; round++) {
        long *heap = shmem_calloc(1, sizeof *heap);
        shmem_long_p(&cell, round * 100 + me, (me + 1) % npes);
        shmem_long_p(heap, round * 200 + me, (me + 1) % npes);
        shmem_barrier_all();
        int from = (me + npes - 1) % npes;
        if (cell != round * 100 + from || *heap != round * 200 + from)
            shmem_global_exit(3);
        shmem_finalize();
        shmem_init();
    }
}

int main(int argc, char **argv)
{
    way = argc > 1 ? argv[1] : "";
    if (is("before"))
        return 9;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    if (is("again"))
        again(me, npes);
    if (is("compute")) /* "alive" tells the test that it may kill something */
        for (printf("alive %d\n", (int)getpid()), fflush(stdout);;)
            usleep(1000);
    if (me == npes - 1)
        end(npes);
    if (is("exit-all"))
        return 0;
    static long never;
    if (is("exit-missed"))
        shmem_long_wait_until(&never, SHMEM_CMP_NE, 0);
    if (!is("exit-one"))
        shmem_barrier_all();
    shmem_finalize();
    if (is("after"))
        return me == npes - 1 ? 6 : 0;
    if (me == 0)
        printf("life: %d PEs\n", npes);
    return 0;
}
