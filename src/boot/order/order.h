/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where deaths are reported in a job of several nodes: this node's keeper (keeper.h), as its PEs see
 * it. Calls by boot/start.c and, for votes, by core.
 */
#ifndef SHEAF_BOOT_ORDER_ORDER_H
#define SHEAF_BOOT_ORDER_ORDER_H

#include "boot/order/locks.h"
#include "boot/order/votes.h"

#define SHEAF_ORDER_MOST 4096 /* bytes of a vote at most */

/* Whether this job has keepers. */
bool sheaf_order_is_kept(void);

/* Collective, once, with the control area there: the lowest PE of each node starts the keeper. 0, or
 * -1 with the reason printed. */
int sheaf_order_start(void);

/* At the first initialization, before a fence of all PEs and after it: keepers learn of each other,
 * and the caller returns when all are connected. 0, or -1 with the reason printed. */
int sheaf_order_publish(void);
int sheaf_order_meet(void);

/* Hands a vote, or a call about a lock, to the keeper; where the answer will lie is its own matter.
 * From any thread. */
void sheaf_order_vote(const struct sheaf_vote *vote);
void sheaf_order_lock(const struct sheaf_lock_call *call);

#endif
