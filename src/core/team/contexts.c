/* SPDX-License-Identifier: BSD-3-Clause
 * See contexts.h.
 */
#include "core/team/contexts.h"

#include "base/log.h"
#include "core/access/chaos/chaos.h"
#include "core/access/copy/copier.h"
#include "core/pe/job.h"
#include "core/access/order.h"
#include "core/memory/check.h"
#include "core/access/route.h"

#include <pthread.h>
#include <stdlib.h>

/* Guards the teams' lists of contexts. */
static pthread_mutex_t lists_lock = PTHREAD_MUTEX_INITIALIZER;

/* The team of destroyed contexts. It has no PE, so every use of such a context fails the usual range
 * check. Destroyed contexts wait in the list spare_contexts to be created again. */
static struct sheaf_team destroyed_team;
static struct sheaf_context *spare_contexts;

static struct sheaf_context *take_spare_context(void)
{
    pthread_mutex_lock(&lists_lock);
    struct sheaf_context *context = spare_contexts;
    if (context)
        spare_contexts = context->next;
    pthread_mutex_unlock(&lists_lock);
    if (context)
        *context = (struct sheaf_context){.team = NULL};
    return context;
}

/* Whether several threads may use the context at once. */
static bool is_shared(long options)
{
    const long one_thread = SHMEM_CTX_PRIVATE | SHMEM_CTX_SERIALIZED;
    if (sheaf_chaos_is_on) /* chaos's thread uses it, too */
        return true;
    return sheaf_job.thread_level == SHMEM_THREAD_MULTIPLE && !(options & one_thread);
}

static void release_stream(struct sheaf_context *context)
{
    if (context->engine)
        sheaf_network->context_destroy(context->engine);
    context->engine = NULL;
}

/* Called with lists_lock held. */
static void retire_context(struct sheaf_context *context)
{
    context->team = &destroyed_team;
    context->plain_pes = 0;
    context->next = spare_contexts;
    spare_contexts = context;
}

/* The number of the team's PEs, from its first one on, that have the same number in the world. */
static unsigned plain_pes_of(const struct sheaf_team *team)
{
    bool is_plain = !team->table && team->start == 0 && (team->stride == 1 || team->size == 1);
    return is_plain ? (unsigned)team->size : 0;
}

int sheaf_context_create(struct sheaf_team *team, long options, shmem_ctx_t *context)
{
    struct sheaf_context *made = team ? take_spare_context() : NULL;
    if (team && !made)
        made = calloc(1, sizeof *made);
    *context = made;
    if (!made)
        return -1;
    made->team = team;
    made->plain_pes = plain_pes_of(team);
    made->is_of_node = team->node_domain;
    made->options = options;
    if (sheaf_network)
        made->engine = sheaf_network->context_create(is_shared(options));
    sheaf_session_open_for_life(made);
    pthread_mutex_lock(&lists_lock);
    made->next = team->contexts;
    if (made->next)
        made->next->previous = made;
    team->contexts = made;
    pthread_mutex_unlock(&lists_lock);
    return 0;
}

void sheaf_context_destroy(shmem_ctx_t context, const char *call)
{
    if (context == SHMEM_CTX_INVALID)
        return;
    sheaf_job_require(call);
    if (context == SHMEM_CTX_DEFAULT)
        sheaf_fatal("SH114 %s: the default context cannot be destroyed", call);
    if (context->team == &destroyed_team)
        sheaf_fatal("SH114 %s: the context has been destroyed already", call);
    sheaf_context_quiet(context);
    release_stream(context);
    pthread_mutex_lock(&lists_lock);
    if (context->previous)
        context->previous->next = context->next;
    else
        context->team->contexts = context->next;
    if (context->next)
        context->next->previous = context->previous;
    retire_context(context);
    pthread_mutex_unlock(&lists_lock);
}

void sheaf_context_destroy_all(struct sheaf_team *team)
{
    sheaf_quiet();
    pthread_mutex_lock(&lists_lock);
    while (team->contexts) {
        struct sheaf_context *next = team->contexts->next;
        if (sheaf_unlikely(sheaf_load_relaxed(&sheaf_order_waits)))
            sheaf_order_quiet(team->contexts);
        release_stream(team->contexts);
        retire_context(team->contexts);
        team->contexts = next;
    }
    pthread_mutex_unlock(&lists_lock);
}

void sheaf_context_require(shmem_ctx_t context, const char *call)
{
    sheaf_job_require(call);
    if (context != SHMEM_CTX_DEFAULT && context->team == &destroyed_team)
        sheaf_fatal("SH114 %s: the context has been destroyed", call);
}

int sheaf_context_pe_slow(shmem_ctx_t context, int pe, const char *call)
{
    sheaf_job_require(call);
    if (sheaf_unlikely(context == SHMEM_CTX_INVALID))
        sheaf_fatal("SH114 %s: the context is SHMEM_CTX_INVALID: create one with shmem_ctx_create or use "
                    "SHMEM_CTX_DEFAULT", call);
    const struct sheaf_team *team = context->team;
    if (sheaf_unlikely(pe < 0 || pe >= team->size)) {
        if (team == &destroyed_team)
            sheaf_fatal("SH114 %s: the context has been destroyed", call);
        sheaf_fatal("SH101 %s: PE %d is out of range: the context's team has PEs 0 to %d", call, pe,
                    team->size - 1);
    }
    return sheaf_team_world_pe(team, pe);
}

void sheaf_context_quiet_pes(shmem_ctx_t context, const int *pes, size_t count, const char *call)
{
    if (sheaf_unlikely(!pes))
        sheaf_fatal("SH108 %s: target_pes is a null pointer, and npes is %zu", call, count);
    sheaf_check_bytes(count, sizeof *pes, call);
    if (count > 0 && sheaf_copier_is_on())
        sheaf_copier_drain();
    sheaf_fence_full();
    for (size_t i = 0; i < count; i++) {
        int pe = sheaf_context_pe(context, pes[i], call);
        bool is_near = sheaf_route_is_on_node(pe, call);
        if (sheaf_chaos_is_on)
            sheaf_chaos_quiet(context, pe);
        if (sheaf_network && (!is_near || sheaf_far_reaches_near))
            sheaf_far_quiet_pe(context, pe);
    }
}
