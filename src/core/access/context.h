/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a context is: a stream of operations, and the team whose numbers its PEs are. team/contexts.h
 * makes them.
 */
#ifndef SHEAF_CORE_ACCESS_CONTEXT_H
#define SHEAF_CORE_ACCESS_CONTEXT_H

#include "core/access/counters.h"
#include "core/pe/public.h"
#include "core/access/session.h"
#include "engine/engine.h"

struct sheaf_team;

struct sheaf_context {
    struct sheaf_team *team;
    unsigned plain_pes;           /* its PEs below this have the same numbers in the world: all, or none */
    bool is_of_node;              /* of a team derived from SHMEM_TEAM_SHARED */
    long options;                 /* SHMEM_CTX_* */
    struct sheaf_session session;
    struct sheaf_counts counts;
    sheaf_engine_context *engine; /* its operations on far PEs; NULL: those of the default context */
    struct sheaf_context *next;   /* of the same team */
    struct sheaf_context *previous;
};

/* Where its operations on far PEs go: NULL is the engine's default stream. */
static inline sheaf_engine_context *sheaf_context_stream(shmem_ctx_t ctx)
{
    return ctx == SHMEM_CTX_DEFAULT ? NULL : ctx->engine;
}

#endif
