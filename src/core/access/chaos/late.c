/* SPDX-License-Identifier: BSD-3-Clause
 * See late.h.
 */
#include "core/access/chaos/late.h"

#include "core/access/copy/copy.h"
#include "core/access/far.h"
#include "engine/perform.h"

#include <stdlib.h>
#include <string.h>

size_t sheaf_late_bytes(const struct sheaf_late *late)
{
    return late->blocks.count * late->blocks.block_bytes;
}

bool sheaf_late_copy_source(struct sheaf_late *late)
{
    struct sheaf_blocks *blocks = &late->blocks;
    size_t bytes = sheaf_late_bytes(late);
    if (!late->is_reusable || bytes == 0)
        return true;
    late->copy = malloc(bytes);
    if (!late->copy)
        return false;
    for (size_t i = 0; i < blocks->count; i++)
        memcpy((char *)late->copy + i * blocks->block_bytes,
               (const char *)late->source + (ptrdiff_t)i * blocks->source_stride, blocks->block_bytes);
    late->source = late->copy;
    blocks->source_stride = (ptrdiff_t)blocks->block_bytes;
    return true;
}

static void copy_near(const struct sheaf_late *late)
{
    const struct sheaf_blocks *blocks = &late->blocks;
    if (blocks->count == 1)
        sheaf_copy(late->dest, late->source, blocks->block_bytes);
    else if (sheaf_late_bytes(late) != 0)
        sheaf_copy_blocks(late->dest, late->source, blocks->dest_stride, blocks->source_stride,
                          blocks->count, blocks->block_bytes);
    sheaf_fence_copy();
}

static void perform_near(const struct sheaf_late *late)
{
    if (late->kind == SHEAF_LATE_AMO) {
        uint64_t result = sheaf_amo_perform(late->amo.object, &late->amo);
        if (late->dest)
            memcpy(late->dest, &result, late->amo.bytes);
        return;
    }
    copy_near(late);
    if (late->has_signal)
        sheaf_signal_perform(late->signal.object, late->signal.value, late->signal.add);
}

/* Whether all parts of the operation have started. */
static bool start_far(const struct sheaf_late *late, struct sheaf_rows *rows, struct sheaf_far_call *far)
{
    const size_t bytes = late->blocks.block_bytes;
    if (late->has_signal)
        return sheaf_network->put_signal(far->stream, late->pe, late->dest, late->source, bytes,
                                         &late->signal, &far->left);
    if (late->kind == SHEAF_LATE_GET)
        return sheaf_network->get(far->stream, late->pe, late->dest, late->source, bytes, &far->left);
    if (late->blocks.count > 1)
        return sheaf_network->put_rows(far->stream, late->pe, rows, NULL, false, &far->left);
    return sheaf_network->put(far->stream, late->pe, late->dest, late->source, bytes, &far->left);
}

/* Orders the operation itself: the program's fences since its issue did not cover it. */
static void perform_far(const struct sheaf_late *late)
{
    struct sheaf_far_call far;
    struct sheaf_row row = {late->dest, late->source, late->blocks};
    struct sheaf_rows rows = {&row, 1};
    if (late->kind != SHEAF_LATE_GET)
        sheaf_late_order(late->ctx);
    if (late->kind == SHEAF_LATE_AMO) {
        sheaf_far_perform(late->ctx, &late->amo, late->dest, false, late->pe);
        return;
    }
    sheaf_far_begin(&far, late->ctx, late->pe);
    sheaf_record_far(sheaf_late_bytes(late));
    while (!start_far(late, &rows, &far))
        sheaf_wait_step(&far.wait);
    sheaf_far_finish(&far);
}

void sheaf_late_perform(struct sheaf_late *late)
{
    if (late->is_near)
        perform_near(late);
    else
        perform_far(late);
    if (late->arrived)
        __atomic_fetch_add(late->arrived, 1, __ATOMIC_RELEASE);
    free(late->copy);
    late->copy = NULL;
}

void sheaf_late_order(shmem_ctx_t ctx)
{
    if (sheaf_network)
        sheaf_far_fence(ctx);
}
