/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A PE passes this to the agent of its host (tools/agent) at the start: open files by fixed numbers, and in
 * one of them a struct. The agent checks all of it before use: the PE may be of another version of Sheaf.
 * agent_start.c is at one end, the agent's main at the other.
 */
#ifndef SHEAF_BOOT_REPLICATED_LOG_PASSED_H
#define SHEAF_BOOT_REPLICATED_LOG_PASSED_H

#include "base/times.h"
#include "boot/replicated_log/mesh.h"
#include "image/control.h"

enum {
    SHEAF_PASSED_AREA = 3, /* the file that begins with the node's control area */
    SHEAF_PASSED_INBOX,    /* the reading end of the pipe into which PEs write their requests */
    SHEAF_PASSED_STRUCT,   /* the file with the struct */
    SHEAF_PASSED_REPORT,   /* see sheaf_process_start_apart() */
    SHEAF_PASSED_END
};

struct sheaf_passed {
    uint64_t magic;
    uint32_t bytes; /* of this struct */
    uint32_t control_version;
    char version[24];
    uint64_t job_id;
    struct sheaf_times times;         /* those in force */
    char address[SHEAF_MESH_ADDRESS]; /* by the agent: where those of other hosts reach it */
};

/* By the PE: a file for an agent of this control area; -1 and errno. Once the agent has started: its
 * address; -1 and errno. */
int sheaf_passed_create(const struct sheaf_control *area);
int sheaf_passed_address(int file, char address[SHEAF_MESH_ADDRESS]);

/* By the agent: takes the times over, and returns the control area, mapped for writing. NULL and errno:
 * EPROTO where the PE is of another version, EINVAL where the area is not that of a job with agents, EBADF
 * where this process has not been started by a PE. Then: the answer. */
struct sheaf_control *sheaf_passed_take(int area, int file);
int sheaf_passed_answer(int file, const char address[SHEAF_MESH_ADDRESS]);

#endif
