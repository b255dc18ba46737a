/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Extensions of ARMCI that ARMCI-MPI has: groups by colour, and mutexes in sets. Names as in
 * armci.h.
 */
#ifndef SHEAF_ARMCIX_H
#define SHEAF_ARMCIX_H

#include <armci.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Processes of one colour are a group, in the order of key, then of their ranks. Collective over
 * parent. */
int ARMCIX_Group_split(ARMCI_Group *parent, int color, int key, ARMCI_Group *group);
int ARMCIX_Group_dup(ARMCI_Group *parent, ARMCI_Group *group);

/* A set of mutexes, count of them on the calling process. Creation and end are collective over
 * group. proc is a number of the world. Trylock returns 0 when the caller holds the mutex then,
 * else 1. */
typedef struct armcix_mutex_hdl_s *armcix_mutex_hdl_t;
armcix_mutex_hdl_t ARMCIX_Create_mutexes_hdl(int count, ARMCI_Group *group);
int ARMCIX_Destroy_mutexes_hdl(armcix_mutex_hdl_t mutexes);
void ARMCIX_Lock_hdl(armcix_mutex_hdl_t mutexes, int mutex, int proc);
int ARMCIX_Trylock_hdl(armcix_mutex_hdl_t mutexes, int mutex, int proc);
void ARMCIX_Unlock_hdl(armcix_mutex_hdl_t mutexes, int mutex, int proc);

#ifdef __cplusplus
}
#endif

#endif
