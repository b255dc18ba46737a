/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The key-value space, by which PEs exchange addresses before communication is up: near PEs and all of
 * oshrun's have it in the control area, others ask the launcher.
 */
#ifndef SHEAF_BOOT_LAUNCHER_KVS_H
#define SHEAF_BOOT_LAUNCHER_KVS_H

#include "boot/launcher/launcher.h"

#include <stddef.h>

/* oshrun's PEs that are apart find each other by this much of a launcher: the rest of the table is not
 * theirs to use. */
extern const struct sheaf_launcher sheaf_launcher_oshrun;

/* At each initialization, on all PEs alike, with the launcher of a job of several nodes, else NULL:
 * what was said before the last finalization is forgotten. */
void sheaf_kvs_open(const struct sheaf_launcher *launcher);

/* What every PE says to all others before communication is up. put, then fence on all PEs, then
 * get by those who want it, also much later (it is kept until the job ends). Values may hold any
 * bytes; key is a short identifier. Jobs on one node do without the launcher. put and fence
 * return 0, or print the reason and return -1. get allocates *value; -1 when there is none. */
int sheaf_boot_put(const char *key, const void *value, size_t bytes);
int sheaf_boot_fence(void);
int sheaf_boot_last_fence(void); /* at finalization: -1 without a word */
int sheaf_boot_get(int pe, const char *key, void **value, size_t *bytes);

#endif
