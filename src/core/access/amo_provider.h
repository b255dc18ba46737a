/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The provider of an object's atomic operations is the processors or the network. The processors change
 * objects of the node directly, and objects of other nodes by messages. The network, where it is the
 * provider, serves PEs of the own node too, since the two need not be coherent. Every object has one
 * provider. Where the network provides no object, the fast path of route.h does not come here. Where it
 * provides one, the fast path is closed for atomic operations, and they all come here.
 */
#ifndef SHEAF_CORE_ACCESS_AMO_PROVIDER_H
#define SHEAF_CORE_ACCESS_AMO_PROVIDER_H

#include "core/access/checked.h"

/* Sets what all PEs have agreed on (amo_agree.h): the operations that every PE's network has, the
 * operations that the program uses, and whether the network carries them out. */
void sheaf_amo_provider_set(sheaf_amo_set native, sheaf_amo_set uses, bool in_network);

/* The slow path of atomic operations; arguments and results as in checked.h. */
void sheaf_amo_provider_perform(const struct sheaf_amo_call *amo, int pe, shmem_ctx_t ctx,
                                const char *call);
uint64_t sheaf_amo_provider_fetch(const struct sheaf_amo_call *amo, int pe, shmem_ctx_t ctx,
                                  const char *call);
void sheaf_amo_provider_fetch_nbi(const struct sheaf_amo_call *amo, void *fetch, int pe,
                                  shmem_ctx_t ctx, const char *call);

/* The provider of the operation: SHMEMX_PROVIDER_*. object NULL stands for any object without a hint. */
int sheaf_amo_provider_of(shmem_ctx_t ctx, enum sheaf_amo operation, unsigned bytes,
                           const void *object, int pe);

#endif
