/* SPDX-License-Identifier: BSD-3-Clause
 *
 * No network: it starts, and the first operation that needs a network ends the job with a message. For
 * jobs with SHEAF_ENGINE=off, and for jobs of one node.
 */
#include "engine/engine.h"

#include "base/pace/processor.h"

static struct sheaf_engine_job job;

static _Noreturn void none_refuse(int pe)
{
    job.failed(pe, "it is on another node, and SHEAF_ENGINE=off leaves the network out");
}

static int none_start(const struct sheaf_engine_job *given)
{
    job = *given;
    return 0;
}

static void none_address(const void **address, size_t *length)
{
    *address = "";
    *length = 0;
}

static void none_stop(void)
{
}

static int none_heap_grown(size_t from, size_t to)
{
    (void)from, (void)to;
    return 0;
}

static bool none_grows_together(size_t from, size_t to)
{
    (void)from, (void)to;
    return false;
}

static int none_offer_space(unsigned index, void *start, size_t bytes)
{
    (void)index, (void)start, (void)bytes;
    return -1;
}

static void none_withdraw_space(unsigned index)
{
    (void)index;
}

static sheaf_engine_context *none_context_create(bool is_shared)
{
    (void)is_shared;
    return NULL;
}

static void none_context_destroy(sheaf_engine_context *context)
{
    (void)context;
}

static bool none_put(sheaf_engine_context *context, int pe, void *dest, const void *source, size_t bytes,
                     size_t *remaining)
{
    (void)context, (void)dest, (void)source, (void)bytes, (void)remaining;
    none_refuse(pe);
}

static bool none_put_rows(sheaf_engine_context *context, int pe, struct sheaf_rows *rows,
                          const struct sheaf_scale *scale, bool until_stored, size_t *remaining)
{
    (void)context, (void)rows, (void)scale, (void)until_stored, (void)remaining;
    none_refuse(pe);
}

static bool none_get_rows(sheaf_engine_context *context, int pe, struct sheaf_rows *rows, size_t *remaining)
{
    (void)context, (void)rows, (void)remaining;
    none_refuse(pe);
}

static bool none_put_signal(sheaf_engine_context *context, int pe, void *dest, const void *source,
                            size_t bytes, const struct sheaf_signal_call *signal, size_t *remaining)
{
    (void)context, (void)dest, (void)source, (void)bytes, (void)signal, (void)remaining;
    none_refuse(pe);
}

static bool none_amo(sheaf_engine_context *context, int pe, const struct sheaf_amo_call *call,
                     void *result, size_t *remaining)
{
    (void)context, (void)call, (void)result, (void)remaining;
    none_refuse(pe);
}

static sheaf_amo_set none_native_atomics(char *why, size_t size)
{
    snprintf(why, size, "there is no network");
    return 0;
}

static void none_batch(sheaf_engine_context *context, size_t operations)
{
    (void)context, (void)operations;
}

/* There are no operations to order or complete. */
static void none_fence(sheaf_engine_context *context)
{
    (void)context;
}

static void none_quiet(sheaf_engine_context *context, int pe, size_t *remaining)
{
    (void)context, (void)pe, (void)remaining;
}

static int none_busy_with(sheaf_engine_context *context)
{
    (void)context;
    return -1;
}

static void none_send(int peer, uint64_t tag, uint32_t stamp, const void *source, size_t bytes,
                      size_t *remaining)
{
    (void)tag, (void)stamp, (void)source, (void)bytes, (void)remaining;
    none_refuse(peer);
}

static void none_receive(int peer, uint64_t tag, uint32_t stamp, void *dest, size_t bytes,
                         size_t *remaining)
{
    (void)tag, (void)stamp, (void)dest, (void)bytes, (void)remaining;
    none_refuse(peer);
}

static const char *none_reach(int pe, const void *object, bool *is_direct)
{
    (void)pe, (void)object;
    *is_direct = false;
    return NULL;
}

static const char *none_devices(int pe, bool is_atomic)
{
    (void)pe, (void)is_atomic;
    return "";
}

static bool none_work(sheaf_engine_context *context)
{
    (void)context;
    return false;
}

static bool none_progress(bool may_reply)
{
    (void)may_reply;
    return false;
}

static bool none_needs_turns(void)
{
    return false;
}

static bool none_sleep(sheaf_engine_context *context, bool is_work, uint64_t timeout_ns)
{
    (void)context, (void)is_work;
    sheaf_processor_sleep(timeout_ns);
    return false;
}

static uint64_t none_carried_out(void)
{
    return 0;
}

static void none_forget_dead(void)
{
}

static void none_renew(void)
{
}

static int none_segments(int pe, uint64_t starts[SHEAF_SEGMENTS])
{
    (void)pe, (void)starts;
    return -1;
}

static bool none_take_failed(sheaf_engine_context *context)
{
    (void)context;
    return false;
}

static void none_abandon(uint64_t tag, uint64_t mask)
{
    (void)tag, (void)mask;
}

static unsigned none_count_messages(struct sheaf_engine_messages *rows)
{
    (void)rows;
    return 0;
}

static bool none_describe(FILE *out)
{
    fprintf(out, "no network: PEs of one node only\n");
    return true;
}

static bool none_is_installed(void)
{
    return true;
}

static bool none_drives_fabric(void)
{
    return false;
}

const struct sheaf_engine sheaf_engine_none = {
    .name = "none",
    .start = none_start,
    .address = none_address,
    .stop = none_stop,
    .heap_grown = none_heap_grown,
    .grows_together = none_grows_together,
    .offer_space = none_offer_space,
    .withdraw_space = none_withdraw_space,
    .context_create = none_context_create,
    .context_destroy = none_context_destroy,
    .batch = none_batch,
    .put = none_put,
    .get = none_put,
    .put_rows = none_put_rows,
    .get_rows = none_get_rows,
    .put_signal = none_put_signal,
    .amo = none_amo,
    .native_atomics = none_native_atomics,
    .fence = none_fence,
    .quiet = none_quiet,
    .busy_with = none_busy_with,
    .send = none_send,
    .receive = none_receive,
    .carried_out = none_carried_out,
    .forget_dead = none_forget_dead,
    .renew = none_renew,
    .reach = none_reach,
    .devices = none_devices,
    .segments = none_segments,
    .take_failed = none_take_failed,
    .abandon = none_abandon,
    .count_messages = none_count_messages,
    .work = none_work,
    .progress = none_progress,
    .needs_turns = none_needs_turns,
    .sleep = none_sleep,
    .is_installed = none_is_installed,
    .drives_fabric = none_drives_fabric,
    .describe = none_describe,
};
