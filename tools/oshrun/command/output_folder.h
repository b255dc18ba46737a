/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The folder that an option names for files of the job: --output, --profile, --snapshot-dir and the like.
 */
#ifndef SHEAF_OSHRUN_OUTPUT_FOLDER_H
#define SHEAF_OSHRUN_OUTPUT_FOLDER_H

#include <sys/types.h>

/* Makes the folder, with this mode, where there is none. Returns its absolute path, which the caller
 * frees. Prints the reason and ends oshrun where files cannot be written there. */
char *sheaf_output_folder_make(const char *option, const char *folder, mode_t mode);

#endif
