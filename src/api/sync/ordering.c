/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory ordering: fence and quiet, for the default context and for others.
 */
#include "api/define.h"

SHEAF_CHAPTER("Memory ordering")

/* Puts, atomic operations and stores made before it reach each PE before those made after it.
 * Specification 1.6: shmem_fence */
SHEAF_ROUTINE(void, shmem_fence, (void), {
    sheaf_fence_by(call, SHMEM_CTX_DEFAULT);
})

/* The same for the operations of ctx. SHMEM_CTX_INVALID does nothing.
 * Specification 1.6: shmem_fence */
SHEAF_ROUTINE(void, shmem_ctx_fence, (shmem_ctx_t ctx), {
    if (ctx != SHMEM_CTX_INVALID) {
        sheaf_context_require(ctx, call);
        sheaf_fence_by(call, ctx);
    }
})

/* Completes all operations of the default context: what was put is visible to all PEs, what was
 * got or fetched without blocking is there.
 * Specification 1.6: shmem_quiet */
SHEAF_ROUTINE(void, shmem_quiet, (void), {
    sheaf_quiet_by(call, SHMEM_CTX_DEFAULT);
})

/* The same for the operations of ctx. SHMEM_CTX_INVALID does nothing.
 * Specification 1.6: shmem_quiet */
SHEAF_ROUTINE(void, shmem_ctx_quiet, (shmem_ctx_t ctx), {
    if (ctx != SHMEM_CTX_INVALID) {
        sheaf_context_require(ctx, call);
        sheaf_quiet_by(call, ctx);
    }
})

/* As shmem_quiet, for operations on the npes PEs in target_pes alone. With npes 0 it returns at
 * once and ignores the pointer.
 * Specification 1.6: shmem_pe_quiet */
SHEAF_ROUTINE_1_6(void, pe_quiet, (const int *target_pes, size_t npes), {
    sheaf_job_require(call);
    SHEAF_CALL(call);
    if (npes != 0)
        sheaf_context_quiet_pes(SHMEM_CTX_DEFAULT, target_pes, npes, call);
})

/* The same for the operations of ctx, in whose team the PEs count. SHMEM_CTX_INVALID does
 * nothing. Specification 1.6: shmem_pe_quiet */
SHEAF_ROUTINE_1_6(void, ctx_pe_quiet, (shmem_ctx_t ctx, const int *target_pes, size_t npes), {
    sheaf_job_require(call);
    SHEAF_CALL(call);
    if (npes != 0 && ctx != SHMEM_CTX_INVALID)
        sheaf_context_quiet_pes(ctx, target_pes, npes, call);
})
