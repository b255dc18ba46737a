/* SPDX-License-Identifier: BSD-3-Clause
 * What the files of the report share: queries on a copy.
 */
#ifndef SHEAF_REPORT_INTERNAL_H
#define SHEAF_REPORT_INTERNAL_H

#include "report/report.h"

/* Of a job, in a record or from another host: more is no sound record. */
#define REPORT_MOST_PES 65536

/* open_call: the call that the PE is in, or NULL. last_call: the last call that it has ended. */
const struct sheaf_record *sheaf_report_open_call(const struct sheaf_report_pe *pe);
const struct sheaf_record *sheaf_report_last_call(const struct sheaf_report_pe *pe);

/* The call before the last by back calls; NULL where the recorder no longer has it. */
const struct sheaf_record *sheaf_report_call(const struct sheaf_report_pe *pe, uint32_t back);

const struct sheaf_team_line *sheaf_report_team(const struct sheaf_report_pe *pe,
                                                uint64_t identity);

/* Sanitizes data from a file or from another host: texts are terminated and printable, numbers are
 * within their ranges, and no process of this host is named. */
void sheaf_report_sanitize(struct sheaf_report_pe *pe);

/* Sorts the PEs by their numbers; finds one among the first known PEs, which are sorted. */
void sheaf_report_sort(struct sheaf_report *report);
struct sheaf_report_pe *sheaf_report_find(struct sheaf_report *report, int known, int32_t number);

/* Fills in the state of the PE's process, whose number in this process's /proc is pid. */
void sheaf_report_look(struct sheaf_report_pe *pe, int pid);

bool sheaf_report_is_alive(const struct sheaf_report_pe *pe);
bool sheaf_report_waits(const struct sheaf_report_pe *pe);

/* The collective that the PE waits in: its team and the PE's progress in it. Returns false where the PE
 * waits in none, or in one of an unknown team. */
bool sheaf_report_collective_wait(const struct sheaf_report_pe *pe, uint64_t *team, uint64_t *progress);

/* Marks, by index, the PEs for which the PE at index waits. Returns their number. */
int sheaf_report_awaited(const struct sheaf_report *report, int index, bool *marked);

/* The index of the first PE that does not match the PE at index, which waits in a call of a team: as
 * the team's call of some number, the two have made different calls, or calls with another root or
 * size. Those are calls[]. -1: there is no such PE. */
int sheaf_report_mismatch(const struct sheaf_report *report, int index,
                          const struct sheaf_record *calls[2]);

/* Texts: "shmem_barrier_all at heat.c:40"; "PE 3", "PEs 0-2,5", and "PEs 0-2 (images 1-3)" after
 * shmemx_call_pe. */
#define SHEAF_REPORT_PE 48
void sheaf_report_name_pe(const struct sheaf_report_pe *pe, char text[SHEAF_REPORT_PE]);
const char *sheaf_report_call_name(const struct sheaf_report *report, const struct sheaf_report_pe *pe,
                                   const struct sheaf_record *call);
void sheaf_report_name_call(const struct sheaf_report *report, const struct sheaf_report_pe *pe,
                            const struct sheaf_record *call, char *text, size_t size);
/* "shmem_long_broadcast (PE_root 0, 64 bytes) at heat.c:40". */
void sheaf_report_name_call_fully(const struct sheaf_report *report, const struct sheaf_report_pe *pe,
                                  const struct sheaf_record *call, char *text, size_t size);
void sheaf_report_name_wait(const struct sheaf_report *report, const struct sheaf_report_pe *pe,
                            char *text, size_t size);
int sheaf_report_name_pes(const struct sheaf_report *report, const bool *marked, char *text,
                          size_t size);
/* "the world team"; "a team of 4 PEs: 0, 2, ..." */
void sheaf_report_name_team(const struct sheaf_team_line *line, char *text, size_t size);

/* The source line of an address, of a call, and of the wait on the board: "heat.c:40" by addr2line
 * where that is installed and the file has line numbers, else "heat+0x1234"; "prog.py:12" where an
 * interpreter has announced it. False when nothing is known. */
bool sheaf_report_site(const struct sheaf_report_pe *pe, uint64_t site, char *text, size_t size);
bool sheaf_report_call_site(const struct sheaf_report_pe *pe, const struct sheaf_record *call, char *text,
                            size_t size);
bool sheaf_report_wait_site(const struct sheaf_report_pe *pe, char *text, size_t size);

/* Ends addr2line, which otherwise stays running for further lines. */
void sheaf_report_forget_tool(void);

#endif
