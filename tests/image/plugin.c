/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A shared library with globals of its own, which are not symmetric, and a function that
 * communicates on addresses it is given.
 */
#include <shmem.h>

long plugin_in_data = 17;
long plugin_in_bss;

long plugin_exchange(long *cell, long value);
long plugin_exchange(long *cell, long value)
{
    int me = shmem_my_pe(), npes = shmem_n_pes();
    shmem_long_p(cell, value, (me + 1) % npes);
    shmem_barrier_all();
    plugin_in_bss++;
    return *cell;
}
