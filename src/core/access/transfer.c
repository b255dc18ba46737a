/* SPDX-License-Identifier: BSD-3-Clause
 * See transfer.h.
 */
#include "core/access/transfer.h"

#include "base/atomic.h"
#include "base/log.h"
#include "base/os/os.h"
#include "base/probe.h"
#include "boot/boot.h"
#include "core/access/accumulate.h"
#include "core/access/chaos/chaos.h"
#include "core/access/context.h"
#include "core/access/copy/copier.h"
#include "core/access/copy/copy.h"
#include "core/access/checked.h"
#include "core/access/route.h"
#include "core/memory/symmetric.h"
#include "core/pe/wait.h"

#include <stdlib.h>
#include <string.h>

/* left: the number of parts that the engine has not finished, see engine.h. copies: the copier's ticket
 * of a near PE's, 0 for none. */
struct sheaf_handle {
    size_t left;
    uint64_t copies;
    shmem_ctx_t ctx;
    int pe;
};

static void copy_row(void *unused, const struct sheaf_row *row)
{
    const struct sheaf_blocks *blocks = &row->blocks;
    (void)unused;
    sheaf_copy_blocks(row->dest, row->source, blocks->dest_stride, blocks->source_stride,
                      blocks->count, blocks->block_bytes);
}

/* Rows of a nonblocking call. copies: the ticket of the last one that was handed over. */
struct later {
    uint64_t copies;
};

static void copy_row_later(void *context, const struct sheaf_row *row)
{
    struct later *later = context;
    uint64_t ticket = sheaf_copier_copy_row(row);
    if (ticket)
        later->copies = ticket;
}

static void add_row(void *context, const struct sheaf_row *row)
{
    sheaf_accumulate_blocks(context, row->dest, row->source, &row->blocks);
}

static bool is_get(const struct sheaf_transfer *transfer)
{
    return transfer->kind == SHEAF_TRANSFER_GET;
}

/* distance: from the remote address that the caller gave to the address in this process. Returns the
 * copier's ticket, 0 where all is done. */
static uint64_t move_shape(const struct sheaf_transfer *transfer, const struct sheaf_shape *shape,
                       void *dest, const void *source, ptrdiff_t distance)
{
    struct later later = {0};
    if (transfer->kind == SHEAF_TRANSFER_ACCUMULATE) {
        sheaf_shape_walk(shape, dest, source, add_row,
                         &(struct sheaf_sums){transfer->scale, distance, transfer->pe});
        return 0;
    }
    if (is_get(transfer))
        source = (const void *)((uintptr_t)source + (uintptr_t)distance);
    else
        dest = (void *)((uintptr_t)dest + (uintptr_t)distance);
    sheaf_shape_walk(shape, dest, source, transfer->nb ? copy_row_later : copy_row, &later);
    return later.copies;
}

/* Rows gathered for the engine. */
#define MOST_ROWS 256
struct batch {
    const struct sheaf_transfer *transfer;
    struct sheaf_far_call far;
    struct sheaf_handle *handle; /* NULL where the caller wants no handle for this call */
    size_t count;
    const struct sheaf_segment *segment; /* of the last row's remote end; a row grows within one segment */
    struct sheaf_row rows[MOST_ROWS];
};

static struct sheaf_handle *make_handle(const struct sheaf_transfer *transfer)
{
    struct sheaf_handle *handle = malloc(sizeof *handle);
    if (!handle)
        sheaf_fatal("SH301 %s: no memory for a handle", transfer->call);
    *handle = (struct sheaf_handle){.ctx = transfer->ctx, .pe = transfer->pe};
    return handle;
}

static void begin_batch(struct batch *batch, const struct sheaf_transfer *transfer)
{
    batch->transfer = transfer;
    batch->count = 0;
    batch->handle = transfer->nb && transfer->handle ? make_handle(transfer) : NULL;
    sheaf_far_begin(&batch->far, transfer->ctx, transfer->pe);
}

/* Whether all rows have started. */
static bool start_rows(const struct batch *batch, struct sheaf_rows *rows, size_t *left)
{
    const struct sheaf_transfer *transfer = batch->transfer;
    if (is_get(transfer))
        return sheaf_network->get_rows(batch->far.stream, transfer->pe, rows, left);
    return sheaf_network->put_rows(batch->far.stream, transfer->pe, rows, transfer->scale,
                                   batch->handle != NULL, left);
}

/* For the status board and for probes. */
static void record_rows(const struct batch *batch)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < batch->count; i++)
        bytes += batch->rows[i].blocks.count * batch->rows[i].blocks.block_bytes;
    sheaf_record_far(bytes);
    if (is_get(batch->transfer))
        SHEAF_PROBE3(get, batch->transfer->pe, bytes, batch->rows[0].source);
    else
        SHEAF_PROBE3(put, batch->transfer->pe, bytes, batch->rows[0].dest);
}

static void flush_batch(struct batch *batch)
{
    SHEAF_KEEP_ERRNO;
    struct sheaf_rows rows = {batch->rows, batch->count};
    size_t *left = batch->handle          ? &batch->handle->left
                   : batch->transfer->nb ? NULL
                                          : &batch->far.left;
    if (rows.count > 0)
        record_rows(batch);
    while (rows.count > 0 && !start_rows(batch, &rows, left))
        sheaf_wait_step(&batch->far.wait);
    batch->count = 0;
}

static void set_complete(const struct sheaf_transfer *transfer)
{
    if (transfer->handle)
        *transfer->handle = SHMEMX_HANDLE_COMPLETE;
}

/* Copies that a near PE's call has left to the copier. */
static void set_copies(const struct sheaf_transfer *transfer, uint64_t copies)
{
    set_complete(transfer);
    if (!copies || !transfer->handle)
        return;
    struct sheaf_handle *handle = make_handle(transfer);
    handle->copies = copies;
    *transfer->handle = handle;
}

static void finish_batch(struct batch *batch)
{
    SHEAF_KEEP_ERRNO;
    flush_batch(batch);
    sheaf_far_finish(&batch->far);
    if (batch->handle)
        *batch->transfer->handle = batch->handle;
}

static void add_to_batch(void *context, const struct sheaf_row *row)
{
    struct batch *batch = context;
    if (batch->count == MOST_ROWS)
        flush_batch(batch);
    batch->rows[batch->count++] = *row;
}

static __attribute__((noinline)) void send_shape(const struct sheaf_transfer *transfer,
                                                 const struct sheaf_shape *shape, void *dest,
                                                 const void *source)
{
    struct batch batch;
    begin_batch(&batch, transfer);
    sheaf_shape_walk(shape, dest, source, add_to_batch, &batch);
    finish_batch(&batch);
}

static size_t alignment_of(const struct sheaf_transfer *transfer)
{
    return sheaf_number_sizes[transfer->scale->number].alignment;
}

static void check_number(const struct sheaf_transfer *transfer, const void *dest,
                         const struct sheaf_shape *shape)
{
    size_t alignment = alignment_of(transfer);
    size_t bytes = sheaf_number_sizes[transfer->scale->number].bytes;
    if (sheaf_unlikely((uintptr_t)dest % alignment != 0))
        sheaf_fatal("SH107 %s: dest is %p; expected a multiple of %zu", transfer->call, dest, alignment);
    if (sheaf_unlikely(shape->block_bytes % bytes != 0))
        sheaf_fatal("SH122 %s: a run has %zu bytes, no whole number of elements of %zu bytes: counts[0] "
                    "counts bytes", transfer->call, shape->block_bytes, bytes);
    for (int i = 0; i < shape->levels; i++)
        if (sheaf_unlikely(shape->level[i].dest_stride % (ptrdiff_t)alignment != 0))
            sheaf_fatal("SH107 %s: a stride of dest is %td bytes; expected a multiple of %zu",
                        transfer->call, shape->level[i].dest_stride, alignment);
}

/* These calls are never deferred, and come after the operations that fences put before them. */
static void perform_fenced(const struct sheaf_transfer *transfer)
{
    if (sheaf_unlikely(sheaf_chaos_is_on) && !is_get(transfer))
        sheaf_chaos_perform_fenced(transfer->ctx, transfer->pe);
}

/* Checks the remote end. Returns its address in this process, or NULL for a far PE. */
static void *route_remote(const struct sheaf_transfer *transfer, const void *remote, size_t bytes)
{
    void *near = sheaf_route_slow(remote, bytes, transfer->pe, transfer->call);
    if (!is_get(transfer))
        sheaf_symmetric_require_variable(remote, bytes, transfer->call);
    return near;
}

/* The slow path, with the checks of the PE and, for a far PE or with SHEAF_CHECK=args, of the memory. */
static __attribute__((noinline)) void shape_slowly(const struct sheaf_transfer *transfer,
                                                   const struct sheaf_shape *shape, void *dest,
                                                   const void *source)
{
    struct sheaf_extent extent = sheaf_shape_extent(shape, is_get(transfer));
    /* As a number: an empty shape may begin at a null pointer. */
    uintptr_t first = (uintptr_t)(is_get(transfer) ? source : dest) + (uintptr_t)extent.low;
    const void *near = route_remote(transfer, (const void *)first, extent.bytes);
    if (shape->block_bytes != 0)
        perform_fenced(transfer);
    if (shape->block_bytes == 0) {
        set_complete(transfer);
    } else if (near) {
        set_copies(transfer, move_shape(transfer, shape, dest, source,
                                        (ptrdiff_t)((uintptr_t)near - first)));
    } else {
        send_shape(transfer, shape, dest, source);
    }
}

void sheaf_transfer_shape(const struct sheaf_transfer *transfer, void *dest, const void *source,
                          const struct sheaf_shape_call *given)
{
    struct sheaf_shape shape;
    if (sheaf_unlikely(!sheaf_route_is_near(transfer->pe)))
        sheaf_job_require(transfer->call);
    sheaf_shape_read(&shape, given, transfer->call);
    if (transfer->kind == SHEAF_TRANSFER_ACCUMULATE)
        check_number(transfer, dest, &shape);
    if (sheaf_unlikely(!sheaf_route_is_near(transfer->pe) || shape.block_bytes == 0)) {
        shape_slowly(transfer, &shape, dest, source);
        return;
    }
    set_copies(transfer, move_shape(transfer, &shape, dest, source,
                                    (ptrdiff_t)sheaf_route_near(NULL, transfer->pe)));
}

/* Of a vector of an accumulate. */
static void check_vector_numbers(const struct sheaf_transfer *transfer, const shmemx_vector_t *vector,
                                 size_t i)
{
    size_t alignment = alignment_of(transfer);
    size_t bytes = sheaf_number_sizes[transfer->scale->number].bytes;
    if (sheaf_unlikely(vector->bytes % bytes != 0))
        sheaf_fatal("SH122 %s: vectors[%zu].bytes is %zu, no whole number of elements of %zu bytes",
                    transfer->call, i, vector->bytes, bytes);
    for (size_t k = 0; k < vector->count; k++)
        if (sheaf_unlikely((uintptr_t)vector->dests[k] % alignment != 0))
            sheaf_fatal("SH107 %s: vectors[%zu].dests[%zu] is %p; expected a multiple of %zu",
                        transfer->call, i, k, vector->dests[k], alignment);
}

static void check_vector(const struct sheaf_transfer *transfer, const shmemx_vector_t *vector, size_t i)
{
    const char *call = transfer->call;
    if (sheaf_unlikely(vector->count > PTRDIFF_MAX || vector->bytes > PTRDIFF_MAX))
        sheaf_fatal("SH105 %s: vectors[%zu] has %td pairs of %td bytes; expected 0 or more", call, i,
                    (ptrdiff_t)vector->count, (ptrdiff_t)vector->bytes);
    if (sheaf_unlikely(vector->count != 0 && (!vector->dests || !vector->sources)))
        sheaf_fatal("SH108 %s: vectors[%zu].%s is a null pointer", call, i,
                    vector->dests ? "sources" : "dests");
    if (transfer->scale)
        check_vector_numbers(transfer, vector, i);
}

/* Pairs that are long enough for the copier. Returns its ticket, or 0. */
static uint64_t copy_long_vector(const shmemx_vector_t *vector, ptrdiff_t dest_distance,
                                 ptrdiff_t source_distance)
{
    uint64_t copies = 0;
    for (size_t i = 0; i < vector->count; i++) {
        const struct sheaf_row row = {
            (void *)((uintptr_t)vector->dests[i] + (uintptr_t)dest_distance),
            (const void *)((uintptr_t)vector->sources[i] + (uintptr_t)source_distance),
            {0, 0, vector->bytes, 1}};
        uint64_t ticket = sheaf_copier_copy_row(&row);
        copies = ticket ? ticket : copies;
    }
    return copies;
}

static void copy_vector(const shmemx_vector_t *vector, ptrdiff_t dest_distance,
                        ptrdiff_t source_distance)
{
    for (size_t i = 0; i < vector->count; i++) {
        void *dest = (void *)((uintptr_t)vector->dests[i] + (uintptr_t)dest_distance);
        uintptr_t source = (uintptr_t)vector->sources[i] + (uintptr_t)source_distance;
        if (vector->bytes == 8)
            memcpy(dest, (const void *)source, 8);
        else
            memcpy(dest, (const void *)source, vector->bytes);
    }
    sheaf_fence_copy();
}

/* distance: from the addresses of the dests to those in this process. */
static void accumulate_vector(const struct sheaf_transfer *transfer, const shmemx_vector_t *vector,
                              ptrdiff_t distance)
{
    const struct sheaf_sums sums = {transfer->scale, distance, transfer->pe};
    for (size_t i = 0; i < vector->count; i++)
        sheaf_accumulate(&sums, vector->dests[i], vector->sources[i], vector->bytes);
}

/* Whether the pair continues the batch's last row; if so, the row has been extended by it. */
static bool extend_last_row(struct batch *batch, void *dest, const void *source, size_t bytes,
                            const struct sheaf_segment *segment)
{
    if (batch->count == 0 || batch->segment != segment)
        return false;
    struct sheaf_row *row = &batch->rows[batch->count - 1];
    struct sheaf_blocks *blocks = &row->blocks;
    ptrdiff_t last = (ptrdiff_t)blocks->count - 1;
    ptrdiff_t dest_stride = (ptrdiff_t)((uintptr_t)dest - (uintptr_t)row->dest) -
                            last * blocks->dest_stride;
    ptrdiff_t source_stride = (ptrdiff_t)((uintptr_t)source - (uintptr_t)row->source) -
                              last * blocks->source_stride;
    bool fits = last == 0 || (blocks->dest_stride == dest_stride &&
                              blocks->source_stride == source_stride);
    if (!fits || blocks->block_bytes != bytes)
        return false;
    if (batch->transfer->scale && !sheaf_shape_is_apart(dest_stride, bytes)) /* the same piece again */
        return false;
    blocks->dest_stride = dest_stride;
    blocks->source_stride = source_stride;
    blocks->count++;
    return true;
}

static void add_pair(struct batch *batch, void *dest, const void *source, size_t bytes)
{
    struct sheaf_row row = {dest, source, {0, 0, bytes, 1}};
    const struct sheaf_segment *segment =
        sheaf_symmetric_segment(is_get(batch->transfer) ? source : dest);
    if (!extend_last_row(batch, dest, source, bytes, segment))
        add_to_batch(batch, &row);
    batch->segment = segment;
}

/* Checks a pair as route_remote() does. */
static void *check_pair(const struct sheaf_transfer *transfer, const shmemx_vector_t *vector,
                        size_t i)
{
    const void *remote = is_get(transfer) ? vector->sources[i] : vector->dests[i];
    return route_remote(transfer, remote, vector->bytes);
}

static void accumulate_pair(const struct sheaf_transfer *transfer, const shmemx_vector_t *vector, size_t i,
                            const void *near)
{
    ptrdiff_t distance = (ptrdiff_t)((uintptr_t)near - (uintptr_t)vector->dests[i]);
    sheaf_accumulate(&(struct sheaf_sums){transfer->scale, distance, transfer->pe}, vector->dests[i],
                     vector->sources[i], vector->bytes);
}

static void copy_pairs(const struct sheaf_transfer *transfer, const shmemx_vector_t *vector)
{
    for (size_t i = 0; i < vector->count && vector->bytes != 0; i++) {
        void *near = check_pair(transfer, vector, i);
        if (is_get(transfer))
            memcpy(vector->dests[i], near, vector->bytes);
        else if (transfer->scale)
            accumulate_pair(transfer, vector, i, near);
        else
            memcpy(near, vector->sources[i], vector->bytes);
    }
    sheaf_fence_copy();
}

static void add_pairs(struct batch *batch, const shmemx_vector_t *vector)
{
    for (size_t i = 0; i < vector->count && vector->bytes != 0; i++) {
        check_pair(batch->transfer, vector, i);
        add_pair(batch, vector->dests[i], vector->sources[i], vector->bytes);
    }
}

static __attribute__((noinline)) void send_vectors(const struct sheaf_transfer *transfer,
                                                   const shmemx_vector_t *vectors, size_t count)
{
    struct batch batch;
    begin_batch(&batch, transfer);
    for (size_t i = 0; i < count; i++)
        add_pairs(&batch, &vectors[i]);
    finish_batch(&batch);
}

static void vectors_slowly(const struct sheaf_transfer *transfer, const shmemx_vector_t *vectors,
                           size_t count)
{
    bool is_near = sheaf_route_is_on_node(transfer->pe, transfer->call);
    perform_fenced(transfer);
    if (!is_near) {
        send_vectors(transfer, vectors, count);
        return;
    }
    for (size_t i = 0; i < count; i++)
        copy_pairs(transfer, &vectors[i]);
    set_complete(transfer);
}

void sheaf_transfer_vector(const struct sheaf_transfer *transfer, const shmemx_vector_t *vectors,
                           size_t count)
{
    if (sheaf_unlikely(!sheaf_route_is_near(transfer->pe)))
        sheaf_job_require(transfer->call);
    for (size_t i = 0; i < count; i++)
        check_vector(transfer, &vectors[i], i);
    if (sheaf_unlikely(!sheaf_route_is_near(transfer->pe))) {
        vectors_slowly(transfer, vectors, count);
        return;
    }
    ptrdiff_t distance = (ptrdiff_t)sheaf_route_near(NULL, transfer->pe);
    ptrdiff_t of_dest = is_get(transfer) ? 0 : distance, of_source = is_get(transfer) ? distance : 0;
    uint64_t copies = 0, ticket;
    for (size_t i = 0; i < count; i++)
        if (transfer->scale)
            accumulate_vector(transfer, &vectors[i], of_dest);
        else if (!transfer->nb || vectors[i].bytes < sheaf_copier_from)
            copy_vector(&vectors[i], of_dest, of_source);
        else if ((ticket = copy_long_vector(&vectors[i], of_dest, of_source)) != 0)
            copies = ticket;
    set_copies(transfer, copies);
}

/* On a node the call was complete when it returned, but for what the copier has, and but that other PEs may
 * not yet see its stores. */
static bool is_done(struct sheaf_handle *handle)
{
    if (handle && (sheaf_load_acquire(&handle->left) != 0 ||
                   (handle->copies && !sheaf_copier_test(handle->copies))))
        return false;
    sheaf_fence_full();
    return true;
}

static void free_handle(shmemx_handle_t *handle)
{
    free(*handle);
    *handle = SHMEMX_HANDLE_COMPLETE;
}

static void work_for(const struct sheaf_handle *handle)
{
    struct sheaf_far_call far;
    sheaf_far_begin(&far, handle->ctx, handle->pe);
    sheaf_network->work(far.stream);
}

bool sheaf_transfer_test(shmemx_handle_t *handle)
{
    SHEAF_KEEP_ERRNO;
    if (!is_done(*handle)) {
        if (!(*handle)->copies)
            work_for(*handle);
        if (!is_done(*handle)) {
            sheaf_wait_polled();
            return false;
        }
    }
    free_handle(handle);
    return true;
}

void sheaf_transfer_wait(shmemx_handle_t *handle)
{
    SHEAF_KEEP_ERRNO;
    if (*handle && (*handle)->copies)
        sheaf_copier_wait((*handle)->copies);
    if (!is_done(*handle)) {
        struct sheaf_far_call far;
        sheaf_far_begin(&far, (*handle)->ctx, (*handle)->pe);
        sheaf_far_wait(&far, &(*handle)->left);
    }
    free_handle(handle);
}

/* Returns once the target has marked its node. */
static void mark_far(float *dest, int pe, const char *call)
{
    const struct sheaf_scale mark = {.number = SHEAF_MEETS_ATOMICS};
    const size_t bytes = sizeof *dest;
    const float unused = 0;
    shmemx_handle_t handle = SHMEMX_HANDLE_COMPLETE;
    const struct sheaf_transfer transfer = {
        SHEAF_TRANSFER_ACCUMULATE, true, SHMEM_CTX_DEFAULT, pe, call, &handle, &mark};
    sheaf_transfer_shape(&transfer, dest, &unused, &(struct sheaf_shape_call){NULL, NULL, &bytes, 1});
    sheaf_transfer_wait(&handle);
}

/* By node: whether this process has marked it. NULL where processes may be replaced: the mark is then made
 * before each operation. */
static unsigned char *marked_nodes(void)
{
    static unsigned char *marked;
    unsigned char *now = sheaf_load_acquire(&marked);
    if (now || !sheaf_survival->members_stay)
        return now;
    unsigned char *made = calloc((size_t)sheaf_boot.nodes, 1);
    if (made && __atomic_compare_exchange_n(&marked, &now, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return made;
    free(made);
    return now;
}

void sheaf_transfer_before_float_atomic(void *dest, size_t bytes, int pe, const char *call)
{
    SHEAF_KEEP_ERRNO;
    bool is_near = sheaf_route_slow(dest, bytes, pe, call) != NULL;
    unsigned char *marked = marked_nodes();
    int node = sheaf_boot_node_of(pe);
    if ((marked && sheaf_load_acquire(&marked[node])) || (uintptr_t)dest % sizeof(float) != 0)
        return;
    if (is_near)
        sheaf_accumulate_meets_atomics();
    else
        mark_far(dest, pe, call);
    if (marked)
        sheaf_store_release(&marked[node], 1);
    if (is_near)
        sheaf_route_open_floats();
}
