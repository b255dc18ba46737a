/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How another process of this user has ended, though it was no child of this one.
 */
#ifndef SHEAF_BOOT_END_EXIT_STATUS_H
#define SHEAF_BOOT_END_EXIT_STATUS_H

#include <stdbool.h>

/* process: a descriptor from pidfd_open(), which has told of the end. *status is as from waitpid(). The
 * process's entry in /proc tells until its parent asks; the descriptor tells after that, since Linux
 * 6.15. False where neither does. */
bool sheaf_exit_status(int process, int pid, int *status);

#endif
