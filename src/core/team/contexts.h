/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Contexts: creation, destruction, and the translation of PE numbers.
 */
#ifndef SHEAF_CORE_TEAM_CONTEXTS_H
#define SHEAF_CORE_TEAM_CONTEXTS_H

#include "core/access/context.h"
#include "core/team/team.h"

/* Not collective. Returns 0, or nonzero with *context SHMEM_CTX_INVALID. team may be NULL: then it
 * fails. */
int sheaf_context_create(struct sheaf_team *team, long options, shmem_ctx_t *context);

/* Completes the context's operations first. Does nothing for SHMEM_CTX_INVALID. */
void sheaf_context_destroy(shmem_ctx_t context, const char *call);

/* Ends the program where the context was destroyed or the library is not up. */
void sheaf_context_require(shmem_ctx_t context, const char *call);

/* Returns the world number of the team's PE pe. Ends the program, naming the call, when there is no
 * such PE. */
int sheaf_context_pe_slow(shmem_ctx_t context, int pe, const char *call);

static inline int sheaf_context_pe(shmem_ctx_t context, int pe, const char *call)
{
    if (sheaf_likely(context == SHMEM_CTX_DEFAULT))
        return pe;
    if (sheaf_likely(context != SHMEM_CTX_INVALID && (unsigned)pe < context->plain_pes))
        return pe;
    return sheaf_context_pe_slow(context, pe, call);
}

/* Destroys every context of a team that is being destroyed. */
void sheaf_context_destroy_all(struct sheaf_team *team);

/* Quiet for the operations on these PEs only, numbers of the context's team. */
void sheaf_context_quiet_pes(shmem_ctx_t context, const int *pes, size_t count, const char *call);

#endif
