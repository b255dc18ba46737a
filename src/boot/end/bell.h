/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How a PE rouses the watching thread of another PE of its node: a pipe, whose writing end the other
 * opens under /proc as it opens the PE's memory. A ring carries a word at most: what else there is to
 * know stands in the control area. oshrun rings too.
 */
#ifndef SHEAF_BOOT_END_BELL_H
#define SHEAF_BOOT_END_BELL_H

#include "image/control.h"

#include <stdbool.h>
#include <stdint.h>

/* What a ring says, a bit each. */
enum sheaf_bell_word {
    SHEAF_BELL_LOOK = 0,  /* there is news in the control area */
    SHEAF_BELL_PRINT = 1, /* somebody asks why the job does not go on: say it on standard error */
    SHEAF_BELL_WRITE = 2, /* the same, for a file: see report_file of the control area */
    SHEAF_BELL_JUDGE = 4, /* calls of PEs of two hosts do not fit together: see boot/whole/judge.h */
    SHEAF_BELL_KEEP = 8,  /* this PE is about to die: what all PEs did is to be kept */
    SHEAF_BELL_STACKS = 16 /* somebody asks for the stacks of other hosts' PEs: as WRITE, text */
};

/* Makes this process's own and writes down in its entry where it is. The descriptor to poll; -1 and
 * errno. */
int sheaf_bell_hang(struct sheaf_pe *mine);

/* Whether this process has one: its thread hears what others do. */
bool sheaf_bell_is_hung(void);

/* After a poll: takes in all rings so far, and returns the words of them. */
unsigned sheaf_bell_hush(int fd);

/* Rouses this process's own thread, also from a signal's handler, and that of another; without effect
 * where there is none: say returns false then. */
void sheaf_bell_ring_own(void);
void sheaf_bell_ring(const struct sheaf_pe *other);
void sheaf_bell_say_own(enum sheaf_bell_word word);
bool sheaf_bell_say(const struct sheaf_pe *other, enum sheaf_bell_word word);

#endif
