/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What these programs share: the ways of making and completing a call, and contexts to make it on.
 */
#ifndef TEST_NONCONTIGUOUS_H
#define TEST_NONCONTIGUOUS_H

#include "check.h"

#include <shmemx.h>

#include <string.h>

/* How a call is made, and what completes it. */
enum way { BLOCKING, QUIET, WAITED, TESTED, WAYS };

/* A context, and who its PE 0, 1, ... are in the world. */
struct stream {
    shmem_ctx_t ctx;
    int has_ctx; /* else calls are made without a context */
    int size;
    int reversed; /* its team is the world backwards */
};
enum { STREAMS = 4 };

static struct stream streams[STREAMS];
static shmem_team_t backwards;

/* Collective. */
static inline void open_streams(void)
{
    int npes = shmem_n_pes();
    streams[0] = (struct stream){SHMEM_CTX_DEFAULT, 0, npes, 0};
    streams[1] = (struct stream){SHMEM_CTX_DEFAULT, 1, npes, 0};
    streams[2] = (struct stream){.has_ctx = 1, .size = npes};
    CHECK_EQ(shmem_ctx_create(0, &streams[2].ctx), 0);
    CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, npes - 1, -1, npes, NULL, 0, &backwards), 0);
    streams[3] = (struct stream){.has_ctx = 1, .size = npes, .reversed = 1};
    CHECK_EQ(shmem_team_create_ctx(backwards, SHMEM_CTX_PRIVATE, &streams[3].ctx), 0);
}

static inline void close_streams(void)
{
    shmem_ctx_destroy(streams[2].ctx);
    shmem_ctx_destroy(streams[3].ctx);
    shmem_team_destroy(backwards);
}

/* The stream's number of a PE of the world. */
static inline int pe_in(const struct stream *stream, int pe)
{
    return stream->reversed ? stream->size - 1 - pe : pe;
}

/* What a nonblocking call is given, and how it ends. */
static inline shmemx_handle_t *handle_for(enum way way, shmemx_handle_t *handle)
{
    return way == QUIET ? NULL : handle;
}

static inline void complete(const struct stream *stream, enum way way, shmemx_handle_t *handle)
{
    if (way == WAITED)
        shmemx_wait(handle);
    else if (way == TESTED)
        while (!shmemx_test(handle))
            continue;
    else
        shmem_ctx_quiet(stream->ctx);
    if (way == WAITED || way == TESTED)
        CHECK(*handle == SHMEMX_HANDLE_COMPLETE && shmemx_test(handle) == 1);
}

/* With or without a context, blocking or not. */
#define CALL(NAME, stream, way, handle, pe, ...)                                                   \
    do {                                                                                           \
        int pe_ = pe_in((stream), (pe));                                                           \
        if ((way) == BLOCKING && (stream)->has_ctx)                                                \
            shmemx_ctx_##NAME((stream)->ctx, __VA_ARGS__, pe_);                                    \
        else if ((way) == BLOCKING)                                                                \
            shmemx_##NAME(__VA_ARGS__, pe_);                                                       \
        else if ((stream)->has_ctx)                                                                \
            shmemx_ctx_##NAME##_nb((stream)->ctx, __VA_ARGS__, pe_, handle_for((way), (handle)));  \
        else                                                                                       \
            shmemx_##NAME##_nb(__VA_ARGS__, pe_, handle_for((way), (handle)));                     \
    } while (0)

#endif
