/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A profile without a rebuild: SHEAF_PROFILE or SHEAF_TRACE begins the program again with
 * libsheaf-profile.so before this library. Nothing else of the library knows of it.
 */
#ifndef SHEAF_BOOT_PROFILE_H
#define SHEAF_BOOT_PROFILE_H

#include <stddef.h>

/* Before anything of the job was touched: does not return where the program begins again. Otherwise
 * failure is left empty, or holds the reason why there can be no profile. argv is main's. */
void sheaf_boot_profile(char **argv, char *failure, size_t size);

#endif
