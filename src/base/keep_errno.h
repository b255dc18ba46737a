/* SPDX-License-Identifier: BSD-3-Clause
 *
 * errno, as a public routine leaves it to its caller: as it was.
 */
#ifndef SHEAF_BASE_KEEP_ERRNO_H
#define SHEAF_BASE_KEEP_ERRNO_H

#include <errno.h>

/* First in a block: what the calls below it do to errno is undone at its end. A program reads errno for
 * its own calls. */
static inline void sheaf_restore_errno(const int *before)
{
    errno = *before;
}
#define SHEAF_KEEP_ERRNO                                                                           \
    const int errno_before __attribute__((unused, cleanup(sheaf_restore_errno))) = errno

#endif
