/* SPDX-License-Identifier: BSD-3-Clause
 * See session.h.
 */
#include "core/access/session.h"

#include "base/log.h"
#include "base/os/os.h"
#include "core/access/context.h"
#include "core/access/checked.h"
#include "core/pe/job.h"
#include "core/pe/public_extensions.h"

#include <pthread.h>
#include <stdint.h>

/* Sessions start and stop rarely, and a shareable context may see several of these calls at once. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct sheaf_session of_default;

static struct sheaf_session *session_of(shmem_ctx_t ctx)
{
    return ctx == SHMEM_CTX_DEFAULT ? &of_default : &ctx->session;
}

/* Sets *stream to the stream that batches the context's operations on far PEs. Returns false where
 * there is none: the engine has connections for some contexts only, and the others use the default
 * context's. */
static bool has_stream(shmem_ctx_t ctx, sheaf_engine_context **stream)
{
    if (!sheaf_network)
        return false;
    *stream = sheaf_context_stream(ctx);
    if (ctx == SHMEM_CTX_DEFAULT || ctx->engine)
        return true;
    sheaf_debug("this context shares the default context's connections, as those do that are created when "
                "many exist: its operations are not batched");
    return false;
}

static void begin_batch(shmem_ctx_t ctx, size_t total_ops)
{
    sheaf_engine_context *stream;
    if (has_stream(ctx, &stream))
        sheaf_network->batch(stream, total_ops ? total_ops : 1);
}

/* A hint without effect does no harm: a debug line tells the program. */
static void report_unknown_bits(long options, const shmem_ctx_session_config_t *config, long mask,
                                const char *call)
{
    if (options & ~SHMEM_CTX_SESSION_BATCH)
        sheaf_debug("%s: options 0x%lx has bits that are none of SHMEM_CTX_SESSION_*: they have no effect",
                    call, (unsigned long)options);
    if (mask & ~SHMEM_CTX_SESSION_TOTAL_OPS)
        sheaf_debug("%s: config_mask 0x%lx has bits that name no field of "
                    "shmem_ctx_session_config_t: they have no effect", call, (unsigned long)mask);
    if (mask && !config)
        sheaf_debug("%s: config_mask is 0x%lx and config is a null pointer: the defaults are used", call,
                    (unsigned long)mask);
}

void sheaf_session_start(shmem_ctx_t ctx, long options, const shmem_ctx_session_config_t *config,
                         long mask, const char *call)
{
    if (ctx == SHMEM_CTX_INVALID)
        return;
    report_unknown_bits(options, config, mask, call);
    pthread_mutex_lock(&lock);
    struct sheaf_session *session = session_of(ctx);
    if (!session->is_open)
        *session = (struct sheaf_session){.is_for_life = session->is_for_life, .total_ops = SIZE_MAX};
    session->is_open = true;
    session->options |= options & SHMEM_CTX_SESSION_BATCH;
    if (config && mask & SHMEM_CTX_SESSION_TOTAL_OPS)
        session->total_ops = config->total_ops;
    if (session->options & SHMEM_CTX_SESSION_BATCH && !session->is_for_life)
        begin_batch(ctx, session->total_ops);
    pthread_mutex_unlock(&lock);
}

static void stop_session(shmem_ctx_t ctx, struct sheaf_session *session)
{
    SHEAF_KEEP_ERRNO;
    sheaf_engine_context *stream;
    bool is_batching = session->is_open && session->options & SHMEM_CTX_SESSION_BATCH;
    session->is_open = false;
    if (is_batching && !session->is_for_life && has_stream(ctx, &stream))
        sheaf_network->batch(stream, 0);
}

void sheaf_session_stop(shmem_ctx_t ctx)
{
    if (ctx == SHMEM_CTX_INVALID)
        return;
    pthread_mutex_lock(&lock);
    stop_session(ctx, session_of(ctx));
    pthread_mutex_unlock(&lock);
}

void sheaf_session_open_for_life(struct sheaf_context *context)
{
    context->session.is_for_life = (context->options & SHMEMX_CTX_BATCH) != 0;
    if (context->session.is_for_life)
        begin_batch(context, SIZE_MAX);
}

void sheaf_session_forget(void)
{
    of_default = (struct sheaf_session){.is_open = false};
}
