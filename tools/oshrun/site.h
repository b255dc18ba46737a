/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The source line of a call, from its address.
 */
#ifndef SHEAF_OSHRUN_SITE_H
#define SHEAF_OSHRUN_SITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* "heat.c:40" by addr2line where that is installed and the file has line numbers, else
 * "heat+0x1234". file is as the PE with this pid knows it: what is no absolute path is the
 * program itself. False when nothing is known. */
bool sheaf_site_name(const char *file, int pid, uint64_t site, uint64_t site_base, char *name,
                     size_t size);

#endif
