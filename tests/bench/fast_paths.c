/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One function per routine of the fast path, which calls it a thousand times, for callgrind to
 * count: see fast_paths.py. One PE, so that nothing waits and the counts are the same each time.
 */
#include "check.h"

#define CALLS 1000

static long variable;
static long *heap;
static long local[128];
static shmem_ctx_t context;

/* Each is called once, by name, so that its calls are told apart. */
#define COUNTED(name, statement)                                                                   \
    __attribute__((noinline)) static void count_##name(void)                                       \
    {                                                                                              \
        for (int i = 0; i < CALLS; i++) {                                                          \
            statement;                                                                             \
        }                                                                                          \
    }

COUNTED(p, shmem_long_p(heap, i, 0))
COUNTED(p_static, shmem_long_p(&variable, i, 0))
COUNTED(g, local[0] += shmem_long_g(heap, 0))
COUNTED(put, shmem_long_put(heap, local, 1, 0))
COUNTED(get, shmem_long_get(local, heap, 1, 0))
COUNTED(put_1k, shmem_long_put(heap, local, 128, 0))
COUNTED(put_nbi, shmem_long_put_nbi(heap, local, 1, 0))
COUNTED(fetch_add, local[0] += shmem_long_atomic_fetch_add(heap, 1, 0))
COUNTED(add, shmem_long_atomic_add(heap, 1, 0))
COUNTED(swap, local[0] += shmem_long_atomic_swap(heap, i, 0))
COUNTED(cswap, local[0] += shmem_long_atomic_compare_swap(heap, i, i + 1, 0))
COUNTED(ctx_p, shmem_ctx_long_p(context, heap, i, 0))
COUNTED(ctx_g, local[0] += shmem_ctx_long_g(context, heap, 0))
COUNTED(ctx_get_nbi, shmem_ctx_long_get_nbi(context, local, heap, 1, 0))
COUNTED(ctx_add, shmem_ctx_long_atomic_add(context, heap, 1, 0))
COUNTED(iput, shmem_long_iput(heap, local, 2, 2, 64, 0))
COUNTED(iget, shmem_long_iget(local, heap, 2, 2, 64, 0))
COUNTED(put_signal, shmem_long_put_signal(heap, local, 1, (uint64_t *)&variable, 1, SHMEM_SIGNAL_SET, 0))
COUNTED(wait_until, shmem_long_wait_until(heap, SHMEM_CMP_NE, -1))
COUNTED(test, local[0] += shmem_long_test(heap, SHMEM_CMP_NE, -1))
COUNTED(quiet, shmem_quiet())
COUNTED(fence, shmem_fence())
COUNTED(my_pe, local[0] += shmem_my_pe())
COUNTED(n_pes, local[0] += shmem_n_pes())
COUNTED(ptr, local[0] += shmem_ptr(heap, 0) != NULL)
COUNTED(barrier_all, shmem_barrier_all())
COUNTED(sync_all, shmem_sync_all())
COUNTED(team_my_pe, local[0] += shmem_team_my_pe(SHMEM_TEAM_WORLD))

static void count_one_sided(void)
{
    count_p();
    CHECK_EQ(*heap, CALLS - 1);
    count_p_static();
    CHECK_EQ(variable, CALLS - 1);
    local[0] = 0;
    count_g();
    CHECK_EQ(local[0], (long)CALLS * (CALLS - 1));
    count_put();
    count_get();
    count_put_1k();
    count_put_nbi();
    count_iput();
    count_iget();
}

static void count_atomics(void)
{
    *heap = 0;
    count_fetch_add();
    count_add();
    CHECK_EQ(*heap, 2 * CALLS);
    count_swap();
    CHECK_EQ(*heap, CALLS - 1);
    *heap = 0;
    count_cswap();
    CHECK_EQ(*heap, CALLS);
}

/* On a context of the program's own. */
static void count_contexts(void)
{
    CHECK_EQ(shmem_ctx_create(SHMEM_CTX_PRIVATE, &context), 0);
    count_ctx_p();
    CHECK_EQ(*heap, CALLS - 1);
    count_ctx_add();
    CHECK_EQ(*heap, 2 * CALLS - 1);
    local[0] = 0;
    count_ctx_g();
    CHECK_EQ(local[0], (long)CALLS * (2 * CALLS - 1));
    count_ctx_get_nbi();
    CHECK_EQ(local[0], *heap);
    shmem_ctx_destroy(context);
}

static void count_others(void)
{
    count_put_signal();
    CHECK_EQ(variable, 1);
    *heap = 0;
    count_wait_until();
    count_test();
    count_quiet();
    count_fence();
    count_my_pe();
    count_n_pes();
    count_ptr();
    count_barrier_all();
    count_sync_all();
    count_team_my_pe();
}

int main(void)
{
    shmem_init();
    heap = shmem_calloc(128, sizeof *heap);
    CHECK(heap != NULL);
    count_one_sided();
    count_atomics();
    count_contexts();
    count_others();
    return test_finish();
}
