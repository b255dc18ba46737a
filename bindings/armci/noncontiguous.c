/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Strided and vector transfers.
 */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

#define DIMS (ARMCI_MAX_STRIDE_LEVEL + 1)

/* Runs of counts[0] bytes. Dimensions of one run are left out, and what lies in one piece on both
 * sides is one run. */
struct shape {
    int dims;
    size_t counts[DIMS];
    ptrdiff_t remote_strides[DIMS], local_strides[DIMS];
    ptrdiff_t low, high; /* the bytes of the remote side lie between, counted from its address */
};

static void note_extent(const char *call, struct shape *shape, ptrdiff_t stride, size_t count)
{
    ptrdiff_t span;
    bool is_too_far = __builtin_mul_overflow(stride, (ptrdiff_t)count - 1, &span) ||
                      __builtin_add_overflow(stride < 0 ? shape->low : shape->high, span,
                                             stride < 0 ? &shape->low : &shape->high);
    if (is_too_far)
        sheaf_armci_refuse(call, "%zu runs with a stride of %td bytes leave the address space",
                           count, stride);
}

static void add_dimension(struct shape *shape, size_t count, ptrdiff_t remote, ptrdiff_t local)
{
    if (shape->dims == 1 && remote == local && remote == (ptrdiff_t)shape->counts[0]) {
        shape->counts[0] *= count; /* no more than high */
        return;
    }
    shape->counts[shape->dims] = count;
    shape->remote_strides[shape->dims - 1] = remote;
    shape->local_strides[shape->dims - 1] = local;
    shape->dims++;
}

/* false where nothing is to be moved. */
static bool read_shape(const char *call, struct shape *shape, const int *remote_strides,
                       const int *local_strides, const int *count, int levels)
{
    if (levels < 0 || levels > ARMCI_MAX_STRIDE_LEVEL)
        sheaf_armci_refuse(call, "stride_levels is %d, not 0 to %d", levels,
                           ARMCI_MAX_STRIDE_LEVEL);
    if (!count || (levels > 0 && (!remote_strides || !local_strides)))
        sheaf_armci_refuse(call, "%s a null pointer",
                           count ? "the strides of src or of dst are" : "count is");
    for (int i = 0; i <= levels; i++)
        if (count[i] < 0)
            sheaf_armci_refuse(call, "count[%d] is %d, which is negative", i, count[i]);
    for (int i = 0; i <= levels; i++)
        if (count[i] == 0)
            return false;
    *shape = (struct shape){.dims = 1, .counts = {(size_t)count[0]}, .high = count[0]};
    for (int i = 1; i <= levels; i++) {
        if (count[i] == 1)
            continue;
        note_extent(call, shape, remote_strides[i - 1], (size_t)count[i]);
        add_dimension(shape, (size_t)count[i], remote_strides[i - 1], local_strides[i - 1]);
    }
    return true;
}

#define ACCUMULATE_TYPE(code, name, type)                                                          \
    case code: {                                                                                   \
        type scale;                                                                                \
        memcpy(&scale, transfer->scale, sizeof scale);                                             \
        if (!transfer->pending)                                                                    \
            shmemx_##name##_accumulate_strided((type *)(void *)remote, (type *)(void *)local,      \
                                               scale, shape->remote_strides, shape->local_strides, \
                                               shape->counts, shape->dims, transfer->pe);          \
        else                                                                                       \
            shmemx_##name##_accumulate_strided_nb(                                                 \
                (type *)(void *)remote, (type *)(void *)local, scale, shape->remote_strides,       \
                shape->local_strides, shape->counts, shape->dims, transfer->pe, handle);           \
        break;                                                                                     \
    }

/* Whether OpenSHMEM's call takes the shape: no run begins within another one, and an accumulate's
 * elements lie at whole distances. Other shapes are moved run by run. */
static bool is_regular(const struct sheaf_armci_transfer *transfer, const struct shape *shape)
{
    const ptrdiff_t run = (ptrdiff_t)shape->counts[0];
    const bool is_accumulate = transfer->kind == ACCUMULATE;
    const ptrdiff_t unit = is_accumulate ? (ptrdiff_t)sheaf_armci_element(transfer->type) : 1;
    for (int i = 0; i < shape->dims - 1; i++) {
        ptrdiff_t there = shape->remote_strides[i], here = shape->local_strides[i];
        if (labs(there) < run || labs(here) < run || there % unit != 0 || here % unit != 0)
            return false;
    }
    return true;
}

/* Of two dimensions or more. False where the first run is one for OpenSHMEM's call: then all are.
 */
static bool accumulate_runs(const struct sheaf_armci_transfer *transfer, char *remote, char *local,
                            const struct shape *shape, int dims)
{
    if (dims == 2) {
        struct sheaf_armci_rows rows = {shape->counts[1], shape->counts[0],
                                        shape->remote_strides[0], shape->local_strides[0]};
        return sheaf_armci_accumulate(transfer, remote, local, &rows);
    }
    for (size_t i = 0; i < shape->counts[dims - 1]; i++) {
        if (!accumulate_runs(transfer, remote, local, shape, dims - 1))
            return false;
        remote += shape->remote_strides[dims - 2];
        local += shape->local_strides[dims - 2];
    }
    return true;
}

static void accumulate_shape(const struct sheaf_armci_transfer *transfer, char *remote, char *local,
                             const struct shape *shape, shmemx_handle_t *handle)
{
    if (accumulate_runs(transfer, remote, local, shape, shape->dims))
        return;
    switch (transfer->type) {
        SHEAF_ARMCI_TYPES(ACCUMULATE_TYPE)
    }
}

/* OpenSHMEM's calls take fewer dimensions: those above them are loops. */
static void move_shape(const struct sheaf_armci_transfer *transfer, char *remote, char *local,
                       struct shape shape)
{
    int top = shape.dims - 1;
    if (shape.dims > SHMEMX_MAX_DIMS) {
        shape.dims--;
        for (size_t i = 0; i < shape.counts[top]; i++)
            move_shape(transfer, remote + (ptrdiff_t)i * shape.remote_strides[top - 1],
                       local + (ptrdiff_t)i * shape.local_strides[top - 1], shape);
        return;
    }
    shmemx_handle_t *handle =
        transfer->pending ? sheaf_armci_pending_next(transfer->pending) : NULL;
    const ptrdiff_t *there = shape.remote_strides, *here = shape.local_strides;
    if (transfer->kind == ACCUMULATE)
        accumulate_shape(transfer, remote, local, &shape, handle);
    else if (transfer->kind == PUT && transfer->pending)
        shmemx_putmem_strided_nb(remote, local, there, here, shape.counts, shape.dims, transfer->pe,
                                 handle);
    else if (transfer->kind == PUT)
        shmemx_putmem_strided(remote, local, there, here, shape.counts, shape.dims, transfer->pe);
    else if (transfer->pending)
        shmemx_getmem_strided_nb(local, remote, here, there, shape.counts, shape.dims, transfer->pe,
                                 handle);
    else
        shmemx_getmem_strided(local, remote, here, there, shape.counts, shape.dims, transfer->pe);
}

/* Also for the caller's own memory, which is in no allocation. */
static void move_runs(const struct sheaf_armci_transfer *transfer, char *remote, char *local,
                      struct shape shape)
{
    int top = shape.dims - 1;
    if (top == 0) {
        sheaf_armci_piece(transfer, remote, local, shape.counts[0]);
        return;
    }
    shape.dims--;
    for (size_t i = 0; i < shape.counts[top]; i++)
        move_runs(transfer, remote + (ptrdiff_t)i * shape.remote_strides[top - 1],
                  local + (ptrdiff_t)i * shape.local_strides[top - 1], shape);
}

static int transfer_strided(struct sheaf_armci_transfer *transfer, void *remote,
                            const int *remote_strides, void *local, const int *local_strides,
                            const int *count, int levels)
{
    struct shape shape;
    if (transfer->pending)
        transfer->pending->is_several = levels >= SHMEMX_MAX_DIMS;
    sheaf_armci_begin(transfer);
    if (read_shape(transfer->call, &shape, remote_strides, local_strides, count, levels)) {
        sheaf_armci_check_local(transfer, local);
        char *there =
            sheaf_armci_remote(transfer->call, transfer->kind == GET ? "src_ptr" : "dst_ptr",
                               remote, shape.low, shape.high, transfer->pe);
        if (transfer->kind == ACCUMULATE)
            sheaf_armci_check_elements(transfer, remote, shape.counts[0]);
        bool is_whole = there && is_regular(transfer, &shape);
        if (transfer->pending && !is_whole)
            transfer->pending->is_several = true;
        if (shape.dims == 1 || !is_whole)
            move_runs(transfer, remote, local, shape);
        else
            move_shape(transfer, there, local, shape);
    }
    sheaf_armci_end(transfer);
    return 0;
}

/* X(name, kind, remote side, local side) */
#define STRIDED_ARGUMENTS                                                                          \
    void *src, int *src_strides, void *dst, int *dst_strides, int *count, int levels, int proc
#define STRIDED(name, the_kind, remote, local)                                                     \
    int PARMCI_##name##S(STRIDED_ARGUMENTS)                                                        \
    {                                                                                              \
        MAY_WAIT                                                                                   \
        struct sheaf_armci_transfer transfer = {.call = CALL, .kind = the_kind, .pe = proc};       \
        return transfer_strided(&transfer, remote, remote##_strides, local, local##_strides,       \
                                count, levels);                                                    \
    }                                                                                              \
    TWIN(name##S)                                                                                  \
    int PARMCI_Nb##name##S(STRIDED_ARGUMENTS, armci_hdl_t *handle)                                 \
    {                                                                                              \
        MAY_WAIT                                                                                   \
        NONBLOCKING(.kind = the_kind)                                                              \
        return transfer_strided(&transfer, remote, remote##_strides, local, local##_strides,       \
                                count, levels);                                                    \
    }                                                                                              \
    TWIN(Nb##name##S)
STRIDED(Put, PUT, dst, src)
STRIDED(Get, GET, src, dst)

int PARMCI_AccS(int type, void *scale, STRIDED_ARGUMENTS)
{
    MAY_WAIT
    struct sheaf_armci_transfer transfer = {
        .call = CALL, .kind = ACCUMULATE, .pe = proc, .type = type, .scale = scale};
    return transfer_strided(&transfer, dst, dst_strides, src, src_strides, count, levels);
}
TWIN(AccS)

int PARMCI_NbAccS(int type, void *scale, STRIDED_ARGUMENTS, armci_hdl_t *handle)
{
    MAY_WAIT
    NONBLOCKING(.kind = ACCUMULATE, .type = type, .scale = scale)
    return transfer_strided(&transfer, dst, dst_strides, src, src_strides, count, levels);
}
TWIN(NbAccS)

int PARMCI_PutS_flag(void *src, int *src_strides, void *dst, int *dst_strides, int *count,
                     int levels, int *flag, int value, int proc)
{
    MAY_WAIT
    struct sheaf_armci_transfer transfer = {.call = CALL, .kind = PUT, .pe = proc};
    transfer_strided(&transfer, dst, dst_strides, src, src_strides, count, levels);
    return sheaf_armci_set_flag(CALL, flag, value, proc);
}
TWIN(PutS_flag)

/* On this process: the buffer has the runs one behind the other. */
static char *copy_runs(char *runs, int levels, const int *strides, const int *count, char *buffer,
                       bool is_read)
{
    if (levels == 0) {
        memmove(is_read ? runs : buffer, is_read ? buffer : runs, (size_t)count[0]);
        return buffer + count[0];
    }
    for (int i = 0; i < count[levels]; i++)
        buffer = copy_runs(runs + (ptrdiff_t)i * strides[levels - 1], levels - 1, strides, count,
                           buffer, is_read);
    return buffer;
}

void armci_write_strided(void *source, int levels, int strides[], int count[], char *buffer)
{
    struct shape shape;
    if (read_shape(CALL, &shape, strides, strides, count, levels))
        copy_runs(source, levels, strides, count, buffer, false);
}

void armci_read_strided(void *dest, int levels, int strides[], int count[], char *buffer)
{
    struct shape shape;
    if (read_shape(CALL, &shape, strides, strides, count, levels))
        copy_runs(dest, levels, strides, count, buffer, true);
}

/* Lists of pieces. */
#define VECTOR_ARGUMENTS armci_giov_t *vectors, int nvectors, int proc
#define ON_STACK         64 /* addresses of a list */

/* The remote sides' symmetric addresses; false where one is private memory of the caller's. */
static bool translate_list(const struct sheaf_armci_transfer *transfer, const armci_giov_t *vector,
                           void **there)
{
    bool is_get = transfer->kind == GET;
    void **addresses = is_get ? vector->src_ptr_array : vector->dst_ptr_array;
    void **here = is_get ? vector->dst_ptr_array : vector->src_ptr_array;
    for (int i = 0; i < vector->ptr_array_len; i++) {
        there[i] = sheaf_armci_remote(transfer->call, is_get ? "src_ptr_array" : "dst_ptr_array",
                                      addresses[i], 0, vector->bytes, transfer->pe);
        sheaf_armci_check_local(transfer, here[i]);
        if (!there[i])
            return false;
        if (transfer->kind == ACCUMULATE)
            sheaf_armci_check_elements(transfer, addresses[i], (size_t)vector->bytes);
    }
    return true;
}

#define ACCUMULATE_LIST(code, name, type)                                                          \
    case code: {                                                                                   \
        type scale;                                                                                \
        memcpy(&scale, transfer->scale, sizeof scale);                                             \
        if (!transfer->pending)                                                                    \
            shmemx_##name##_accumulate_vector(list, 1, scale, transfer->pe);                       \
        else                                                                                       \
            shmemx_##name##_accumulate_vector_nb(list, 1, scale, transfer->pe, handle);            \
        break;                                                                                     \
    }

static void accumulate_list(const struct sheaf_armci_transfer *transfer,
                            const shmemx_vector_t *list, shmemx_handle_t *handle)
{
    switch (transfer->type) {
        SHEAF_ARMCI_TYPES(ACCUMULATE_LIST)
    }
}

static void move_list(const struct sheaf_armci_transfer *transfer, const armci_giov_t *vector,
                      void **there)
{
    bool is_get = transfer->kind == GET;
    shmemx_vector_t list = {is_get ? vector->dst_ptr_array : there,
                            (const void *const *)(is_get ? there : vector->src_ptr_array),
                            (size_t)vector->ptr_array_len, (size_t)vector->bytes};
    shmemx_handle_t *handle =
        transfer->pending ? sheaf_armci_pending_next(transfer->pending) : NULL;
    if (transfer->kind == ACCUMULATE)
        accumulate_list(transfer, &list, handle);
    else if (transfer->pending && is_get)
        shmemx_getmem_vector_nb(&list, 1, transfer->pe, handle);
    else if (transfer->pending)
        shmemx_putmem_vector_nb(&list, 1, transfer->pe, handle);
    else if (is_get)
        shmemx_getmem_vector(&list, 1, transfer->pe);
    else
        shmemx_putmem_vector(&list, 1, transfer->pe);
}

static void move_pieces(const struct sheaf_armci_transfer *transfer, const armci_giov_t *vector)
{
    bool is_get = transfer->kind == GET;
    if (transfer->pending)
        transfer->pending->is_several = true;
    for (int i = 0; i < vector->ptr_array_len; i++) {
        void *source = vector->src_ptr_array[i], *dest = vector->dst_ptr_array[i];
        sheaf_armci_piece(transfer, is_get ? source : dest, is_get ? dest : source,
                          (size_t)vector->bytes);
    }
}

static void move_vector(const struct sheaf_armci_transfer *transfer, const armci_giov_t *vector,
                        int at)
{
    int count = vector->ptr_array_len;
    if (vector->bytes < 0 || count < 0)
        sheaf_armci_refuse(transfer->call, "iov[%d] has %d pieces of %d bytes", at, count,
                           vector->bytes);
    if (vector->bytes == 0 || count == 0)
        return;
    if (!vector->src_ptr_array || !vector->dst_ptr_array)
        sheaf_armci_refuse(transfer->call,
                           "iov[%d] has %d pieces, and a null pointer for their addresses", at,
                           count);
    void *on_stack[ON_STACK], **there = on_stack;
    if (count > ON_STACK)
        there = malloc((size_t)count * sizeof *there);
    if (!there)
        sheaf_armci_refuse(transfer->call, "no memory for the addresses of %d pieces", count);
    if (!sheaf_armci_accumulates_here(transfer) && translate_list(transfer, vector, there))
        move_list(transfer, vector, there);
    else
        move_pieces(transfer, vector);
    if (there != on_stack)
        free(there);
}

static int transfer_vectors(struct sheaf_armci_transfer *transfer, const armci_giov_t *vectors,
                            int nvectors)
{
    if (nvectors < 0)
        sheaf_armci_refuse(transfer->call, "iov_len is %d, which is negative", nvectors);
    if (nvectors > 0 && !vectors)
        sheaf_armci_refuse(transfer->call, "iov is a null pointer");
    if (transfer->pending)
        transfer->pending->is_several = nvectors > 1;
    sheaf_armci_begin(transfer);
    for (int i = 0; i < nvectors; i++)
        move_vector(transfer, &vectors[i], i);
    sheaf_armci_end(transfer);
    return 0;
}

#define VECTOR(name, the_kind)                                                                     \
    int PARMCI_##name##V(VECTOR_ARGUMENTS)                                                         \
    {                                                                                              \
        MAY_WAIT                                                                                   \
        struct sheaf_armci_transfer transfer = {.call = CALL, .kind = the_kind, .pe = proc};       \
        return transfer_vectors(&transfer, vectors, nvectors);                                     \
    }                                                                                              \
    TWIN(name##V)                                                                                  \
    int PARMCI_Nb##name##V(VECTOR_ARGUMENTS, armci_hdl_t *handle)                                  \
    {                                                                                              \
        MAY_WAIT                                                                                   \
        NONBLOCKING(.kind = the_kind)                                                              \
        return transfer_vectors(&transfer, vectors, nvectors);                                     \
    }                                                                                              \
    TWIN(Nb##name##V)
VECTOR(Put, PUT)
VECTOR(Get, GET)

int PARMCI_AccV(int type, void *scale, VECTOR_ARGUMENTS)
{
    MAY_WAIT
    struct sheaf_armci_transfer transfer = {
        .call = CALL, .kind = ACCUMULATE, .pe = proc, .type = type, .scale = scale};
    return transfer_vectors(&transfer, vectors, nvectors);
}
TWIN(AccV)

int PARMCI_NbAccV(int type, void *scale, VECTOR_ARGUMENTS, armci_hdl_t *handle)
{
    MAY_WAIT
    NONBLOCKING(.kind = ACCUMULATE, .type = type, .scale = scale)
    return transfer_vectors(&transfer, vectors, nvectors);
}
TWIN(NbAccV)
