/* SPDX-License-Identifier: BSD-3-Clause
 *
 * oshrun --why: the board of a running job of this user.
 */
#ifndef SHEAF_OSHRUN_WHY_H
#define SHEAF_OSHRUN_WHY_H

#include "oshrun/command/options.h"

/* Prints the board of the job that options->why_pid names: the pid of its oshrun or of any of its PEs;
 * 0 means every job of this user. Returns the exit status. */
int sheaf_why(const struct options *options);

#endif
