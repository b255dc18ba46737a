/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Contexts made, destroyed and asked, and their PE numbers translated.
 */
#ifndef SHEAF_CORE_TEAM_CONTEXTS_H
#define SHEAF_CORE_TEAM_CONTEXTS_H

#include "core/access/context.h"
#include "core/team/team.h"

/* Not collective. 0, or nonzero and *context is SHMEM_CTX_INVALID. team may be NULL: fails. */
int sheaf_context_create(struct sheaf_team *team, long options, shmem_ctx_t *context);

/* Quiets it first. SHMEM_CTX_INVALID: does nothing. */
void sheaf_context_destroy(shmem_ctx_t context, const char *call);

/* Ends the program where it was destroyed, or the library is not up. */
void sheaf_context_require(shmem_ctx_t context, const char *call);

/* World PE of team-relative PE pe; ends the program by name when there is none. */
int sheaf_context_pe_slow(shmem_ctx_t context, int pe, const char *call);

static inline int sheaf_context_pe(shmem_ctx_t context, int pe, const char *call)
{
    if (sheaf_likely(context == SHMEM_CTX_DEFAULT))
        return pe;
    if (sheaf_likely(context != SHMEM_CTX_INVALID && (unsigned)pe < context->plain_pes))
        return pe;
    return sheaf_context_pe_slow(context, pe, call);
}

/* Destroys every context of a team that goes away. */
void sheaf_context_destroy_all(struct sheaf_team *team);

/* Quiet for operations on some PEs alone, numbers of the context's team. */
void sheaf_context_quiet_pes(shmem_ctx_t context, const int *pes, size_t count, const char *call);

#endif
