/* SPDX-License-Identifier: BSD-3-Clause
 *
 * --profile and --trace: the folder for the PEs' files, and the work on them when the job has ended.
 */
#ifndef SHEAF_OSHRUN_PROFILE_H
#define SHEAF_OSHRUN_PROFILE_H

#include <stdbool.h>

/* Makes the folder where there is none, and passes it to the PEs by the variable, SHEAF_PROFILE or
 * SHEAF_TRACE. Prints the reason and ends oshrun where the folder cannot take a new profile. Returns
 * its absolute path. */
const char *sheaf_profile_prepare(const char *option, const char *folder, const char *variable);

/* Prints where the profile is. For a trace, oshprof first merges the files into one. */
void sheaf_profile_finish(const char *folder, bool is_trace);

#endif
