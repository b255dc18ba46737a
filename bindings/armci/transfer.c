/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Contiguous transfers and values, and what all transfers share: their order, and one call of
 * OpenSHMEM for each type.
 */
#include "internal.h"

#include <string.h>

void sheaf_armci_check_elements(const struct sheaf_armci_transfer *transfer, const void *remote,
                                size_t bytes)
{
    size_t size = sheaf_armci_element(transfer->type);
    size_t alignment = sheaf_armci_alignment(transfer->type);
    if (bytes % size != 0)
        sheaf_armci_refuse(transfer->call, "%zu bytes are no whole number of elements of %zu bytes",
                           bytes, size);
    if ((uintptr_t)remote % alignment != 0)
        sheaf_armci_refuse(transfer->call, "dst %p of process %d is no multiple of %zu", remote,
                           transfer->pe, alignment);
}

void sheaf_armci_begin(const struct sheaf_armci_transfer *transfer)
{
    sheaf_armci_check_process(transfer->call, transfer->pe);
    if (transfer->kind == ACCUMULATE && (unsigned)transfer->type > ARMCI_ACC_DCP)
        sheaf_armci_refuse(transfer->call, "datatype is %d, none of the ARMCI_ACC_ constants",
                           transfer->type);
    if (transfer->kind == ACCUMULATE && !transfer->scale)
        sheaf_armci_refuse(transfer->call, "scale is a null pointer");
    if (transfer->kind == GET)
        sheaf_armci_before_load(transfer->pe);
    else
        sheaf_armci_before_store(transfer->pe);
    if (transfer->pending)
        sheaf_armci_pending_begin(transfer->pending);
}

void sheaf_armci_end(const struct sheaf_armci_transfer *transfer)
{
    if (transfer->pending) {
        sheaf_armci_mark(transfer->pe, transfer->kind == GET ? LOADS : STORES);
        sheaf_armci_pending_end(transfer->pending);
    } else if (transfer->kind != GET) {
        sheaf_armci_after_store(transfer->pe);
    }
}

#define ACCUMULATE_TYPE(code, name, type)                                                          \
    case code: {                                                                                   \
        type scale;                                                                                \
        memcpy(&scale, transfer->scale, sizeof scale);                                             \
        if (!transfer->pending)                                                                    \
            shmemx_##name##_accumulate((type *)remote, (const type *)local, scale,                 \
                                       bytes / sizeof(type), transfer->pe);                        \
        else                                                                                       \
            shmemx_##name##_accumulate_nb((type *)remote, (const type *)local, scale,              \
                                          bytes / sizeof(type), transfer->pe,                      \
                                          sheaf_armci_pending_next(transfer->pending));            \
        break;                                                                                     \
    }

static void add_numbers(const struct sheaf_armci_transfer *transfer, void *remote, const void *local,
                        size_t bytes)
{
    if (sheaf_armci_accumulate(transfer, remote, local,
                               &(struct sheaf_armci_rows){.count = 1, .bytes = bytes}))
        return;
    switch (transfer->type) {
        SHEAF_ARMCI_TYPES(ACCUMULATE_TYPE)
    }
}

static void move_later(const struct sheaf_armci_transfer *transfer, void *remote, void *local,
                       size_t bytes)
{
    shmemx_handle_t *handle = sheaf_armci_pending_next(transfer->pending);
    if (transfer->kind == PUT)
        shmemx_putmem_strided_nb(remote, local, NULL, NULL, &bytes, 1, transfer->pe, handle);
    else
        shmemx_getmem_strided_nb(local, remote, NULL, NULL, &bytes, 1, transfer->pe, handle);
}

/* The caller's own memory, which is in no allocation. */
static void move_private(const struct sheaf_armci_transfer *transfer, void *remote, void *local,
                         size_t bytes)
{
    if (transfer->kind == ACCUMULATE)
        sheaf_armci_refuse(
            transfer->call,
            "dst %p lies in no allocation of process %d: freed, or not of ARMCI_Malloc", remote,
            transfer->pe);
    memmove(transfer->kind == PUT ? remote : local, transfer->kind == PUT ? local : remote, bytes);
}

void sheaf_armci_piece(const struct sheaf_armci_transfer *transfer, void *remote, void *local,
                       size_t bytes)
{
    if (bytes == 0)
        return;
    sheaf_armci_check_local(transfer, local);
    if (transfer->kind == ACCUMULATE)
        sheaf_armci_check_elements(transfer, remote, bytes);
    void *there = sheaf_armci_remote(transfer->call, transfer->kind == GET ? "src" : "dst", remote,
                                     0, (ptrdiff_t)bytes, transfer->pe);
    if (!there)
        move_private(transfer, remote, local, bytes);
    else if (transfer->kind == ACCUMULATE)
        add_numbers(transfer, there, local, bytes);
    else if (transfer->pending)
        move_later(transfer, there, local, bytes);
    else if (transfer->kind == PUT)
        shmem_putmem(there, local, bytes, transfer->pe);
    else
        shmem_getmem(local, there, bytes, transfer->pe);
}

static int transfer_contiguous(const struct sheaf_armci_transfer *transfer, void *remote, void *local,
                               int bytes)
{
    if (bytes < 0)
        sheaf_armci_refuse(transfer->call, "bytes is %d, which is negative", bytes);
    sheaf_armci_begin(transfer);
    sheaf_armci_piece(transfer, remote, local, (size_t)bytes);
    sheaf_armci_end(transfer);
    return 0;
}

/* A blocking call that sheaf_armci_quick does not take, made at place. */
static int transfer_slowly(const struct sheaf_armci_transfer *transfer, void *remote, void *local,
                           int bytes, const void *place)
{
    WAITS_WHERE(sheaf_armci.is_spread, transfer->call, place)
    return transfer_contiguous(transfer, remote, local, bytes);
}

/* With the caller's first arguments in their places, so that the short way of a put or a get saves no
 * registers. */
static __attribute__((noinline)) int put_slowly(void *source, void *dest, int bytes, int proc,
                                                const char *call, const void *place)
{
    const struct sheaf_armci_transfer transfer = {.call = call, .kind = PUT, .pe = proc};
    return transfer_slowly(&transfer, dest, source, bytes, place);
}

static __attribute__((noinline)) int get_slowly(void *source, void *dest, int bytes, int proc,
                                                const char *call, const void *place)
{
    const struct sheaf_armci_transfer transfer = {.call = call, .kind = GET, .pe = proc};
    return transfer_slowly(&transfer, source, dest, bytes, place);
}

/* Behind stores there. */
static __attribute__((noinline)) void get_behind(const char *there, void *dest, int bytes, int proc)
{
    sheaf_armci_complete(proc);
    shmem_getmem(dest, there, (size_t)bytes, proc);
}

static inline __attribute__((always_inline)) int put(const char *call, void *source, void *dest,
                                                     int bytes, int proc)
{
    char *there = sheaf_armci_quick(dest, bytes, proc);
    if (!there || !source)
        return put_slowly(source, dest, bytes, proc, call, PLACE);
    sheaf_armci_mark_quickly(proc);
    shmem_putmem(there, source, (size_t)bytes, proc);
    shmem_fence();
    return 0;
}

static inline __attribute__((always_inline)) int get(const char *call, void *source, void *dest,
                                                     int bytes, int proc)
{
    char *there = sheaf_armci_quick(source, bytes, proc);
    if (!there || !dest)
        return get_slowly(source, dest, bytes, proc, call, PLACE);
    if (sheaf_armci_under_way[proc] & STORES)
        get_behind(there, dest, bytes, proc);
    else
        shmem_getmem(dest, there, (size_t)bytes, proc);
    return 0;
}

int PARMCI_Put(void *source, void *dest, int bytes, int proc)
{
    return put(CALL, source, dest, bytes, proc);
}
TWIN(Put)

int PARMCI_Get(void *source, void *dest, int bytes, int proc)
{
    return get(CALL, source, dest, bytes, proc);
}
TWIN(Get)

static inline bool are_whole(const char *there, int bytes, size_t element)
{
    return there && (((uintptr_t)there | (unsigned)bytes) & (element - 1)) == 0;
}

static __attribute__((noinline)) int accumulate(const char *call, int type, void *scale, void *source,
                                                void *dest, int bytes, int proc, const void *place)
{
    const bool is_int = type == ARMCI_ACC_INT;
    char *there = scale && source ? sheaf_armci_quick(dest, bytes, proc) : NULL;
    const bool is_double = type == ARMCI_ACC_DBL && are_whole(there, bytes, sizeof(double));
    const bool is_integer = (is_int || type == ARMCI_ACC_LNG) &&
                            are_whole(there, bytes, is_int ? sizeof(int) : sizeof(long));
    if (!is_double && !is_integer)
        return transfer_slowly(
            &(struct sheaf_armci_transfer){
                .call = call, .kind = ACCUMULATE, .type = type, .scale = scale, .pe = proc},
            dest, source, bytes, place);
    sheaf_armci_mark_quickly(proc);
    if (is_integer) {
        sheaf_armci_accumulate_quickly(type, scale, there, source, (unsigned)bytes, proc);
        return 0;
    }
    double factor;
    memcpy(&factor, scale, sizeof factor);
    shmemx_double_accumulate((double *)(void *)there, source, factor,
                             (unsigned)bytes / sizeof(double), proc);
    shmem_fence();
    return 0;
}

/* One double or long saves few registers before, whose stores the processor would finish before the
 * atomic operation. */
int PARMCI_Acc(int type, void *scale, void *source, void *dest, int bytes, int proc)
{
    const bool is_long = type == ARMCI_ACC_LNG;
    if (bytes == sizeof(double) && (is_long || type == ARMCI_ACC_DBL) && scale && source) {
        char *there = sheaf_armci_quick(dest, sizeof(double), proc);
        if (are_whole(there, sizeof(double), sizeof(double))) {
            sheaf_armci_mark_quickly(proc);
            if (!is_long) {
                double factor;
                memcpy(&factor, scale, sizeof factor);
                shmemx_double_accumulate((double *)(void *)there, source, factor, 1, proc);
                shmem_fence();
                return 0;
            }
            if (sheaf_armci_add_long(scale, there, source, proc))
                return 0;
        }
    }
    return accumulate(CALL, type, scale, source, dest, bytes, proc, PLACE);
}
TWIN(Acc)

int PARMCI_NbPut(void *source, void *dest, int bytes, int proc, armci_hdl_t *handle)
{
    MAY_WAIT
    NONBLOCKING(.kind = PUT)
    return transfer_contiguous(&transfer, dest, source, bytes);
}
TWIN(NbPut)

int PARMCI_NbGet(void *source, void *dest, int bytes, int proc, armci_hdl_t *handle)
{
    MAY_WAIT
    NONBLOCKING(.kind = GET)
    return transfer_contiguous(&transfer, source, dest, bytes);
}
TWIN(NbGet)

int PARMCI_NbAcc(int type, void *scale, void *source, void *dest, int bytes, int proc,
                 armci_hdl_t *handle)
{
    MAY_WAIT
    NONBLOCKING(.kind = ACCUMULATE, .type = type, .scale = scale)
    return transfer_contiguous(&transfer, dest, source, bytes);
}
TWIN(NbAcc)

/* The flag follows the data. */
int sheaf_armci_set_flag(const char *call, int *flag, int value, int proc)
{
    int *there = (int *)sheaf_armci_remote(call, "flag", flag, 0, sizeof *flag, proc);
    shmem_fence();
    if (there)
        shmem_int_p(there, value, proc);
    else
        __atomic_store_n(flag, value, __ATOMIC_RELEASE);
    return 0;
}

int PARMCI_Put_flag(void *source, void *dest, int bytes, int *flag, int value, int proc)
{
    MAY_WAIT
    struct sheaf_armci_transfer transfer = {.call = CALL, .kind = PUT, .pe = proc};
    transfer_contiguous(&transfer, dest, source, bytes);
    return sheaf_armci_set_flag(CALL, flag, value, proc);
}
TWIN(Put_flag)

/* One value. Its source is a copy, so a nonblocking put of it is complete for its caller. */
#define VALUES(name, type)                                                                         \
    int PARMCI_PutValue##name(type value, void *dest, int proc)                                    \
    {                                                                                              \
        return put(CALL, &value, dest, sizeof value, proc);                                        \
    }                                                                                              \
    TWIN(PutValue##name)                                                                           \
    type PARMCI_GetValue##name(void *source, int proc)                                             \
    {                                                                                              \
        type value;                                                                                \
        get(CALL, source, &value, sizeof value, proc);                                             \
        return value;                                                                              \
    }                                                                                              \
    TWIN(GetValue##name)                                                                           \
    int PARMCI_NbPutValue##name(type value, void *dest, int proc, armci_hdl_t *handle)             \
    {                                                                                              \
        MAY_WAIT                                                                                   \
        NONBLOCKING(.kind = PUT)                                                                   \
        sheaf_armci_pending_begin(&pending);                                                       \
        transfer.pending = NULL;                                                                   \
        transfer_contiguous(&transfer, dest, &value, sizeof value);                                \
        sheaf_armci_pending_end(&pending);                                                         \
        return 0;                                                                                  \
    }                                                                                              \
    TWIN(NbPutValue##name)
VALUES(Int, int)
VALUES(Long, long)
VALUES(Float, float)
VALUES(Double, double)
