/* SPDX-License-Identifier: BSD-3-Clause
 * What the files of the report share: the questions that a copy answers.
 */
#ifndef SHEAF_REPORT_INTERNAL_H
#define SHEAF_REPORT_INTERNAL_H

#include "report/report.h"

/* The call that the PE is in, or, where it is in none, NULL; the last that it has ended. */
const struct sheaf_record *sheaf_report_open_call(const struct sheaf_report_pe *pe);
const struct sheaf_record *sheaf_report_last_call(const struct sheaf_report_pe *pe);

/* Call number back places before the last; NULL where it is not there. */
const struct sheaf_record *sheaf_report_call(const struct sheaf_report_pe *pe, uint32_t back);

const struct sheaf_team_line *sheaf_report_team(const struct sheaf_report_pe *pe,
                                                uint64_t identity);

/* Makes what is not this process's own, or comes from another host, safe to read: texts end and can be
 * printed, numbers are within their ranges, and no process of this host is meant. */
void sheaf_report_tame(struct sheaf_report_pe *pe);

/* Puts the PEs in the order of their numbers; finds one among so many that are. */
void sheaf_report_sort(struct sheaf_report *report);
struct sheaf_report_pe *sheaf_report_find(struct sheaf_report *report, int known, int32_t number);

bool sheaf_report_is_alive(const struct sheaf_report_pe *pe);
bool sheaf_report_waits(const struct sheaf_report_pe *pe);

/* The collective that the PE waits in: its team, and how far the PE is in it. False: it waits in
 * none whose team is known. */
bool sheaf_report_meeting(const struct sheaf_report_pe *pe, uint64_t *team, uint64_t *progress);

/* Marks the PEs, by place, for which the one at place waits; returns how many. */
int sheaf_report_awaited(const struct sheaf_report *report, int place, bool *marked);

/* The first PE, by place, that has made another call, or with another root or size, as its team's
 * call of some number than the PE at place, which waits in a call of that team; -1: none. calls: those
 * two. */
int sheaf_report_mismatch(const struct sheaf_report *report, int place,
                          const struct sheaf_record *calls[2]);

/* Words. "shmem_barrier_all at heat.c:40"; "PE 3", "PEs 0-2,5"; what the PE does, without its
 * number. */
const char *sheaf_report_call_name(const struct sheaf_report *report, uint32_t call);
void sheaf_report_name_call(const struct sheaf_report *report, const struct sheaf_report_pe *pe,
                            const struct sheaf_record *call, char *text, size_t size);
/* "shmem_long_broadcast (PE_root 0, 64 bytes) at heat.c:40". */
void sheaf_report_name_call_fully(const struct sheaf_report *report, const struct sheaf_report_pe *pe,
                                  const struct sheaf_record *call, char *text, size_t size);
void sheaf_report_name_wait(const struct sheaf_report *report, const struct sheaf_report_pe *pe,
                            char *text, size_t size);
int sheaf_report_name_pes(const struct sheaf_report *report, const bool *marked, char *text,
                          size_t size);
void sheaf_report_describe(const struct sheaf_report *report, const struct sheaf_report_pe *pe,
                           char *text, size_t size);
/* "the world team"; "a team of 4 PEs: 0, 2, ..." */
void sheaf_report_name_team(const struct sheaf_team_line *line, char *text, size_t size);

/* "heat.c:40" by addr2line where that is installed and the file has line numbers, else
 * "heat+0x1234"; "prog.py:12" where an interpreter has said so. False when nothing is known. Of an
 * address, of a call, and of the wait on the board. */
bool sheaf_report_site(const struct sheaf_report_pe *pe, uint64_t site, char *text, size_t size);
bool sheaf_report_call_site(const struct sheaf_report_pe *pe, const struct sheaf_record *call, char *text,
                            size_t size);
bool sheaf_report_wait_site(const struct sheaf_report_pe *pe, char *text, size_t size);

/* The tool that is asked for lines runs until then. */
void sheaf_report_forget_tool(void);

#endif
