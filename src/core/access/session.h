/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sessions: what a program says comes next on a context. A batch is the engine's matter (its
 * batch_begin); here is which contexts are in one. On a node there is nothing to gather.
 */
#ifndef SHEAF_CORE_ACCESS_SESSION_H
#define SHEAF_CORE_ACCESS_SESSION_H

#include "core/pe/public.h"

#include <stdbool.h>
#include <stddef.h>

struct sheaf_session {
    bool is_open;
    bool is_for_life; /* the context's options ask for a batch: a stop does not end that */
    long options;     /* SHMEM_CTX_SESSION_*, while it is open */
    size_t total_ops; /* SIZE_MAX where the program does not say */
};

struct sheaf_context;

/* As the public routines. call is the public name, for messages. */
void sheaf_session_start(shmem_ctx_t ctx, long options, const shmem_ctx_session_config_t *config,
                         long mask, const char *call);
void sheaf_session_stop(shmem_ctx_t ctx);

/* For a context that is new. */
void sheaf_session_open_for_life(struct sheaf_context *context);

/* The default context's, when the job ends. */
void sheaf_session_forget(void);

#endif
