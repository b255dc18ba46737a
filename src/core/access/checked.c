/* SPDX-License-Identifier: BSD-3-Clause
 * See checked.h.
 */
#include "core/access/checked.h"

#include "base/atomic.h"
#include "base/log.h"
#include "base/os/os.h"
#include "base/probe.h"
#include "boot/boot.h"
#include "core/access/amo_provider.h"
#include "core/access/chaos/chaos.h"
#include "core/memory/check.h"
#include "core/access/context.h"
#include "core/access/copy/copier.h"
#include "core/access/copy/copy.h"
#include "core/access/counters.h"
#include "core/access/order.h"
#include "core/pe/job.h"
#include "core/pe/poll.h"
#include "core/access/route.h"
#include "core/memory/symmetric.h"
#include "engine/perform.h"

#include <stdio.h>
#include <string.h>

static void put_far(shmem_ctx_t ctx, void *dest, const void *source, size_t bytes, int pe, bool nbi)
{
    struct sheaf_far_call far;
    sheaf_far_begin(&far, ctx, pe);
    sheaf_record_far(bytes);
    while (!sheaf_network->put(far.stream, pe, dest, source, bytes, nbi ? NULL : &far.left))
        sheaf_wait_step(&far.wait);
    sheaf_far_finish(&far);
}

static void get_far(shmem_ctx_t ctx, void *dest, const void *source, size_t bytes, int pe, bool nbi)
{
    struct sheaf_far_call far;
    sheaf_far_begin(&far, ctx, pe);
    sheaf_record_far(bytes);
    while (!sheaf_network->get(far.stream, pe, dest, source, bytes, nbi ? NULL : &far.left))
        sheaf_wait_step(&far.wait);
    sheaf_far_finish(&far);
}

/* Checks memory that a call writes. Returns its address in this process, or NULL for a far PE. */
static void *route_to_write(void *dest, size_t bytes, int pe, const char *call)
{
    void *near = sheaf_route_slow(dest, bytes, pe, call);
    sheaf_symmetric_require_variable(dest, bytes, call);
    return near;
}

static void copy_bytes(void *dest, const void *source, size_t bytes, bool nbi)
{
    if (nbi)
        sheaf_copy_nbi(dest, source, bytes);
    else
        sheaf_copy(dest, source, bytes);
    sheaf_fence_copy();
}

/* Each of these functions defers an operation (chaos.h). near: the address of the remote end in this
 * process, or NULL. */
static __attribute__((noinline)) void
defer_put(shmem_ctx_t ctx, void *dest, void *near, const void *source,
          const struct sheaf_blocks *blocks, int pe, bool nbi)
{
    sheaf_chaos_defer(&(struct sheaf_late){
        .kind = SHEAF_LATE_PUT,
        .ctx = ctx,
        .pe = pe,
        .is_near = near != NULL,
        .dest = near ? near : dest,
        .source = source,
        .blocks = *blocks,
        .is_reusable = !nbi,
        .arrived = sheaf_counters_add_late(ctx, near != NULL, pe),
    });
}

static __attribute__((noinline)) void
defer_get(shmem_ctx_t ctx, void *dest, const void *source, const void *near, size_t bytes, int pe)
{
    sheaf_chaos_defer(&(struct sheaf_late){
        .kind = SHEAF_LATE_GET,
        .ctx = ctx,
        .pe = pe,
        .is_near = near != NULL,
        .dest = dest,
        .source = near ? near : source,
        .blocks = {0, 0, bytes, 1},
    });
    sheaf_count_read(ctx, pe);
}

static __attribute__((noinline)) void
defer_signal(shmem_ctx_t ctx, void *dest, void *near, const void *source, size_t bytes,
             const struct sheaf_signal_call *signal, uint64_t *near_signal, int pe, bool nbi)
{
    const bool is_near = near_signal != NULL;
    sheaf_chaos_defer(&(struct sheaf_late){
        .kind = SHEAF_LATE_PUT,
        .ctx = ctx,
        .pe = pe,
        .is_near = is_near,
        .dest = is_near ? near : dest,
        .source = source,
        .blocks = {0, 0, bytes, 1},
        .is_reusable = !nbi,
        .has_signal = true,
        .signal = {is_near ? near_signal : signal->object, signal->value, signal->add},
        .arrived = sheaf_counters_add_late(ctx, is_near, pe),
    });
}

/* result: where the object's former value goes, or NULL. */
static __attribute__((noinline)) void
defer_amo(shmem_ctx_t ctx, const struct sheaf_amo_call *amo, void *near, void *result, int pe)
{
    struct sheaf_late late = {
        .kind = SHEAF_LATE_AMO,
        .ctx = ctx,
        .pe = pe,
        .is_near = near != NULL,
        .dest = result,
        .amo = *amo,
        .arrived = result ? NULL : sheaf_counters_add_late(ctx, near != NULL, pe),
    };
    if (near)
        late.amo.object = near;
    sheaf_chaos_defer(&late);
    if (result)
        sheaf_count_read(ctx, pe);
}

/* Called before an operation that is performed at once and that a fence orders. */
static void perform_fenced(shmem_ctx_t ctx, int pe)
{
    if (sheaf_unlikely(sheaf_chaos_is_on))
        sheaf_chaos_perform_fenced(ctx, pe);
}

/* dest and source can overlap only where both are this PE's. */
static void check_apart(const void *dest, const void *source, size_t bytes, int pe, const char *call)
{
    if (pe == sheaf_job.pe)
        sheaf_check_apart(dest, bytes, source, bytes, true, call);
}

static inline void put_checked(void *dest, const void *source, size_t bytes, int pe, bool nbi,
                               shmem_ctx_t ctx, const char *call)
{
    SHEAF_KEEP_ERRNO;
    void *near = route_to_write(dest, bytes, pe, call);
    SHEAF_PROBE3(put, pe, bytes, dest);
    check_apart(dest, source, bytes, pe, call);
    if (sheaf_unlikely(sheaf_chaos_is_on) && bytes != 0) {
        defer_put(ctx, dest, near, source, &(struct sheaf_blocks){0, 0, bytes, 1}, pe, nbi);
        return;
    }
    if (near)
        copy_bytes(near, source, bytes, nbi);
    else if (bytes != 0)
        put_far(ctx, dest, source, bytes, pe, nbi);
    sheaf_count_write(ctx, near != NULL, pe);
    sheaf_order_written();
}

void sheaf_checked_put(void *dest, const void *source, size_t bytes, int pe, shmem_ctx_t ctx,
                       const char *call)
{
    put_checked(dest, source, bytes, pe, false, ctx, call);
}

void sheaf_checked_put_nbi(void *dest, const void *source, size_t bytes, int pe, shmem_ctx_t ctx,
                           const char *call)
{
    put_checked(dest, source, bytes, pe, true, ctx, call);
}

/* Counts the read for poll.h, unless it is longer than a word. */
static void copy_counted(void *dest, const void *near, size_t bytes, bool nbi)
{
    copy_bytes(dest, near, bytes, nbi);
    if (bytes <= sizeof(uint64_t) && bytes != 0 && sheaf_poll_counts && sheaf_poll_left-- == 0) {
        uint64_t value = 0;
        memcpy(&value, dest, bytes);
        sheaf_poll_look(near, value);
    }
}

/* A near get that comes here only to be counted needs no check. */
static __attribute__((noinline)) void get_near(void *dest, const void *source, size_t bytes, bool nbi,
                                               int pe)
{
    copy_counted(dest, sheaf_route_near(source, pe), bytes, nbi);
}

static inline void get_checked(void *dest, const void *source, size_t bytes, int pe, bool nbi,
                               shmem_ctx_t ctx, const char *call)
{
    if (sheaf_route_is_near(pe)) {
        get_near(dest, source, bytes, nbi, pe);
        return;
    }
    SHEAF_KEEP_ERRNO;
    const void *near = sheaf_route_slow(source, bytes, pe, call);
    SHEAF_PROBE3(get, pe, bytes, source);
    check_apart(dest, source, bytes, pe, call);
    if (sheaf_unlikely(sheaf_chaos_is_on) && nbi && bytes != 0) {
        defer_get(ctx, dest, source, near, bytes, pe);
        return;
    }
    if (near)
        copy_counted(dest, near, bytes, nbi);
    else if (bytes != 0)
        get_far(ctx, dest, source, bytes, pe, nbi);
    sheaf_count_read(ctx, pe);
}

void sheaf_checked_get(void *dest, const void *source, size_t bytes, int pe, shmem_ctx_t ctx,
                       const char *call)
{
    get_checked(dest, source, bytes, pe, false, ctx, call);
}

void sheaf_checked_get_nbi(void *dest, const void *source, size_t bytes, int pe, shmem_ctx_t ctx,
                           const char *call)
{
    get_checked(dest, source, bytes, pe, true, ctx, call);
}

#define CHECKED_ELEMENTS(way, alignment)                                                           \
    void sheaf_checked_##way##_##alignment(void *dest, const void *source, size_t bytes, int pe,   \
                                           shmem_ctx_t ctx, const char *call)                      \
    {                                                                                              \
        sheaf_check_elements(dest, source, alignment, call);                                       \
        sheaf_checked_##way(dest, source, bytes, pe, ctx, call);                                   \
    }
SHEAF_CHECKED_ELEMENTS(CHECKED_ELEMENTS)

/* The bytes from the first to the last of all blocks, all of which must be symmetric. */
static size_t extent_bytes(ptrdiff_t stride, const struct sheaf_blocks *blocks)
{
    if (blocks->count == 0 || blocks->block_bytes == 0)
        return 0;
    size_t bytes;
    if (blocks->block_bytes > PTRDIFF_MAX || blocks->count > PTRDIFF_MAX ||
        (stride > 0 && __builtin_mul_overflow(blocks->count - 1, (size_t)stride, &bytes)))
        return SIZE_MAX;
    return (blocks->count - 1) * (size_t)stride + blocks->block_bytes;
}

static void copy_blocks(void *dest, const void *source, const struct sheaf_blocks *blocks)
{
    if (blocks->block_bytes != 0)
        sheaf_copy_blocks(dest, source, blocks->dest_stride, blocks->source_stride, blocks->count,
                          blocks->block_bytes);
}

static void put_row(shmem_ctx_t ctx, struct sheaf_row *row, int pe)
{
    struct sheaf_rows rows = {row, 1};
    struct sheaf_far_call far;
    sheaf_far_begin(&far, ctx, pe);
    sheaf_record_far(row->blocks.count * row->blocks.block_bytes);
    while (!sheaf_network->put_rows(far.stream, pe, &rows, NULL, false, &far.left))
        sheaf_wait_step(&far.wait);
    sheaf_far_finish(&far);
}

static void get_row(shmem_ctx_t ctx, struct sheaf_row *row, int pe)
{
    struct sheaf_rows rows = {row, 1};
    struct sheaf_far_call far;
    sheaf_far_begin(&far, ctx, pe);
    sheaf_record_far(row->blocks.count * row->blocks.block_bytes);
    while (!sheaf_network->get_rows(far.stream, pe, &rows, &far.left))
        sheaf_wait_step(&far.wait);
    sheaf_far_finish(&far);
}

void sheaf_checked_put_blocks(void *dest, const void *source, const struct sheaf_blocks *blocks,
                              int pe, shmem_ctx_t ctx, const char *call)
{
    SHEAF_KEEP_ERRNO;
    size_t bytes = extent_bytes(blocks->dest_stride, blocks);
    void *near = route_to_write(dest, bytes, pe, call);
    SHEAF_PROBE3(put, pe, blocks->count * blocks->block_bytes, dest);
    if (sheaf_unlikely(sheaf_chaos_is_on) && bytes != 0) {
        defer_put(ctx, dest, near, source, blocks, pe, false);
        return;
    }
    if (near)
        copy_blocks(near, source, blocks);
    else if (bytes != 0)
        put_row(ctx, &(struct sheaf_row){dest, source, *blocks}, pe);
    sheaf_count_write(ctx, near != NULL, pe);
}

void sheaf_checked_get_blocks(void *dest, const void *source, const struct sheaf_blocks *blocks,
                              int pe, shmem_ctx_t ctx, const char *call)
{
    SHEAF_KEEP_ERRNO;
    size_t bytes = extent_bytes(blocks->source_stride, blocks);
    const void *near = sheaf_route_slow(source, bytes, pe, call);
    SHEAF_PROBE3(get, pe, blocks->count * blocks->block_bytes, source);
    if (near)
        copy_blocks(dest, near, blocks);
    else if (bytes != 0)
        get_row(ctx, &(struct sheaf_row){dest, source, *blocks}, pe);
    sheaf_count_read(ctx, pe);
}

static void put_signal_far(shmem_ctx_t ctx, void *dest, const void *source, size_t bytes,
                           const struct sheaf_signal_call *signal, bool nbi, int pe)
{
    struct sheaf_far_call far;
    sheaf_far_begin(&far, ctx, pe);
    sheaf_record_far(bytes);
    while (!sheaf_network->put_signal(far.stream, pe, dest, source, bytes, signal,
                                      nbi ? NULL : &far.left))
        sheaf_wait_step(&far.wait);
    sheaf_far_finish(&far);
}

void sheaf_checked_put_signal(void *dest, const void *source, size_t bytes,
                              const struct sheaf_signal_call *signal, bool nbi, int pe,
                              shmem_ctx_t ctx, const char *call)
{
    SHEAF_KEEP_ERRNO;
    void *near = route_to_write(dest, bytes, pe, call); /* dest may be null where bytes is 0 */
    uint64_t *near_signal = route_to_write(signal->object, sizeof *signal->object, pe, call);
    sheaf_check_signal(dest, bytes, signal->object, call);
    sheaf_check_aligned(signal->object, sizeof *signal->object, call);
    SHEAF_PROBE3(put, pe, bytes, dest);
    if (sheaf_unlikely(sheaf_chaos_is_on)) {
        defer_signal(ctx, dest, near, source, bytes, signal, near_signal, pe, nbi);
        return;
    }
    if (!near_signal) {
        put_signal_far(ctx, dest, source, bytes, signal, nbi, pe);
    } else if (nbi && bytes >= sheaf_copier_from) {
        sheaf_copier_copy(near, source, bytes, signal, near_signal);
    } else {
        copy_bytes(near, source, bytes, false);
        sheaf_signal_perform(near_signal, signal->value, signal->add);
    }
    sheaf_count_write(ctx, near_signal != NULL, pe);
    sheaf_order_written();
}

static void *route_amo(const struct sheaf_amo_call *amo, int pe, const char *call)
{
    void *near = amo->operation == SHEAF_AMO_FETCH ? sheaf_route_slow(amo->object, amo->bytes, pe, call)
                                                   : route_to_write(amo->object, amo->bytes, pe, call);
    sheaf_check_aligned(amo->object, amo->bytes, call);
    SHEAF_PROBE3(atomic, pe, amo->bytes, amo->object);
    return near;
}

void sheaf_checked_amo(const struct sheaf_amo_call *amo, int pe, shmem_ctx_t ctx, const char *call)
{
    SHEAF_KEEP_ERRNO;
    void *near = route_amo(amo, pe, call);
    if (sheaf_unlikely(sheaf_chaos_is_on)) {
        defer_amo(ctx, amo, near, NULL, pe);
        return;
    }
    if (near)
        sheaf_amo_perform(near, amo);
    else
        sheaf_far_perform(ctx, amo, NULL, false, pe);
    sheaf_count_write(ctx, near != NULL, pe);
    sheaf_order_written();
}

uint64_t sheaf_checked_amo_fetch(const struct sheaf_amo_call *amo, int pe, shmem_ctx_t ctx,
                                 const char *call)
{
    SHEAF_KEEP_ERRNO;
    uint64_t result = 0;
    void *near = route_amo(amo, pe, call);
    perform_fenced(ctx, pe);
    if (near) {
        result = sheaf_amo_perform(near, amo);
        if (sheaf_poll_counts && amo->operation == SHEAF_AMO_FETCH)
            sheaf_poll_seen(near, result);
    } else {
        sheaf_far_perform(ctx, amo, &result, false, pe);
    }
    sheaf_count_read(ctx, pe);
    if (amo->operation != SHEAF_AMO_FETCH)
        sheaf_order_written();
    return result;
}

void sheaf_checked_amo_fetch_nbi(const struct sheaf_amo_call *amo, void *fetch, int pe,
                                 shmem_ctx_t ctx, const char *call)
{
    SHEAF_KEEP_ERRNO;
    void *near = route_amo(amo, pe, call);
    if (sheaf_unlikely(sheaf_chaos_is_on)) {
        defer_amo(ctx, amo, near, fetch, pe);
        return;
    }
    if (near) {
        uint64_t result = sheaf_amo_perform(near, amo);
        memcpy(fetch, &result, amo->bytes);
    } else {
        sheaf_far_perform(ctx, amo, fetch, true, pe);
    }
    sheaf_count_read(ctx, pe);
}
