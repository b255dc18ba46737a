/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A transport that carries nothing: what is sent has left at once, and nothing arrives but what the test hands
 * over. The engine over it is started as over any other, with no thread.
 */
#ifndef SHEAF_TEST_ENGINE_NOTHING_H
#define SHEAF_TEST_ENGINE_NOTHING_H

#include "engine/message/stream/operation.h"

#include "require.h"

/* To be set before the start. */
extern struct nothing {
    size_t longest; /* as in struct sheaf_transport_abilities */
    void (*sending)(const struct sheaf_msg_operation *, const struct sheaf_transport_message *); /* or NULL */
} nothing;

/* Its service worker. Key, memory and failures of the job are the caller's; each peer has this PE's address. */
struct sheaf_msg_worker *nothing_start(struct sheaf_engine_job job);

#define REQUIRE(condition, ...) REQUIRE_OF(-1, condition, __VA_ARGS__)

#endif
