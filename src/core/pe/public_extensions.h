/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Types of Sheaf's own routines. The library includes this file; shmemx.h carries its text between
 * the two markers.
 */
#ifndef SHEAF_CORE_PE_PUBLIC_EXTENSIONS_H
#define SHEAF_CORE_PE_PUBLIC_EXTENSIONS_H

#include "core/pe/public.h"

/* begin public */
/* A nonblocking call that can be tested and waited for. A zeroed handle counts as complete. */
typedef struct sheaf_handle *shmemx_handle_t;
#define SHMEMX_HANDLE_COMPLETE ((shmemx_handle_t)0)

/* The PEs of this node: those whose memory the caller reaches by load and store. */
#ifdef __cplusplus
static const shmem_team_t SHMEMX_TEAM_NODE = SHMEM_TEAM_SHARED;
#define SHMEMX_TEAM_NODE SHMEMX_TEAM_NODE
#else
#define SHMEMX_TEAM_NODE SHMEM_TEAM_SHARED
#endif

/* The runtime whose memory an external heap is: Level Zero or CUDA. */
#define SHMEMX_EXTERNAL_HEAP_ZE   0
#define SHMEMX_EXTERNAL_HEAP_CUDA 1

/* An option of a context: its small operations across hosts are batched from its creation on, as in a
 * session with SHMEM_CTX_SESSION_BATCH that does not end. */
#define SHMEMX_CTX_BATCH 0x10000L

/* Dimensions of a strided transfer, with the contiguous one. */
#define SHMEMX_MAX_DIMS 7

/* The provider of an operation: none; the caller's processor, in mapped memory; the target's processor,
 * asked by a message; the network by itself; the network, from its 64-bit compare-and-swap. */
#define SHMEMX_PROVIDER_NONE      0
#define SHMEMX_PROVIDER_PROCESSOR 1
#define SHMEMX_PROVIDER_MESSAGE   2
#define SHMEMX_PROVIDER_NETWORK   3
#define SHMEMX_PROVIDER_BUILT     4

/* Kinds of names, which shmemx_tool_describe() returns. */
#define SHMEMX_TOOL_COUNTER  0
#define SHMEMX_TOOL_SETTING  1
#define SHMEMX_TOOL_WRITABLE 2

/* Numbers of operations. pending: all that the context has issued; completed: those of them that are
 * complete; target: writes of all PEs to this PE's memory. */
typedef struct {
    uint64_t pending_put;
    uint64_t pending_get;
    uint64_t completed_put;
    uint64_t completed_get;
    uint64_t target;
} shmemx_pcntr_t;

/* The identifier of a job: a text that ends with NUL, with the job's secret in it. */
typedef struct {
    char text[512];
} shmemx_uniqueid_t;

/* Memory beside the heap, of the members of a team. A zeroed handle stands for no space. */
typedef struct sheaf_space *shmemx_space_t;
#define SHMEMX_SPACE_INVALID ((shmemx_space_t)0)

/* For i below count: bytes from sources[i] to dests[i]. */
typedef struct {
    void *const *dests;
    const void *const *sources;
    size_t count;
    size_t bytes;
} shmemx_vector_t;
/* end public */

#endif
