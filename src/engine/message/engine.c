/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Starts and stops the engine.
 */
#include "engine/message/engine.h"

#include "base/atomic.h"
#include "base/log.h"
#include "base/pace/processor.h"
#include "engine/message/direct/lanes.h"
#include "engine/message/serve/serve.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static struct sheaf_msg_blob *blob;

static const struct sheaf_transport_user user = {
    .job = &sheaf_msg_state.job,
    .arrived = sheaf_msg_arrived,
    .destination = sheaf_msg_destination,
    .sent = sheaf_msg_sent,
    .fetched = sheaf_msg_fetched,
    .done = sheaf_msg_done,
    .flushed = sheaf_msg_flushed,
    .lost = sheaf_msg_lost,
    .host_died = sheaf_msg_host_died,
    .refused = sheaf_msg_drop_stranger,
    .paused = sheaf_msg_warn_paused,
};

/* Returns NULL, or the reason. */
static const char *make_blob(void)
{
    void *address;
    size_t length;
    const char *why;
    if (sheaf_msg_state.transport->address(sheaf_msg_state.service->port, &address, &length, &why) != 0)
        return why;
    blob = calloc(1, sizeof *blob + length);
    if (blob) {
        *blob = (struct sheaf_msg_blob){.magic = SHEAF_MSG_MAGIC,
                                        .version = SHEAF_MSG_WIRE_VERSION,
                                        .length = length,
                                        .has_keys = sheaf_msg_state.has_keys,
                                        .has_lanes = sheaf_msg_state.has_lanes,
                                        .incarnation = sheaf_msg_state.job.incarnation};
        snprintf(blob->transport, sizeof blob->transport, "%s", sheaf_msg_state.transport->name);
        for (int kind = 0; kind < SHEAF_SEGMENTS; kind++)
            blob->segments[kind] = (uintptr_t)sheaf_msg_state.job.segments[kind].start;
        memcpy(blob + 1, address, length);
    }
    free(address);
    return blob ? NULL : "no memory";
}

/* Every transport needs the thread. Where hardware does puts, gets and atomic operations, messages remain:
 * locks, accumulates, additions of signals, atomic operations of processors, keys and new connections. A
 * PE that computes for long must answer them. Operations of the hardware do not wake this PE, so the
 * thread then sleeps and costs nothing. */
static int start_progress_thread(void)
{
    if (!sheaf_msg_state.has_thread)
        return 0;
    int error = sheaf_msg_thread_start();
    if (error)
        sheaf_error("SH507 engine %s: the progress thread cannot be started: %s%s",
                    sheaf_msg_state.transport->name, strerror(error),
                    error == EAGAIN ? "; raise the limit on processes (ulimit -u)" : "");
    return error ? -1 : 0;
}

static void note_abilities(const struct sheaf_transport_abilities *abilities)
{
    struct sheaf_msg_state *state = &sheaf_msg_state;
    state->is_native = abilities->has_direct;
    state->longest_native = abilities->longest_direct ? abilities->longest_direct : SIZE_MAX;
    state->atomics = abilities->atomics;
    state->has_lanes = abilities->by_adapter;
    state->has_keys = state->is_native || (state->atomics && !state->has_lanes);
    state->locks_nothing = abilities->locks_nothing;
    state->sends_whole = abilities->sends_whole;
    state->longest = sheaf_msg_longest(abilities->longest);
    state->longest_whole = sheaf_msg_longest(abilities->longest_whole);
    state->last_part = abilities->last_part;
    state->free_credit = sheaf_msg_free_credit(state->job.npes);
}

static int open_service(void)
{
    struct sheaf_msg_state *state = &sheaf_msg_state;
    const char *why;
    state->service = sheaf_msg_worker_create(&why);
    if (state->service)
        why = make_blob();
    if (why) {
        sheaf_error("SH507 engine %s: connections cannot be opened: %s", state->transport->name, why);
        return -1;
    }
    state->service->is_shared = state->job.multiple;
    sheaf_msg_batches_prepare(state->service);
    if (state->has_lanes && sheaf_msg_lanes_start() != 0) {
        sheaf_error("SH301 engine %s: no memory for connections of the adapter", state->transport->name);
        return -1;
    }
    if (sheaf_msg_register_data() != 0 || start_progress_thread() != 0)
        return -1;
    sheaf_msg_thread_add(state->service);
    return 0;
}

/* Threads that the transport and this engine start receive no signals of the program. */
static int start_all(void)
{
    struct sheaf_transport_abilities abilities = {0};
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = sheaf_msg_state.transport->start(&user, &abilities);
    if (error == 0) {
        note_abilities(&abilities);
        error = open_service();
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

int sheaf_msg_start(const struct sheaf_transport *transport, const struct sheaf_engine_job *job)
{
    sheaf_msg_state = (struct sheaf_msg_state){.job = *job, .transport = transport};
    sheaf_msg_state.network_of = transport->title_of ? sheaf_msg_network_of : NULL;
    sheaf_msg_state.has_thread = job->progress != SHEAF_PROGRESS_OFF;
    /* A program that stops calling relies on the thread to send its batches. */
    sheaf_msg_state.aggregates = sheaf_msg_state.has_thread && job->aggregate == SHEAF_AGGREGATE_ON;
    sheaf_pace_use_network(&sheaf_pace_here, true, sheaf_msg_state.has_thread);
    return start_all();
}

void sheaf_msg_address(const void **address, size_t *length)
{
    *address = blob;
    *length = sizeof *blob + blob->length;
}

void sheaf_msg_stop(void)
{
    struct sheaf_msg_worker *service = sheaf_msg_state.service;
    sheaf_store_release(&sheaf_msg_state.is_stopping, true);
    if (sheaf_msg_state.has_thread)
        sheaf_msg_thread_stop();
    sheaf_msg_state.has_thread = false;
    sheaf_msg_contexts_stop();
    sheaf_msg_worker_end(service);
    sheaf_msg_forget_messages();
    sheaf_msg_forget_credit();
    sheaf_msg_unregister_all();
    if (sheaf_msg_state.has_lanes)
        sheaf_msg_lanes_stop();
    sheaf_msg_state.transport->stop();
    sheaf_msg_forget_lost();
    sheaf_msg_tell_dropped();
    sheaf_pace_use_network(&sheaf_pace_here, false, false);
    free(blob);
    blob = NULL;
}

/* In a job: the atomic operations in use; otherwise those that would be. */
sheaf_amo_set sheaf_msg_native_atomics(const struct sheaf_transport *transport, char *why, size_t size)
{
    if (sheaf_msg_state.service && sheaf_msg_state.atomics)
        return sheaf_msg_state.atomics;
    return transport->native_atomics(why, size);
}

bool sheaf_msg_describe(const struct sheaf_transport *transport, FILE *out)
{
    if (!transport->describe(out))
        return false;
    fprintf(out, "progress: a thread that sleeps while no messages arrive; what hardware does by itself "
                 "does not wake it\n");
    fprintf(out, "contexts with connections of their own: %d; destroyed ones are kept for the next, with "
                 "up to %d connections in all\n", SHEAF_MSG_MOST_CONTEXTS, SHEAF_MSG_MOST_IDLE_CONNECTIONS);
    return true;
}

SHEAF_ENGINE_OVER(ucx);
SHEAF_ENGINE_OVER(ofi);
SHEAF_ENGINE_OVER(mpi);
SHEAF_ENGINE_OVER(several);
