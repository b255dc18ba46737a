/* SPDX-License-Identifier: BSD-3-Clause
 *
 * oshrun's messages on standard error, with the statuses by which it ends.
 */
#ifndef SHEAF_OSHRUN_SAY_H
#define SHEAF_OSHRUN_SAY_H

#include "common/status.h"

/* Prints one line. */
void sheaf_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints one line and ends oshrun, which has started nothing yet. The line has the id that oshinfo
 * --explain knows: the text begins with it, "SH402 ...", or the status gives one. */
_Noreturn void sheaf_die(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same where something that every job needs cannot be made: errno says why. */
_Noreturn void sheaf_die_at_start(void);

/* "; raise the limit on ... (ulimit -n)" where error says that a limit is reached, else "". */
const char *sheaf_limit_of(int error);

#endif
