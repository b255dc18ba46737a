/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The engine's table: the protocol over one transport. A process has one such engine at a time.
 */
#ifndef SHEAF_ENGINE_MESSAGE_ENGINE_H
#define SHEAF_ENGINE_MESSAGE_ENGINE_H

#include "engine/message/message.h"
#include "engine/message/serve/serve.h"

/* engine.c: the entries of the table that concern starts, stops and descriptions. */
int sheaf_msg_start(const struct sheaf_transport *transport, const struct sheaf_engine_job *job);
sheaf_amo_set sheaf_msg_native_atomics(const struct sheaf_transport *transport, char *why, size_t size);
bool sheaf_msg_describe(const struct sheaf_transport *transport, FILE *out);
void sheaf_msg_address(const void **address, size_t *length);
void sheaf_msg_stop(void);

/* Defines sheaf_engine_NAME over sheaf_transport_NAME. */
#define SHEAF_ENGINE_OVER(transport)                                                                       \
    static int transport##_start(const struct sheaf_engine_job *job)                                       \
    {                                                                                                      \
        return sheaf_msg_start(&sheaf_transport_##transport, job);                                         \
    }                                                                                                      \
    static sheaf_amo_set transport##_native_atomics(char *why, size_t size)                                \
    {                                                                                                      \
        return sheaf_msg_native_atomics(&sheaf_transport_##transport, why, size);                          \
    }                                                                                                      \
    static bool transport##_is_installed(void)                                                             \
    {                                                                                                      \
        return sheaf_transport_##transport.is_installed();                                                 \
    }                                                                                                      \
    static bool transport##_drives_fabric(void)                                                            \
    {                                                                                                      \
        return sheaf_transport_##transport.drives_fabric && sheaf_transport_##transport.drives_fabric();   \
    }                                                                                                      \
    static bool transport##_describe(FILE *out)                                                            \
    {                                                                                                      \
        return sheaf_msg_describe(&sheaf_transport_##transport, out);                                      \
    }                                                                                                      \
    const struct sheaf_engine sheaf_engine_##transport = {                                                 \
        .name = #transport,                                                                                \
        .start = transport##_start,                                                                        \
        .address = sheaf_msg_address,                                                                      \
        .stop = sheaf_msg_stop,                                                                            \
        .heap_grown = sheaf_msg_heap_grown,                                                                \
        .grows_together = sheaf_msg_grows_together,                                                        \
        .offer_space = sheaf_msg_offer_space,                                                              \
        .withdraw_space = sheaf_msg_withdraw_space,                                                        \
        .context_create = sheaf_msg_context_create,                                                        \
        .context_destroy = sheaf_msg_context_destroy,                                                      \
        .batch = sheaf_msg_batch,                                                                          \
        .put = sheaf_msg_put,                                                                              \
        .get = sheaf_msg_get,                                                                              \
        .put_rows = sheaf_msg_put_rows,                                                                    \
        .get_rows = sheaf_msg_get_rows,                                                                    \
        .put_signal = sheaf_msg_put_signal,                                                                \
        .amo = sheaf_msg_amo,                                                                              \
        .native_atomics = transport##_native_atomics,                                                      \
        .fence = sheaf_msg_fence,                                                                          \
        .quiet = sheaf_msg_quiet,                                                                          \
        .busy_with = sheaf_msg_busy_with,                                                                  \
        .send = sheaf_msg_send,                                                                            \
        .receive = sheaf_msg_receive,                                                                      \
        .carried_out = sheaf_msg_carried_out,                                                              \
        .forget_dead = sheaf_msg_forget_dead,                                                              \
        .renew = sheaf_msg_renew,                                                                          \
        .reach = sheaf_msg_reach,                                                                          \
        .devices = sheaf_msg_devices,                                                                      \
        .segments = sheaf_msg_segments,                                                                    \
        .take_failed = sheaf_msg_take_failed,                                                              \
        .abandon = sheaf_msg_abandon,                                                                      \
        .count_messages = sheaf_msg_count_messages,                                                        \
        .work = sheaf_msg_work,                                                                            \
        .progress = sheaf_msg_progress,                                                                    \
        .needs_turns = sheaf_msg_needs_turns,                                                              \
        .sleep = sheaf_msg_sleep,                                                                          \
        .is_installed = transport##_is_installed,                                                          \
        .drives_fabric = transport##_drives_fabric,                                                        \
        .describe = transport##_describe,                                                                  \
    }

#endif
