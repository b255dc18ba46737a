/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Identifiers of jobs: shmemx_get_uniqueid and shmemx_init_uid. The process that makes one listens from
 * then on, and is the root once it initializes with it. A process has one at a time.
 */
#ifndef SHEAF_BOOT_LAUNCHER_RENDEZVOUS_IDENTIFIER_H
#define SHEAF_BOOT_LAUNCHER_RENDEZVOUS_IDENTIFIER_H

#include "boot/launcher/rendezvous/contact.h"
#include "boot/launcher/rendezvous/plan.h"

/* A process that has made one and has not used it makes the same again. call: the routine's name, for
 * messages. 0, or -1 with the reason printed. */
int sheaf_identifier_make(char text[SHEAF_INVITATION], const char *call);

/* From now on plan() tells how this process connects to the others. text: anything, of so many bytes.
 * 0, or -1 with the reason printed. */
int sheaf_identifier_choose(int rank, int size, const char text[SHEAF_INVITATION], const char *call);
void sheaf_identifier_drop(void);
const struct sheaf_rendezvous_plan *sheaf_identifier_plan(void); /* NULL: by variables */

/* Of the process that has made the chosen one: they are the caller's from now on. */
void sheaf_identifier_take(struct sheaf_listeners *listeners);

#endif
