/* SPDX-License-Identifier: BSD-3-Clause
 *
 * No network: it starts, and the first operation that needs one ends the job and says so. For jobs
 * whose PEs were told to do without, and for jobs of one node.
 */
#include "engine/engine.h"

#include "base/pace/processor.h"

static struct sheaf_engine_job job;

static _Noreturn void refuse(int pe)
{
    job.failed(pe, "it is on another node, and SHEAF_ENGINE=off leaves the network out");
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

static bool grows_together(size_t from, size_t to)
{
    (void)from, (void)to;
    return false;
}

static sheaf_engine_context *context_create(bool is_shared)
{
    (void)is_shared;
    return NULL;
}

static void context_destroy(sheaf_engine_context *context)
{
    (void)context;
}

static bool put(sheaf_engine_context *context, int pe, void *dest, const void *source, size_t bytes,
                size_t *left)
{
    (void)context, (void)dest, (void)source, (void)bytes, (void)left;
    refuse(pe);
}

static bool put_rows(sheaf_engine_context *context, int pe, struct sheaf_rows *rows,
                     const struct sheaf_scale *scale, bool until_stored, size_t *left)
{
    (void)context, (void)rows, (void)scale, (void)until_stored, (void)left;
    refuse(pe);
}

static bool get_rows(sheaf_engine_context *context, int pe, struct sheaf_rows *rows, size_t *left)
{
    (void)context, (void)rows, (void)left;
    refuse(pe);
}

static bool put_signal(sheaf_engine_context *context, int pe, void *dest, const void *source,
                       size_t bytes, const struct sheaf_signal_call *signal, size_t *left)
{
    (void)context, (void)dest, (void)source, (void)bytes, (void)signal, (void)left;
    refuse(pe);
}

static bool amo(sheaf_engine_context *context, int pe, const struct sheaf_amo_call *call,
                void *result, size_t *left)
{
    (void)context, (void)call, (void)result, (void)left;
    refuse(pe);
}

static sheaf_amo_set native_atomics(char *why, size_t size)
{
    snprintf(why, size, "there is no network");
    return 0;
}

static void batch(sheaf_engine_context *context, size_t operations)
{
    (void)context, (void)operations;
}

/* What orders or completes operations has none to wait for. */
static void fence(sheaf_engine_context *context)
{
    (void)context;
}

static void quiet(sheaf_engine_context *context, int pe, size_t *left)
{
    (void)context, (void)pe, (void)left;
}

static int busy_with(sheaf_engine_context *context)
{
    (void)context;
    return -1;
}

static void send(int peer, uint64_t tag, uint32_t stamp, const void *source, size_t bytes, size_t *left)
{
    (void)tag, (void)stamp, (void)source, (void)bytes, (void)left;
    refuse(peer);
}

static void receive(int peer, uint64_t tag, uint32_t stamp, void *dest, size_t bytes, size_t *left)
{
    (void)tag, (void)stamp, (void)dest, (void)bytes, (void)left;
    refuse(peer);
}

static bool work(sheaf_engine_context *context)
{
    (void)context;
    return false;
}

static bool progress(bool may_reply)
{
    (void)may_reply;
    return false;
}

static bool needs_turns(void)
{
    return false;
}

static bool sleep_for(sheaf_engine_context *context, bool is_work, uint64_t timeout_ns)
{
    (void)context, (void)is_work;
    sheaf_processor_sleep(timeout_ns);
    return false;
}

static uint64_t carried_out(void)
{
    return 0;
}

static void forget_dead(void)
{
}

static void renew(void)
{
}

static int segments(int pe, uint64_t starts[SHEAF_SEGMENTS])
{
    (void)pe, (void)starts;
    return -1;
}

static bool take_failed(sheaf_engine_context *context)
{
    (void)context;
    return false;
}

static void abandon(uint64_t tag, uint64_t mask)
{
    (void)tag, (void)mask;
}

static unsigned count_messages(struct sheaf_engine_messages *rows)
{
    (void)rows;
    return 0;
}

static bool describe(FILE *out)
{
    fprintf(out, "no network: PEs of one node only\n");
    return true;
}

static bool is_installed(void)
{
    return true;
}

static bool drives_fabric(void)
{
    return false;
}

const struct sheaf_engine sheaf_engine_none = {
    .name = "none",
    .start = start,
    .address = address,
    .stop = stop,
    .heap_grown = heap_grown,
    .grows_together = grows_together,
    .context_create = context_create,
    .context_destroy = context_destroy,
    .batch = batch,
    .put = put,
    .get = put,
    .put_rows = put_rows,
    .get_rows = get_rows,
    .put_signal = put_signal,
    .amo = amo,
    .native_atomics = native_atomics,
    .fence = fence,
    .quiet = quiet,
    .busy_with = busy_with,
    .send = send,
    .receive = receive,
    .carried_out = carried_out,
    .forget_dead = forget_dead,
    .renew = renew,
    .segments = segments,
    .take_failed = take_failed,
    .abandon = abandon,
    .count_messages = count_messages,
    .work = work,
    .progress = progress,
    .needs_turns = needs_turns,
    .sleep = sleep_for,
    .is_installed = is_installed,
    .drives_fabric = drives_fabric,
    .describe = describe,
};
