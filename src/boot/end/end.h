/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The end of a job that one PE has decided on, with a status, under a launcher other than oshrun. That PE
 * claims the end (exit_claim.h); wake pipes (wake_pipe.h) and the ring of hosts (ring.h) tell all others,
 * each of which says good-bye to the launcher and leaves with status 0; the one that claimed goes last,
 * with its status. So the launcher sees every process end in order and has one status to pass on. When
 * that does not come about in time, the launcher is asked to abort.
 */
#ifndef SHEAF_BOOT_END_END_H
#define SHEAF_BOOT_END_END_H

#include <stdbool.h>

/* After a claim, won or lost: tells all others; returns true once all have left, which means that this
 * PE is the last and its status the job's. False: they cannot be told, or do not leave; the launcher
 * has to end them. Does not return where another PE's claim counts: this process leaves. */
bool sheaf_end_gather(void);

/* For a failure that only looks like one: where the job ends on purpose, connections break before the
 * PE hears of it. Returns when no end has been requested within 1.5 s. */
void sheaf_end_await(void);

/* For the watching thread: what it has to do about an end that was requested, at each turn. Returns in
 * how many ms to look again; -1: no end was requested. */
int sheaf_end_turn(void);

#endif
