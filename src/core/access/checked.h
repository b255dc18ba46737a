/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The slow path, for all calls that the fast path (route.h) does not serve. These are calls for PEs of
 * other nodes, which the engine reaches. Where the route is closed these are all calls: calls before
 * initialization, PE numbers out of range, checks of arguments (SHEAF_CHECK=args), near PEs of a node
 * whose PEs are not consecutive, and reads that are counted (poll.h). Each function first checks, then
 * performs the operation in memory or through the engine. PEs are world numbers, and call is the public
 * name, for messages. Both come after the routine's own arguments, which keep their order, so that the
 * fast path need not move its registers for them.
 */
#ifndef SHEAF_CORE_ACCESS_CHECKED_H
#define SHEAF_CORE_ACCESS_CHECKED_H

#include "core/access/far.h"
#include "core/pe/public.h"
#include "core/pe/wait.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void sheaf_checked_put(void *dest, const void *source, size_t bytes, int pe, shmem_ctx_t ctx,
                       const char *call);
void sheaf_checked_put_nbi(void *dest, const void *source, size_t bytes, int pe, shmem_ctx_t ctx,
                           const char *call);
void sheaf_checked_get(void *dest, const void *source, size_t bytes, int pe, shmem_ctx_t ctx,
                       const char *call);
void sheaf_checked_get_nbi(void *dest, const void *source, size_t bytes, int pe, shmem_ctx_t ctx,
                           const char *call);
/* The same for elements whose type needs an alignment of this many bytes, which SHEAF_CHECK=args
 * checks. Each alignment has a function, since one more argument would cost the fast path a register. */
#define SHEAF_CHECKED_ELEMENTS(X)                                                                  \
    X(put, 2) X(put, 4) X(put, 8) X(put, 16)                                                       \
    X(put_nbi, 2) X(put_nbi, 4) X(put_nbi, 8) X(put_nbi, 16)                                       \
    X(get, 2) X(get, 4) X(get, 8) X(get, 16)                                                       \
    X(get_nbi, 2) X(get_nbi, 4) X(get_nbi, 8) X(get_nbi, 16)
#define SHEAF_CHECKED_DECLARE(way, alignment)                                                      \
    void sheaf_checked_##way##_##alignment(void *dest, const void *source, size_t bytes, int pe,   \
                                           shmem_ctx_t ctx, const char *call);
SHEAF_CHECKED_ELEMENTS(SHEAF_CHECKED_DECLARE)

#define SHEAF_CHECKED_OF(way, TYPE)                                                                \
    (_Alignof(TYPE) == 16  ? sheaf_checked_##way##_16                                              \
     : _Alignof(TYPE) == 8 ? sheaf_checked_##way##_8                                               \
     : _Alignof(TYPE) == 4 ? sheaf_checked_##way##_4                                               \
     : _Alignof(TYPE) == 2 ? sheaf_checked_##way##_2                                               \
                           : sheaf_checked_##way)

void sheaf_checked_put_blocks(void *dest, const void *source, const struct sheaf_blocks *blocks,
                              int pe, shmem_ctx_t ctx, const char *call);
void sheaf_checked_get_blocks(void *dest, const void *source, const struct sheaf_blocks *blocks,
                              int pe, shmem_ctx_t ctx, const char *call);
void sheaf_checked_put_signal(void *dest, const void *source, size_t bytes,
                              const struct sheaf_signal_call *signal, bool nbi, int pe,
                              shmem_ctx_t ctx, const char *call);

/* amo_fetch returns the object's former value, in the low bytes. The nbi form stores that value,
 * amo->bytes long, in *fetch. */
void sheaf_checked_amo(const struct sheaf_amo_call *amo, int pe, shmem_ctx_t ctx, const char *call);
uint64_t sheaf_checked_amo_fetch(const struct sheaf_amo_call *amo, int pe, shmem_ctx_t ctx,
                                 const char *call);
void sheaf_checked_amo_fetch_nbi(const struct sheaf_amo_call *amo, void *fetch, int pe,
                                 shmem_ctx_t ctx, const char *call);

#endif
