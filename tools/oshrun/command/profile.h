/* SPDX-License-Identifier: BSD-3-Clause
 *
 * --profile and --trace: the folder for the PEs' files, and what is done with them when the job has
 * ended.
 */
#ifndef SHEAF_OSHRUN_PROFILE_H
#define SHEAF_OSHRUN_PROFILE_H

#include <stdbool.h>

/* Makes the folder where there is none, and lets the PEs know it by variable, SHEAF_PROFILE or
 * SHEAF_TRACE. Prints the reason and ends where it cannot hold a new profile. Returns its absolute
 * path. */
const char *sheaf_profile_prepare(const char *option, const char *folder, const char *variable);

/* Says where the profile is; of a trace oshprof first makes one file. */
void sheaf_profile_finish(const char *folder, bool is_trace);

#endif
