/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A pipe that another process of this user has told of: by its number there, and by its inode, should the
 * process be another by now.
 */
#ifndef SHEAF_BOOT_ORDER_PIPE_H
#define SHEAF_BOOT_ORDER_PIPE_H

#include <stdint.h>

/* A descriptor of one's own, closed by exec. -1 and errno; ESTALE when that descriptor is another file. */
int sheaf_pipe_open(int32_t pid, int fd, uint32_t inode, int flags);

#endif
