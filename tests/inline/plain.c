/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A file of the same program without inline forms, whatever the others are compiled with.
 */
#undef SHEAF_INLINE
#include "life.h"

#include <shmem.h>

long_p *plain_address(void)
{
    return shmem_long_p;
}

void plain_write(long *dest, long value, int pe)
{
    shmem_long_p(dest, value, pe);
}

long plain_read(const long *source, int pe)
{
    return shmem_long_g(source, pe);
}
