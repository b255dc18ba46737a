/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The stacks of this node's PEs, for who asks on another host: by oshrun, as if it were asked here, which
 * runs a debugger on them. That stops this process too for a moment, so what it says goes to a file. One at
 * a time.
 */
#ifndef SHEAF_BOOT_JOB_REPORT_STACKS_H
#define SHEAF_BOOT_JOB_REPORT_STACKS_H

#include <stdbool.h>
#include <stddef.h>

#define SHEAF_STACKS_MOST ((size_t)1 << 20) /* bytes; what is longer is cut */

/* False: it cannot be started. */
bool sheaf_stacks_begin(void);

/* Whether it has ended; it is ended after sheaf_times.stacks_most. */
bool sheaf_stacks_are_ready(void);

/* What it said, the caller's to free; NULL: nothing. Once, when it is ready. */
char *sheaf_stacks_take(size_t *length);

#endif
