/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The parts of all hosts' leaders in one place: one leader asks, both ways round the ring, each other one
 * answers the way that the question came, and those between hand both on. One question at a time is asked
 * here. All of it is for the watching thread of a node's lowest PE, and none of it waits.
 */
#ifndef SHEAF_BOOT_JOB_REPORT_GATHER_H
#define SHEAF_BOOT_JOB_REPORT_GATHER_H

#include "report/report.h"

#include <stdbool.h>
#include <stdint.h>

/* Why a leader asks. */
enum sheaf_gather_reason {
    SHEAF_GATHER_QUIET, /* nobody sees it but who asked */
    SHEAF_GATHER_PRINT, /* to print it, and */
    SHEAF_GATHER_JUDGE, /* to compare calls: where several hosts are about to, one is enough */
    SHEAF_GATHER_STACKS, /* the other hosts' parts are text: the stacks of their PEs (parts.h) */
    SHEAF_GATHER_REASONS
};

/* Called with the report of the whole job, which is freed after it. */
typedef void sheaf_gather_done(struct sheaf_report *report);

/* Before the ring comes about: what neighbours may send here. */
void sheaf_gather_open(void);

/* Asks; done is called once all hosts have answered or 1.5 s are over, a minute for stacks, and never where
 * a lower host has begun to ask for the same reason, PRINT or JUDGE. False: a question is under way. */
bool sheaf_gather_begin(enum sheaf_gather_reason reason, sheaf_gather_done *done);
bool sheaf_gather_is_under_way(void);

/* When, by this host's clock, another host last asked for that reason; 0: never. */
uint64_t sheaf_gather_other_ns(enum sheaf_gather_reason reason);

/* Tells all hosts to keep what their PEs did (sheaf_tell_keep_node), this one too: a PE is about to die. */
void sheaf_gather_keep(void);

/* At every turn of the thread: answers, hands on, and ends what is under way when it is time. Returns in
 * how many ms it has to look again, -1: when something comes. */
int sheaf_gather_turn(void);

#endif
