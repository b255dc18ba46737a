/* SPDX-License-Identifier: BSD-3-Clause
 *
 * --save-on-failure: what a failed job has left in its PEs' symmetric memory goes to a folder, for oshdump.
 */
#ifndef SHEAF_OSHRUN_POST_MORTEM_H
#define SHEAF_OSHRUN_POST_MORTEM_H

#include "oshrun/supervise/supervise.h"

/* Once no PE runs any more: writes it, where the job has failed and its user asked for it. The line that
 * says so, to be freed; NULL: there is nothing to say. */
char *sheaf_post_mortem_write(struct supervisor *supervisor);

#endif
