/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Who am I, who else is there, and on which node. Started by oshrun: the job's file says it.
 * Started by another launcher: a PMI client asks it. Alone: a job of one PE.
 */
#ifndef SHEAF_BOOT_BOOT_H
#define SHEAF_BOOT_BOOT_H

#include "boot/end/abort.h"
#include "boot/launcher/kvs.h"
#include "boot/world/world.h"

#include <stdbool.h>

/* Collective, at the first initialization: reaches the launcher, finds the PEs of this node, and
 * attaches all of them to one control area. Returns 0, or prints the reason and returns -1: also
 * where a launcher that Sheaf cannot talk to started several copies. */
int sheaf_boot_connect(void);

/* The identifier of a job, which other processes are given: a text that ends with NUL. call: the public
 * routine's name, for messages. 0, or -1 with the reason printed. */
#define SHEAF_BOOT_ID 512
int sheaf_boot_make_id(char id[SHEAF_BOOT_ID], const char *call);

/* Before the first connect, which then meets the others by the identifier. 0, or -1 with the reason
 * printed. drop: connect has failed, and the program may try again. */
int sheaf_boot_choose_id(int rank, int size, const char id[SHEAF_BOOT_ID], const char *call);
void sheaf_boot_drop_id(void);

/* A start by an identifier has failed, on one host, where deaths are reported: this process leaves the job,
 * for whose others it has died, and goes on without. False: another start, whose failure ends the job. */
bool sheaf_boot_fail_start(void);

/* In a statically linked program: whether it has these routines. Set before the library starts. */
extern bool sheaf_boot_id_is_linked;

/* Whether somebody whom Sheaf can talk to started this process: connect then finds the other PEs. */
bool sheaf_boot_has_launcher(void);

/* Collective, once each node has mapped its image: all nodes hand out as much of the heap, at the
 * same alignments. atomics: what this PE was told, enum sheaf_atomics; PEs of several nodes that differ
 * would neither allocate nor meet alike. 0, or -1 with the reason printed. */
int sheaf_boot_agree(int atomics);

/* Whether sheaf_boot_abort() (end/abort.h) can end the job: not under oshrun, which sees by itself. */
bool sheaf_boot_can_abort(void);

/* Ends the job in order, where the PEs are together: all others leave first, and then the caller exits with
 * status, which is the job's. See boot/end/end.h. */
void sheaf_boot_end(int status);

/* In a child that a PE forked: closes what the child would keep from others. */
void sheaf_boot_forked(void);

/* When the process exits after its last finalize: tells the launcher that this is in order. */
void sheaf_boot_disconnect(void);

#endif
