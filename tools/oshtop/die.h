/* SPDX-License-Identifier: BSD-3-Clause
 * How oshtop ends where it cannot go on.
 */
#ifndef SHEAF_OSHTOP_DIE_H
#define SHEAF_OSHTOP_DIE_H

#include "../common/status.h"

/* Gives the terminal back, prints the line, and exits. */
_Noreturn void top_die(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
