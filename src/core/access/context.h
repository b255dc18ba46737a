/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Contexts: a stream of operations, and the team whose numbers its PEs are.
 */
#ifndef SHEAF_CORE_ACCESS_CONTEXT_H
#define SHEAF_CORE_ACCESS_CONTEXT_H

#include "core/access/counters.h"
#include "core/pe/public.h"
#include "core/access/session.h"
#include "core/team/team.h"
#include "engine/engine.h"

struct sheaf_context {
    struct sheaf_team *team;
    long options;                 /* SHMEM_CTX_* */
    struct sheaf_session session;
    struct sheaf_counts counts;
    sheaf_engine_context *engine; /* its operations on far PEs; NULL: those of the default context */
    struct sheaf_context *next;   /* of the same team */
    struct sheaf_context *previous;
};

/* Not collective. 0, or nonzero and *context is SHMEM_CTX_INVALID. team may be NULL: fails. */
int sheaf_context_create(struct sheaf_team *team, long options, shmem_ctx_t *context);

/* Quiets it first. SHMEM_CTX_INVALID: does nothing. */
void sheaf_context_destroy(shmem_ctx_t context, const char *call);

/* 0 and the team's handle; nonzero and SHMEM_TEAM_INVALID for SHMEM_CTX_INVALID. */
int sheaf_context_team(shmem_ctx_t context, shmem_team_t *team);

/* World PE of team-relative PE pe; ends the program by name when there is none. */
int sheaf_context_pe_slow(shmem_ctx_t context, int pe, const char *call);

static inline int sheaf_context_pe(shmem_ctx_t context, int pe, const char *call)
{
    if (sheaf_likely(context == SHMEM_CTX_DEFAULT))
        return pe;
    return sheaf_context_pe_slow(context, pe, call);
}

/* Destroys every context of a team that goes away. */
void sheaf_context_destroy_all(struct sheaf_team *team);

#endif
