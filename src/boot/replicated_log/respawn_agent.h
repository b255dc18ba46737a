/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Respawn agents: under other launchers than oshrun, the launcher starts `oshrun --respawn-agent` in
 * place of each PE. It starts the program, and stays when the program dies, so that the launcher takes
 * the PE for alive. The node's agent asks it for a new process by a command in a pipe, and it writes a
 * reply into a second one. The first pipe ends when the node's agent does. A respawn agent may also start
 * processes for adopted PEs: PEs of lost hosts.
 */
#ifndef SHEAF_BOOT_REPLICATED_LOG_RESPAWN_AGENT_H
#define SHEAF_BOOT_REPLICATED_LOG_RESPAWN_AGENT_H

#include <stdint.h>

/* For the program: "PID COMMANDS INODE REPLIES INODE SPARES", decimal: the respawn agent's process, the two
 * pipes in it, and how many processes a node may start. The library removes the variable. */
#define SHEAF_RESPAWN_AGENT_VARIABLE "SHEAF_RESPAWN_AGENT"

/* For a new process: "AGENT FD SLOT JOB_ID", the last hexadecimal. The descriptor, in the node's agent,
 * is of the file with the node's control area. The library removes the variable. */
#define SHEAF_RESPAWN_SLOT_VARIABLE "SHEAF_RESPAWN_SLOT"

#define SHEAF_MOST_SPARES 1024 /* processes that a node may start */

enum sheaf_respawn_command_kind {
    SHEAF_RESPAWN_COMMAND_START = 1, /* a process of the program, for that slot */
    SHEAF_RESPAWN_COMMAND_END,       /* the job has ended with that status: end with it */
    SHEAF_RESPAWN_COMMAND_STAY       /* the node has an agent: it ends when the pipe does, not before */
};
struct sheaf_respawn_command {
    uint32_t what;
    int32_t status;
    int32_t adopted; /* START: 0: for the PE whose respawn agent this is; else 1 + the number of another PE,
                        whose respawn agent or host is lost */
    char slot[52];   /* START: the text of SHEAF_RESPAWN_SLOT_VARIABLE */
};

/* To START. */
struct sheaf_respawn_reply {
    int32_t adopted;  /* as in the command */
    int32_t pid;      /* the new process, or -errno */
    uint64_t started; /* when it did (base/os/process.h): its number may be another process's by now */
};

#endif
