/* SPDX-License-Identifier: BSD-3-Clause
 *
 * oshrun --stand-in=N PROGRAM...: what a launcher of several hosts starts in a PE's place, so that a new
 * process can take it when the PE has died.
 */
#ifndef SHEAF_OSHRUN_STAND_IN_H
#define SHEAF_OSHRUN_STAND_IN_H

#include <stdbool.h>

/* Whether the command line is one: --stand-in=N, the program, its arguments. */
bool sheaf_stand_in_is_meant(int argc, char **argv);
_Noreturn void sheaf_stand_in(char **argv);

#endif
