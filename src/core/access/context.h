/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A context: a stream of operations, and the team whose numbers its PEs have. team/contexts.h makes
 * contexts.
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
    unsigned plain_pes;           /* PEs below this have the same number in the team and in the world;
                                     either all or none do */
    bool is_of_node;              /* of a team derived from SHMEM_TEAM_SHARED */
    long options;                 /* SHMEM_CTX_* */
    struct sheaf_session session;
    struct sheaf_counts counts;
    sheaf_engine_context *engine; /* stream of its operations on far PEs; NULL: the default context's */
    struct sheaf_context *next;   /* of the same team */
    struct sheaf_context *previous;
};

/* The stream of its operations on far PEs; NULL is the engine's default stream. */
static inline sheaf_engine_context *sheaf_context_stream(shmem_ctx_t ctx)
{
    return ctx == SHMEM_CTX_DEFAULT ? NULL : ctx->engine;
}

#endif
