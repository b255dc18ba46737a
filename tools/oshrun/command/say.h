/* SPDX-License-Identifier: BSD-3-Clause
 *
 * oshrun's lines on standard error, and the statuses that it ends with.
 */
#ifndef SHEAF_OSHRUN_SAY_H
#define SHEAF_OSHRUN_SAY_H

/* As the shells and timeout(1) use them. */
#define STATUS_USAGE          2
#define STATUS_TIMEOUT        124
#define STATUS_NOT_EXECUTABLE 126
#define STATUS_NOT_FOUND      127
#define STATUS_SIGNAL         128 /* + the signal's number */

/* One line. */
void sheaf_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* One line, with the id that oshinfo --explain knows: the text begins with it, "SH402 ...",
or the status has
 * one; then oshrun ends, before it has started anything. */
_Noreturn void sheaf_die(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
