/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the tables of one host and of several have in common: calls that the living PEs make together
 * without the dead. See interface/survival.h.
 */
#ifndef SHEAF_SURVIVE_LIVING_H
#define SHEAF_SURVIVE_LIVING_H

#include "survive/interface/survival.h"

void sheaf_living_enter(void);
void sheaf_living_barrier(void);
bool sheaf_living_any_refuses(bool refuses);
void sheaf_living_enter_team(struct sheaf_team *team);
bool sheaf_living_sync_last(void);

#endif
