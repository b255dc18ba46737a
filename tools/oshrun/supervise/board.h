/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The status board in words: who waits where, for what, since when, and who never came.
 */
#ifndef SHEAF_OSHRUN_BOARD_H
#define SHEAF_OSHRUN_BOARD_H

#include "oshrun/hosts/job.h"
#include "report/report.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* What oshrun knows of a PE's process; not in the control area. */
struct pe_process {
    int pid; /* 0 until started */
    bool exited;
    int status; /* as from waitpid() */
};

/* The report of this moment, to be freed. processes may be NULL: then it is looked up whether a PE
 * still lives. */
void sheaf_board_take(struct sheaf_report *report, const struct job *job,
                      const struct pe_process *processes);

/* Prints it. */
void sheaf_board_print(FILE *out, const struct job *job, const struct pe_process *processes);

/* How long PE pe has been in a wait that is on the board; 0 when it is in none. */
uint64_t sheaf_board_wait_ns(const struct job *job, int pe);

/* "PEs 0-2 wait in shmem_barrier_all at heat.c:40", for all that wait and have not exited. */
void sheaf_board_print_waits(FILE *out, const struct job *job, const struct pe_process *processes);

#endif
