/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Message rate to six neighbours (neighbours.h) by nonblocking puts: then a quiet, and an increment of a counter of
 * each neighbour, which waits for its six.
 */
#include "../bench.h"
#include "../neighbours.h"

static char *source, *there;
static long *arrived, wanted;

static void exchange(size_t bytes)
{
    for (int message = 0; message < MESSAGES; message++)
        for (int number = 0; number < NEIGHBOURS; number++) {
            size_t place = (size_t)(number * MESSAGES + message) * bytes;
            shmem_putmem_nbi(there + place, source + place, bytes, neighbour(number));
        }
    shmem_quiet();
    for (int number = 0; number < NEIGHBOURS; number++)
        shmem_long_atomic_inc(arrived, neighbour(number));
    shmem_long_wait_until(arrived, SHMEM_CMP_GE, wanted += NEIGHBOURS);
}

int main(void)
{
    bench_start();
    const size_t all = NEIGHBOURS * MESSAGES * RATE_MOST;
    char *swept = malloc(SWEPT);
    source = bench_memory(all);
    there = bench_memory(all);
    arrived = bench_memory(sizeof *arrived);
    if (!swept)
        shmem_global_exit(1);
    *arrived = 0;
    shmem_barrier_all();
    for (size_t bytes = 0; (bytes = bench_next_size(bytes, RATE_MOST)) != 0 && bench_pes > 1;)
        rate_measure(exchange, swept, bytes);
    free(swept);
    bench_end();
}
