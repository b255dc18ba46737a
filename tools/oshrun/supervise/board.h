/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The status board as text: which PE waits where, for what and since when, and which PEs never arrived.
 */
#ifndef SHEAF_OSHRUN_BOARD_H
#define SHEAF_OSHRUN_BOARD_H

#include "oshrun/hosts/job.h"
#include "report/report.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* oshrun's record of a PE's process; it is not in the control area. */
struct pe_process {
    int pid; /* 0 until started */
    bool exited;
    int status; /* as from waitpid() */
};

/* Takes a report of this moment, which the caller frees. processes may be NULL: then /proc tells
 * whether a PE lives. */
void sheaf_board_take(struct sheaf_report *report, const struct job *job,
                      const struct pe_process *processes);

/* Prints the board. */
void sheaf_board_print(FILE *out, const struct job *job, const struct pe_process *processes);

/* How long PE pe has been in a wait that is on the board; 0 when it does not wait. */
uint64_t sheaf_board_wait_ns(const struct job *job, int pe);

/* Prints "PEs 0-2 wait in shmem_barrier_all at heat.c:40" and so on, for all PEs that wait and have not
 * exited. */
void sheaf_board_print_waits(FILE *out, const struct job *job, const struct pe_process *processes);

#endif
