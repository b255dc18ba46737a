/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How a PE wakes the watching thread of another PE of its node: by a byte in a pipe. The thread's
 * process has both ends, and the other PE opens the writing end under /proc, as it opens the PE's
 * memory. A PE of another container has passed it (base/container.h). The byte is a wake word. All
 * else that the thread has to know stands in the control area. oshrun wakes PEs too.
 */
#ifndef SHEAF_BOOT_END_WAKE_PIPE_H
#define SHEAF_BOOT_END_WAKE_PIPE_H

#include "image/control.h"

#include <stdbool.h>
#include <stdint.h>

/* Why the thread is woken: a bit each. */
enum sheaf_wake_word {
    SHEAF_WAKE_LOOK = 0,  /* there is news in the control area */
    SHEAF_WAKE_PRINT = 1, /* somebody asks why the job does not go on: say it on standard error */
    SHEAF_WAKE_WRITE = 2, /* the same, for a file: see report_file of the control area */
    SHEAF_WAKE_JUDGE = 4, /* calls of PEs of two hosts do not fit together: see boot/job_report/judge.h */
    SHEAF_WAKE_KEEP = 8,  /* this PE is about to die: what all PEs did is to be kept */
    SHEAF_WAKE_STACKS = 16 /* somebody asks for the stacks of other hosts' PEs: as WRITE, text */
};

/* Makes this process's own pipe, unless it is there. Returns the writing end; -1 and errno. */
int sheaf_wake_pipe_open(void);

/* The same, and writes into its entry where it is. Returns the descriptor to poll; -1
 * and errno. */
int sheaf_wake_pipe_create(struct sheaf_pe *mine);

/* Whether this process has one: other PEs can wake its thread. */
bool sheaf_wake_pipe_exists(void);

/* After a poll: reads all words so far, and returns their union. */
unsigned sheaf_wake_pipe_drain(int fd);

/* wake sends LOOK, send any word: to this process's own thread, also from a signal handler, or to
 * another PE's. Without effect where that process has no pipe: send returns false then. */
void sheaf_wake_pipe_wake_own(void);
void sheaf_wake_pipe_wake(const struct sheaf_pe *other);
void sheaf_wake_pipe_send_own(enum sheaf_wake_word word);
bool sheaf_wake_pipe_send(const struct sheaf_pe *other, enum sheaf_wake_word word);

/* For who is no PE: with the number that its /proc has for the other. */
bool sheaf_wake_pipe_send_to(const struct sheaf_pe *other, int32_t pid, enum sheaf_wake_word word);

#endif
