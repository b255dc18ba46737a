/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A job in which one PE's network takes no more memory: an allocation that needs some gives a null
 * pointer on all PEs, the reason is said by that one, and the heap can be used as before. Linked with
 * the static library, whose table of UCX's functions it changes.
 */
#include "check.h"

#include "engine/ucx/library.h"

static ucs_status_t refuse(ucp_context_h context, const ucp_mem_map_params_t *params, ucp_mem_h *memory)
{
    (void)context, (void)params, (void)memory;
    return UCS_ERR_NO_MEMORY;
}

int main(void)
{
    const size_t bytes = (size_t)64 << 20;
    shmem_init();
    int me = shmem_my_pe(), last = shmem_n_pes() - 1;
    __typeof__(&ucp_mem_map) real = sheaf_ucx.ucp_mem_map;
    long *small = shmem_malloc(sizeof *small);
    CHECK(real != NULL && small != NULL);
    shmem_barrier_all();
    if (me == last)
        sheaf_ucx.ucp_mem_map = refuse;
    CHECK(shmem_malloc(bytes) == NULL);
    sheaf_ucx.ucp_mem_map = real;
    char *large = shmem_malloc(bytes);
    CHECK(large != NULL);
    *small = 0;
    shmem_barrier_all();
    shmem_long_p(small, me + 1L, (me + 1) % (last + 1));
    shmem_putmem(large + bytes - sizeof me, &me, sizeof me, (me + 1) % (last + 1));
    shmem_barrier_all();
    CHECK_EQ(*small, (me + last) % (last + 1) + 1);
    CHECK_EQ(*(int *)(large + bytes - sizeof me), (me + last) % (last + 1));
    shmem_free(large);
    shmem_free(small);
    return test_finish();
}
