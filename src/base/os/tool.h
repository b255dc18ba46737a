/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Another program that a PE or a command lets do something: a debugger, addr2line.
 */
#ifndef SHEAF_BASE_OS_TOOL_H
#define SHEAF_BASE_OS_TOOL_H

#include <sys/types.h>

/* Starts words[0], a path or a name in PATH, with little of the environment and without standard error.
 * input -1: it has none. Its end is the caller's to wait for. -1: it cannot be started. */
int sheaf_tool_start(char **words, int input, int output, pid_t *tool);

#endif
