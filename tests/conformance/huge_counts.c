/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One call with a number of elements whose bytes wrap, or that no address space holds. huge_counts.py knows how each
 * must end. Arguments: the call, the number in hexadecimal.
 */
#include "check.h"

#include <shmemx.h>

#include <stdlib.h>
#include <string.h>

static long source[64], dest[64], sync_words[SHMEM_COLLECT_SYNC_SIZE];
static int numbers[64];
static uint64_t sig;

#define CALLS(X)                                                                                       \
    X(put, shmem_long_put(dest, source, count, pe))                                                    \
    X(get, shmem_long_get(dest, source, count, pe))                                                    \
    X(put_nbi, shmem_long_put_nbi(dest, source, count, pe))                                            \
    X(get_nbi, shmem_long_get_nbi(dest, source, count, pe))                                            \
    X(put32, shmem_put32(dest, source, count, pe))                                                     \
    X(get128, shmem_get128(dest, source, count, pe))                                                   \
    X(ctx_put, shmem_ctx_long_put(SHMEM_CTX_DEFAULT, dest, source, count, pe))                         \
    X(ibput, shmem_long_ibput(dest, source, (ptrdiff_t)(count >> 1), (ptrdiff_t)(count >> 1), count, 2, pe)) \
    X(ibget, shmem_long_ibget(dest, source, (ptrdiff_t)(count >> 1), (ptrdiff_t)(count >> 1), count, 2, pe)) \
    X(put_signal, shmem_long_put_signal(dest, source, count, &sig, 1, SHMEM_SIGNAL_SET, pe))           \
    X(put_signal_add, shmem_long_put_signal(dest, source, count, &sig, 1, SHMEM_SIGNAL_ADD, pe))       \
    X(put_signal_nbi, shmem_long_put_signal_nbi(dest, source, count, &sig, 1, SHMEM_SIGNAL_SET, pe))   \
    X(broadcast, shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, source, count, 0))                       \
    X(collect, shmem_long_collect(SHMEM_TEAM_WORLD, dest, source, count))                              \
    X(fcollect, shmem_long_fcollect(SHMEM_TEAM_WORLD, dest, source, count))                            \
    X(alltoall, shmem_long_alltoall(SHMEM_TEAM_WORLD, dest, source, count))                            \
    X(alltoalls, shmem_long_alltoalls(SHMEM_TEAM_WORLD, dest, source, 1, 1, count))                    \
    X(sum_reduce, shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest, source, count))                        \
    X(max_reduce, shmem_int_max_reduce(SHMEM_TEAM_WORLD, numbers, numbers, count))                     \
    X(inscan, shmem_long_sum_inscan(SHMEM_TEAM_WORLD, dest, source, count))                            \
    X(collect64, shmem_collect64(dest, source, count, 0, 0, shmem_n_pes(), sync_words))                \
    X(alltoall32, shmem_alltoall32(dest, source, count, 0, 0, shmem_n_pes(), sync_words))              \
    X(accumulate, shmemx_long_accumulate(dest, source, 1, count, pe))                                  \
    X(wait_until_all, shmem_long_wait_until_all(dest, count, NULL, SHMEM_CMP_EQ, 0))

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    shmem_init();
    size_t count = strtoull(argv[2], NULL, 16);
    int pe = (shmem_my_pe() + 1) % shmem_n_pes();
#define CALL(NAME, CALLED)                \
    if (strcmp(argv[1], #NAME) == 0)      \
        CALLED;
    CALLS(CALL)
    shmem_barrier_all();
    printf("came through\n");
    return test_finish();
}
