/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A shared library with inline forms, and thus with a route of its own.
 */
#include <shmemx_inline.h>

long plugin_exchange(long *cell, long value);
long plugin_exchange(long *cell, long value)
{
    const int me = shmem_my_pe(), npes = shmem_n_pes();
    shmem_long_p(cell, value, (me + 1) % npes);
    shmem_barrier_all();
    value = *cell;
    shmem_barrier_all();
    return value;
}
