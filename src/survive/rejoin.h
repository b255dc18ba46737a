/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A new process in a dead one's place: it is asked for, and the others rejoin with it. Its symmetric heap
 * is the dead one's as that left it; its variables begin as the program's.
 */
#ifndef SHEAF_SURVIVE_REJOIN_H
#define SHEAF_SURVIVE_REJOIN_H

#include <stdbool.h>

/* Asks the launcher for a process in the place of pe, which is dead. 0; -1 where none is in reserve, and
 * where pe is not dead or somebody has asked already. */
int sheaf_respawn(int pe);

/* Whether this process was. */
bool sheaf_is_respawned(void);

/* Collective over all PEs, the respawned ones too: the predefined teams are whole again. 0; else, alike on
 * all, how many have died meanwhile; -1 where somebody is dead for whom nobody has asked: nothing has
 * changed then. */
int sheaf_rejoin(void);

#endif
