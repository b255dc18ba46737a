/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Transfers of shmemx.h: of many runs in a call, and their handles.
 */
#include "races/internal.h"

#define MOST_DIMS    7
#define MOST_HANDLES 256

/* Handles that are waited for, by where the program keeps them. */
static struct pending {
    const void *handle; /* NULL: free */
    shmem_ctx_t ctx;
    int pe; /* in the world */
} pending[MOST_HANDLES];

static void one_run(const struct races_call *call, shmem_ctx_t ctx, const void *dest, const void *source,
                    size_t bytes, int pe, enum races_transfer transfer, bool is_nb)
{
    struct races_shape shape = {bytes, 1, 0, 0};
    if (transfer == RACES_GET)
        races_get(call, ctx, dest, source, shape, pe, is_nb);
    else if (transfer == RACES_PUT)
        races_put(call, ctx, dest, source, shape, pe, is_nb);
    else
        races_accumulate(call, ctx, dest, source, shape, pe, is_nb);
}

/* What the library refuses is not looked at. */
static bool is_sound(const struct races_runs *runs)
{
    bool is_there = runs->dest && runs->source && runs->counts;
    bool has_strides = runs->dims == 1 || (runs->dest_strides && runs->source_strides);
    return is_there && has_strides && runs->dims >= 1 && runs->dims <= MOST_DIMS;
}

void races_runs(const struct races_call *call, shmem_ctx_t ctx, struct races_runs runs, int pe,
                enum races_transfer transfer, bool is_nb)
{
    size_t at[MOST_DIMS] = {0};
    if (!is_sound(&runs))
        return;
    for (int i = 0; i < runs.dims; i++)
        if (runs.counts[i] == 0)
            return;
    for (int dim = 0; dim < runs.dims;) {
        const char *dest = runs.dest, *source = runs.source;
        for (int i = 1; i < runs.dims; i++) {
            dest += (ptrdiff_t)at[i] * runs.dest_strides[i - 1];
            source += (ptrdiff_t)at[i] * runs.source_strides[i - 1];
        }
        one_run(call, ctx, dest, source, runs.counts[0], pe, transfer, is_nb);
        for (dim = 1; dim < runs.dims && ++at[dim] == runs.counts[dim]; dim++)
            at[dim] = 0;
    }
}

void races_vectors(const struct races_call *call, shmem_ctx_t ctx, const shmemx_vector_t *vectors,
                   size_t count, int pe, enum races_transfer transfer, bool is_nb)
{
    for (size_t i = 0; vectors && i < count; i++)
        for (size_t j = 0; vectors[i].dests && vectors[i].sources && j < vectors[i].count; j++)
            one_run(call, ctx, vectors[i].dests[j], vectors[i].sources[j], vectors[i].bytes, pe, transfer,
                    is_nb);
}

static void end_one(struct pending *one)
{
    races_channel_end(races_self, one->ctx, one->pe);
    one->handle = NULL;
}

void races_handle_begun(const struct races_call *call, shmem_ctx_t ctx, int pe, const void *handle)
{
    (void)call;
    pe = races_self && races.is_up && handle ? races_world_pe(ctx, pe) : -1;
    if (pe < 0)
        return;
    bool is_locked = races_lock();
    int i = 0;
    while (i < MOST_HANDLES - 1 && pending[i].handle && pending[i].handle != handle)
        i++;
    if (pending[i].handle && pending[i].handle != handle)
        end_one(&pending[i]); /* too many: a race may be missed */
    pending[i] = (struct pending){handle, ctx, pe};
    races_unlock(is_locked);
}

/* One that the program has copied is not known by its place: all are taken to have ended. */
void races_handle_ended(const struct races_call *call, const void *handle)
{
    (void)call;
    if (!races_self || !races.is_up)
        return;
    bool is_locked = races_lock(), is_known = false;
    for (int i = 0; i < MOST_HANDLES && !is_known; i++)
        if (handle && pending[i].handle == handle) {
            end_one(&pending[i]);
            is_known = true;
        }
    for (int i = 0; i < MOST_HANDLES && !is_known; i++)
        if (pending[i].handle)
            end_one(&pending[i]);
    races_unlock(is_locked);
}
