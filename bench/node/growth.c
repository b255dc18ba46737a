/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How much computation a nonblocking put or get hides, by ../growth.h: contiguous, and where the library has
 * such a call in runs of 1 KiB with as much between them.
 */
#include "../bench.h"
#include "../growth.h"

#if __has_include(<shmemx.h>)
#include <shmemx.h>
#endif

static char *there, *here;

static void begin_put(size_t bytes)
{
    shmem_putmem_nbi(there, here, bytes, 1);
}

static void begin_get(size_t bytes)
{
    shmem_getmem_nbi(here, there, bytes, 1);
}

static void end_all(size_t bytes)
{
    (void)bytes;
    shmem_quiet();
}

#ifdef SHMEMX_MAX_DIMS
static const ptrdiff_t strides[] = {2 * GROWTH_RUN};

static void begin_put_strided(size_t bytes)
{
    const size_t counts[] = {GROWTH_RUN, (size_t)growth_runs(bytes)};
    shmemx_putmem_strided_nb(there, here, strides, strides, counts, 2, 1, NULL);
}

static void begin_get_strided(size_t bytes)
{
    const size_t counts[] = {GROWTH_RUN, (size_t)growth_runs(bytes)};
    shmemx_getmem_strided_nb(here, there, strides, strides, counts, 2, 1, NULL);
}
#endif

static const struct growth_transfer transfers[] = {
    {"put", begin_put, end_all, NULL, NULL, 1},
    {"get", begin_get, end_all, NULL, NULL, 1},
#ifdef SHMEMX_MAX_DIMS
    {"put, strided", begin_put_strided, end_all, NULL, NULL, 1},
    {"get, strided", begin_get_strided, end_all, NULL, NULL, 1},
#endif
};

int main(void)
{
    bench_start();
    there = bench_memory(2 * GROWTH_MOST);
    here = bench_memory(2 * GROWTH_MOST);
    growth_run(transfers, sizeof transfers / sizeof *transfers);
    bench_end();
}
