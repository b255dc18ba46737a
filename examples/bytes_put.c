/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A tool in 60 lines: counts what a program puts, by target, and prints it at the end. A tool
 * defines the routines that it watches and calls the library by their twins, whose names begin with
 * p. With a program that is not linked again:
 *
 *   oshcc -shared -fPIC bytes_put.c -o libbytes_put.so
 *   oshrun -n 4 -x LD_PRELOAD=$PWD/libbytes_put.so ./program
 *
 * or linked with it: oshcc program.c bytes_put.c.
 */
#include <pshmem.h>

#include <stdio.h>
#include <stdlib.h>

static size_t *bytes; /* by target */
static int is_on = 1;

static void count(size_t put, int pe)
{
    if (is_on && bytes && pe >= 0 && pe < pshmem_n_pes())
        bytes[pe] += put;
}

void shmem_init(void)
{
    pshmem_init();
    if (!bytes)
        bytes = calloc((size_t)pshmem_n_pes(), sizeof *bytes);
}

/* One more of these for each routine that is to be watched. */
void shmem_long_put(long *dest, const long *source, size_t nelems, int pe)
{
    count(nelems * sizeof *dest, pe);
    pshmem_long_put(dest, source, nelems, pe);
}

void shmem_long_p(long *dest, long value, int pe)
{
    count(sizeof value, pe);
    pshmem_long_p(dest, value, pe);
}

/* Programs switch tools off and on. */
void shmem_pcontrol(int level, ...)
{
    is_on = level > 0;
}

void shmem_finalize(void)
{
    int me = pshmem_my_pe(), all = pshmem_n_pes();
    for (int pe = 0; bytes && pe < all; pe++)
        if (bytes[pe])
            printf("PE %d put %zu bytes to PE %d\n", me, bytes[pe], pe);
    pshmem_finalize();
}
