/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How a PE rouses the watching thread of another PE of its node: a pipe, whose writing end the other
 * opens under /proc as it opens the PE's memory. A ring carries nothing: what there is to know stands
 * in the control area.
 */
#ifndef SHEAF_BOOT_END_BELL_H
#define SHEAF_BOOT_END_BELL_H

#include "image/control.h"

#include <stdbool.h>

/* Makes this process's own and writes down in its entry where it is. The descriptor to poll; -1 and
 * errno. */
int sheaf_bell_hang(struct sheaf_pe *mine);

/* Whether this process has one: its thread hears what others do. */
bool sheaf_bell_is_hung(void);

/* After a poll: takes in all rings so far. */
void sheaf_bell_hush(int fd);

/* Rouses this process's own thread, and that of another; without effect where there is none. */
void sheaf_bell_ring_own(void);
void sheaf_bell_ring(const struct sheaf_pe *other);

#endif
