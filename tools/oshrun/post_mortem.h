/* SPDX-License-Identifier: BSD-3-Clause
 *
 * --save-on-failure: what a failed job has left in its PEs' symmetric memory goes to a folder, for oshdump.
 */
#ifndef SHEAF_OSHRUN_POST_MORTEM_H
#define SHEAF_OSHRUN_POST_MORTEM_H

#include "supervise.h"

/* Makes the folder where it is missing. Prints the reason and ends where it cannot be used. */
void sheaf_post_mortem_set(const char *option, const char *folder);

/* Once the programs are known: ends oshrun where the job's memory is not all here. */
void sheaf_post_mortem_settle(const struct options *options);

/* Whether the job's memory is to be kept for it. */
bool sheaf_post_mortem_is_wanted(const struct options *options);

/* Once no PE runs any more: writes it, where the job has failed and its user asked for it. The line that
 * says so, to be freed; NULL: there is nothing to say. */
char *sheaf_post_mortem_write(struct supervisor *supervisor);

#endif
