/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rejoin.h's calls in a job of several nodes, where the replicated log (boot/replicated_log) says who is
 * granted a new process, and where all rejoin.
 */
#ifndef SHEAF_SURVIVE_REJOIN_FAR_H
#define SHEAF_SURVIVE_REJOIN_FAR_H

int sheaf_respawn_far(int pe);
int sheaf_rejoin_far(void);

#endif
