/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Who has decided that the job ends, and how: one claim per node, in its control area. Of several PEs that
 * claim at once the first of each node counts, and among nodes the lowest.
 */
#ifndef SHEAF_BOOT_END_EXIT_CLAIM_H
#define SHEAF_BOOT_END_EXIT_CLAIM_H

#include <stdbool.h>

/* Whether the caller is the first on this node to give a reason why the job ends; true without a
 * control area. */
bool sheaf_exit_claim_end(int status);

/* The same for a failure that somebody else must see to, sheaf_abort_job(): the launcher may be
 * killing this PE, so all leave with EXIT_FAILURE. */
bool sheaf_exit_claim_failure(void);

bool sheaf_exit_claim_is_made(void);

/* Called by the process in which this node comes to know that the job fails, here or elsewhere, before the
 * node's other PEs are told: once for each claim that counts here. */
void sheaf_exit_claim_set_heard(void (*heard)(bool is_here));

/* With a control area: the PE that has claimed, and SHEAF_EXIT_FAILED and a status. */
void sheaf_exit_claim_read(int *pe, int *how);

/* Another host's PE has claimed. */
void sheaf_exit_claim_adopt(int pe, int how);

/* Tells the other PEs of this node to leave; whether they have been told. */
void sheaf_exit_claim_announce(void);
bool sheaf_exit_claim_is_announced(void);

/* From now on whatever ends does so in order, this process too: nobody reports it. */
void sheaf_exit_claim_leave(void);
bool sheaf_exit_claim_is_leaving(void);

#endif
