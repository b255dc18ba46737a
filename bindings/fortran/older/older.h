/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The older interface, include 'shmem.fh': a routine's name in small letters with an underscore behind
 * it, every argument by its address, counts and PE numbers default integers. Nothing here is a Fortran
 * compiler's own: it is built once, and links with the code of any that names routines so.
 */
#ifndef SHEAF_FORTRAN_OLDER_H
#define SHEAF_FORTRAN_OLDER_H

#include "refuse.h"

/* A number of elements; negative ones end the program. */
static inline size_t sheaf_elements(const char *call, const int *count)
{
    if (*count < 0)
        sheaf_refuse(call, "nelems is %d: expected no negative number", *count);
    return (size_t)*count;
}

#endif
