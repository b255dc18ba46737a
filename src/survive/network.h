/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The network where PEs of other hosts may die. See interface/survival.h for the first three.
 */
#ifndef SHEAF_SURVIVE_NETWORK_H
#define SHEAF_SURVIVE_NETWORK_H

#include "survive/interface/survival.h"

int sheaf_survive_prepare_engine(const struct sheaf_engine *engine, struct sheaf_engine_job *job);
void sheaf_survive_connect_engine(void);
void sheaf_survive_heed_far(struct sheaf_far_call *far);

/* Connects with the processes in dead ones' places, once all have said where they are reached. */
void sheaf_survive_renew_engine(void);

#endif
