/* SPDX-License-Identifier: BSD-3-Clause
 *
 * All PEs agree on the provider of atomic operations, the processors or the network. access/amo_provider.h
 * then performs them.
 */
#ifndef SHEAF_CORE_AMO_AGREE_H
#define SHEAF_CORE_AMO_AGREE_H

#include "base/settings/amo.h"

#include <stdbool.h>

/* What the engine is asked for at its start: enum sheaf_atomics, never SHEAF_ATOMICS_AUTO. */
int sheaf_amo_agree_wish(void);

/* Collective, once teams and memory are up and the routes open. */
int sheaf_amo_agree_init(void);

/* Collective, before a hinted block is allocated: whether it is to lie among the blocks whose atomic
 * operations are the network's, or may be. */
bool sheaf_amo_agree_on_hints(void);

/* Collective, with the block: with SHEAF_ATOMICS=auto the first one decides, by measurements in its first
 * word, which stays as it is. Whether such blocks' operations are the network's. */
bool sheaf_amo_agree_on_block(void *block);

/* By all members, before a memory space whose atomic operations are to be the network's; collective if
 * they are all PEs (is_of_all). NULL: they will be; else the reason in words, the same on all. */
const char *sheaf_amo_agree_on_space(bool is_of_all);

/* Collective: the program declares that it uses these operations and no others from here on. Returns
 * whether the network then provides the atomic operations of objects that are meant for it. */
bool sheaf_amo_agree_declare(sheaf_amo_set uses);

#endif
