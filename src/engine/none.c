/* SPDX-License-Identifier: BSD-3-Clause
 *
 * No network: it starts, and the first operation that needs one ends the job and says so. For jobs
 * whose PEs were told to do without, and for jobs of one node.
 */
#include "engine/engine.h"

#include "base/processor.h"

static struct sheaf_engine_job job;

static _Noreturn void refuse(int pe)
{
    job.failed(pe, "it is on another node, and SHEAF_ENGINE=none leaves the network out");
}

static int start(const struct sheaf_engine_job *given)
{
    job = *given;
    return 0;
}

static void address(const void **address, size_t *length)
{
    *address = "";
    *length = 0;
}

static void stop(void)
{
}

static int heap_grown(size_t from, size_t to)
{
    (void)from, (void)to;
    return 0;
}

static sheaf_engine_context *context_create(long options)
{
    (void)options;
    return NULL;
}

static void context_destroy(sheaf_engine_context *context)
{
    (void)context;
}

static void put(sheaf_engine_context *context, int pe, void *dest, const void *source, size_t bytes)
{
    (void)context, (void)dest, (void)source, (void)bytes;
    refuse(pe);
}

static void blocks(sheaf_engine_context *context, int pe, void *dest, const void *source,
                   const struct sheaf_blocks *blocks)
{
    (void)context, (void)dest, (void)source, (void)blocks;
    refuse(pe);
}

static void put_rows(sheaf_engine_context *context, int pe, const struct sheaf_row *rows,
                     size_t count, const struct sheaf_scale *scale, bool nbi, size_t *left)
{
    (void)context, (void)rows, (void)count, (void)scale, (void)nbi, (void)left;
    refuse(pe);
}

static void get_rows(sheaf_engine_context *context, int pe, const struct sheaf_row *rows,
                     size_t count, size_t *left)
{
    (void)context, (void)rows, (void)count, (void)left;
    refuse(pe);
}

/* Nothing was ever begun. */
static void wait(sheaf_engine_context *context, const size_t *left)
{
    (void)context, (void)left;
}

static void put_signal(sheaf_engine_context *context, int pe, void *dest, const void *source,
                       size_t bytes, const struct sheaf_signal_call *signal, bool nbi)
{
    (void)context, (void)dest, (void)source, (void)bytes, (void)signal, (void)nbi;
    refuse(pe);
}

static void amo(sheaf_engine_context *context, int pe, const struct sheaf_amo_call *call)
{
    (void)context, (void)call;
    refuse(pe);
}

static void amo_fetch(sheaf_engine_context *context, int pe, const struct sheaf_amo_call *call,
                      void *result)
{
    (void)context, (void)call, (void)result;
    refuse(pe);
}

/* What orders or completes operations has none to wait for. */
static sheaf_amo_set native_atomics(char *why, size_t size)
{
    snprintf(why, size, "there is no network");
    return 0;
}

static void batch_begin(sheaf_engine_context *context, bool is_shared, size_t operations)
{
    (void)context, (void)is_shared, (void)operations;
}

static void order(sheaf_engine_context *context)
{
    (void)context;
}

static void quiet_pe(sheaf_engine_context *context, int pe)
{
    (void)context, (void)pe;
}

static void send(int peer, uint64_t tag, const void *source, size_t bytes,
                 struct sheaf_message *message)
{
    (void)tag, (void)source, (void)bytes, (void)message;
    refuse(peer);
}

static void receive(int peer, uint64_t tag, void *dest, size_t bytes, struct sheaf_message *message)
{
    (void)tag, (void)dest, (void)bytes, (void)message;
    refuse(peer);
}

static bool is_complete(struct sheaf_message *message)
{
    return message->left == 0;
}

static bool progress(bool may_reply)
{
    (void)may_reply;
    return false;
}

static bool sleep_for(uint64_t timeout_ns)
{
    sheaf_processor_sleep(timeout_ns);
    return false;
}

static uint64_t carried_out(void)
{
    return 0;
}

static bool describe(FILE *out)
{
    fprintf(out, "no network: PEs of one node only\n");
    return true;
}

const struct sheaf_engine sheaf_engine_none = {
    .name = "none",
    .start = start,
    .address = address,
    .stop = stop,
    .heap_grown = heap_grown,
    .context_create = context_create,
    .context_destroy = context_destroy,
    .batch_begin = batch_begin,
    .batch_end = order,
    .put = put,
    .put_nbi = put,
    .get = put,
    .get_nbi = put,
    .put_blocks = blocks,
    .get_blocks = blocks,
    .put_rows = put_rows,
    .get_rows = get_rows,
    .work = order,
    .wait = wait,
    .put_signal = put_signal,
    .amo = amo,
    .amo_fetch = amo_fetch,
    .amo_fetch_nbi = amo_fetch,
    .native_atomics = native_atomics,
    .device_amo = amo,
    .device_fetch = amo_fetch,
    .device_fetch_nbi = amo_fetch,
    .fence = order,
    .quiet = order,
    .quiet_pe = quiet_pe,
    .carried_out = carried_out,
    .send = send,
    .receive = receive,
    .is_complete = is_complete,
    .progress = progress,
    .sleep = sleep_for,
    .describe = describe,
};
