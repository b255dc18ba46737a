/* SPDX-License-Identifier: BSD-3-Clause
 *
 * --save-on-failure: whether, and where, a failed job's symmetric memory is saved. supervise/post_mortem.h
 * describes what is written there.
 */
#ifndef SHEAF_OSHRUN_SAVE_ON_FAILURE_H
#define SHEAF_OSHRUN_SAVE_ON_FAILURE_H

#include "oshrun/command/options.h"

/* Makes the folder where it is missing. Prints the reason and ends oshrun where it cannot be used. */
void sheaf_save_on_failure_set(const char *option, const char *folder);

/* Called once the programs are known: ends oshrun where the job's memory is not all on this host. */
void sheaf_save_on_failure_check(const struct options *options);

/* The folder; NULL: the option was not given. */
const char *sheaf_save_on_failure_folder(const struct options *options);

#endif
