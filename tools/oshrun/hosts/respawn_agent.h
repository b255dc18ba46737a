/* SPDX-License-Identifier: BSD-3-Clause
 *
 * oshrun --respawn-agent=N PROGRAM...: a process that a launcher of several hosts starts in a PE's place.
 * It starts the PE's program, and a new process of it when the PE has died.
 */
#ifndef SHEAF_OSHRUN_RESPAWN_AGENT_H
#define SHEAF_OSHRUN_RESPAWN_AGENT_H

#include <stdbool.h>

/* Whether the command line is that of a respawn agent: --respawn-agent=N, the program, its arguments. */
bool sheaf_respawn_agent_is_wanted(int argc, char **argv);
_Noreturn void sheaf_respawn_agent(char **argv);

#endif
