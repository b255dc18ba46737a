/* SPDX-License-Identifier: BSD-3-Clause
 *
 * --save-on-failure: the symmetric memory of a failed job's PEs is written to a folder, for oshdump.
 */
#ifndef SHEAF_OSHRUN_POST_MORTEM_H
#define SHEAF_OSHRUN_POST_MORTEM_H

#include "oshrun/supervise/supervise.h"

/* Called once no PE runs any more: writes the memory, where the job has failed and the option was
 * given. Returns the line to print, which the caller frees; NULL: there is none. */
char *sheaf_post_mortem_write(struct supervisor *supervisor);

#endif
