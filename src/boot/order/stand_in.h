/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Under other launchers, who starts a new process in a dead PE's place: its stand-in, the process that the
 * launcher has started in the program's stead (oshrun --stand-in), which is there as long as the PE's place
 * is. It has a pipe that it reads, into which the node's agent writes what to do, and one into which it
 * writes what came of that. When the first one ends the agent has. A stand-in may have guests beside its
 * own program: processes for PEs whose hosts are lost.
 */
#ifndef SHEAF_BOOT_ORDER_STAND_IN_H
#define SHEAF_BOOT_ORDER_STAND_IN_H

#include <stdint.h>

/* For the program: "PID ORDERS INODE NEWS INODE SPARES", decimal: the last says how many processes may be
 * started on a node. The library removes it. */
#define SHEAF_STAND_IN_VARIABLE "SHEAF_STAND_IN"

/* For a process that takes a dead one's place: "AGENT FD SLOT JOB_ID", the last hexadecimal; the
 * descriptor, in the agent, is of the file with the node's control area. The library removes it. */
#define SHEAF_PLACE_VARIABLE "SHEAF_PLACE"

/* Of a node. */
#define SHEAF_MOST_SPARES 1024

enum sheaf_stand_in_what {
    SHEAF_STAND_IN_START = 1, /* a process of the program, with that place */
    SHEAF_STAND_IN_END,       /* the job has ended with that status: so does the place */
    SHEAF_STAND_IN_KEPT       /* there is an agent, whose end is the pipe's end from now on */
};
struct sheaf_stand_in_order {
    uint32_t what;
    int32_t status;
    int32_t guest;  /* START: 0: in the stand-in's own place; else one more than the number of another PE:
                       its stand-in is gone, or its host, and this one has taken it in */
    char place[52];
};

/* Of a process that was to be started: its number; or -errno. */
struct sheaf_stand_in_news {
    int32_t guest; /* as it was asked for */
    int32_t pid;
    uint64_t started; /* see base/os/process.h: the process may have ended, and another have its number */
};

#endif
