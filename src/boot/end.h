/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The end of a job that one PE has decided on, with a status, under a launcher other than oshrun. That
 * PE claims the end; bells (bell.h) and the ring of hosts (ring.h) tell all others, each of which says
 * good-bye to the launcher and leaves with status 0; the one that claimed goes last, with its status.
 * So the launcher sees every process end in order and has one status to pass on. When that does not
 * come about in time, the launcher is asked to abort.
 *
 * Of several PEs that claim at once the first of each node counts, and among nodes the lowest.
 */
#ifndef SHEAF_BOOT_END_H
#define SHEAF_BOOT_END_H

#include <stdbool.h>
#include <stdint.h>

/* Whether the caller is the first on this node to give a reason why the job ends; true without a
 * control area. */
bool sheaf_end_claim(int status);
bool sheaf_end_is_claimed(void);

/* The same for a failure that somebody else must see to, sheaf_lifeline_end_job(): the launcher may be
 * killing this PE, so all leave with EXIT_FAILURE. */
bool sheaf_end_claim_failure(void);

/* Another host's PE has claimed; how is SHEAF_EXIT_FAILED and a status. */
void sheaf_end_adopt(int pe, int how);

/* Whether the others of this node have been told to leave. */
bool sheaf_end_is_requested(void);

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

/* Tells the neighbours on the ring whose claim counts here, and how the job ends: for a PE that asks
 * the launcher to end it. False where they cannot be told. */
bool sheaf_end_tell_hosts(void);

#endif
