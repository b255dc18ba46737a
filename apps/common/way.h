/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The three ways in which an application makes its many small operations, one after the other on the
 * default context, nonblocking ones on a context of its own, or those in a session, to compare.
 */
#ifndef WAY_H
#define WAY_H

#include "openshmem.h"

enum way { WAY_PLAIN, WAY_NBI, WAY_SESSION };

/* A line of the table of options; way is an int. */
#define WAY_OPTION(way) \
    {"--way", APP_CHOICE, way, "of small operations", 0, 0, "plain|nbi|session"}

/* The context for what follows. Where the library has no more contexts that is the default one, and where
 * it has no sessions WAY_SESSION is WAY_NBI. */
shmem_ctx_t way_open(int way);

/* Completes what was issued on it. */
void way_close(int way, shmem_ctx_t ctx);

#endif
