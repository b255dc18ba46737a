/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sessions: a program's hints about a context's next operations. The engine makes the batches (its
 * batch_begin); this file knows which contexts have one open. On a node there is nothing to batch.
 */
#ifndef SHEAF_CORE_ACCESS_SESSION_H
#define SHEAF_CORE_ACCESS_SESSION_H

#include "core/pe/public.h"

#include <stdbool.h>
#include <stddef.h>

struct sheaf_session {
    bool is_open;
    bool is_for_life; /* the context's options ask for a batch, which the end of a session does not end */
    long options;     /* SHMEM_CTX_SESSION_*, while the session is open */
    size_t total_ops; /* SIZE_MAX where the program does not say */
};

struct sheaf_context;

/* The public routines' work. call is the public name, for messages. */
void sheaf_session_start(shmem_ctx_t ctx, long options, const shmem_ctx_session_config_t *config,
                         long mask, const char *call);
void sheaf_session_stop(shmem_ctx_t ctx);

/* Called for a new context. */
void sheaf_session_open_for_life(struct sheaf_context *context);

/* Ends the default context's session, when the job ends. */
void sheaf_session_forget(void);

#endif
