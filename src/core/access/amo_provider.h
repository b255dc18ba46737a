/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The provider of an object's atomic operations: the processors (on the node directly, of other nodes by
 * messages), or the network, for PEs of the own node too, since the two need not be coherent. Every
 * object has one provider. Where no object is the network's the fast path of route.h knows nothing of
 * this. Where one is, that path is closed for atomic operations, and they come here.
 */
#ifndef SHEAF_CORE_ACCESS_AMO_PROVIDER_H
#define SHEAF_CORE_ACCESS_AMO_PROVIDER_H

#include "core/access/checked.h"

/* What all PEs have agreed on (amo_agree.h): the operations that every PE's network has, those that the
 * program uses, and whether the network carries them out. */
void sheaf_amo_provider_set(sheaf_amo_set native, sheaf_amo_set uses, bool in_network);

/* Atomic operations that the fast path leaves over; as checked.h has it. */
void sheaf_amo_provider_perform(const struct sheaf_amo_call *amo, int pe, shmem_ctx_t ctx,
                                const char *call);
uint64_t sheaf_amo_provider_fetch(const struct sheaf_amo_call *amo, int pe, shmem_ctx_t ctx,
                                  const char *call);
void sheaf_amo_provider_fetch_nbi(const struct sheaf_amo_call *amo, void *fetch, int pe,
                                  shmem_ctx_t ctx, const char *call);

/* The provider of the operation: SHMEMX_ATOMIC_*. object may be NULL: any that was not hinted. */
int sheaf_amo_provider_of(shmem_ctx_t ctx, enum sheaf_amo operation, unsigned bytes,
                           const void *object, int pe);

#endif
