/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Noncontiguous puts and gets, and handles: extensions.
 */
#include "api/define.h"

#ifndef SHEAF_PRINT
#include "core/access/transfer.h"

/* Of the arguments of a strided routine. */
#define STRIDED(IS_GET)                                                                            \
    const struct sheaf_shape_call given = {dest_strides, source_strides, counts, dims};            \
    if (sheaf_likely(sheaf_transfer_near(dest, source, &given, pe, IS_GET, false)))                \
        return;

#define STRIDED_NB(IS_GET)                                                                         \
    const struct sheaf_shape_call given = {dest_strides, source_strides, counts, dims};            \
    if (sheaf_likely(sheaf_transfer_near(dest, source, &given, pe, IS_GET, true))) {               \
        if (handle)                                                                                \
            *handle = SHMEMX_HANDLE_COMPLETE;                                                      \
        return;                                                                                    \
    }

/* A routine's call, of ctx, pe and call of its body. */
#define TRANSFER(KIND, NB, HANDLE)                                                                 \
    const struct sheaf_transfer transfer = {.kind = SHEAF_TRANSFER_##KIND, .nb = NB, .ctx = ctx,   \
                                            .pe = pe, .call = call, .handle = HANDLE};            \
    SHEAF_FAR(SHEAF_CALL(call);)
#endif

SHEAF_CHAPTER("Noncontiguous remote memory access: extensions")

/* Writes an n-dimensional set of runs to PE pe. counts[0] is the length of a run in bytes; counts[i],
 * for i from 1 to dims - 1, is the extent of dimension i. strides[i - 1] is the distance in bytes
 * between neighbours in that dimension, at dest, symmetric, and at source, local; it may be negative.
 * dims is 1 to SHMEMX_MAX_DIMS; with 1 the strides may be null pointers. Where a count is 0 nothing is
 * written. A stride shorter than a run is an error; where runs of dest overlap otherwise, the overlap
 * holds any of the values written. source may be reused on return; the target has the data after
 * shmem_quiet. */
SHEAF_CTX_EXTENSION(void, putmem_strided,
                    (void *dest, const void *source, const ptrdiff_t *dest_strides,
                     const ptrdiff_t *source_strides, const size_t *counts, int dims, int pe), {
    STRIDED(false)
    TRANSFER(PUT, false, NULL)
    sheaf_transfer_shape(&transfer, dest, source, &given);
})

/* The same without waiting. Once *handle is complete source may be reused and the target has the data;
 * until then the program does not change source. The arrays that describe it may be reused on return.
 * shmem_quiet completes the call too, and is the only way where handle is a null pointer. */
SHEAF_CTX_EXTENSION(void, putmem_strided_nb,
                    (void *dest, const void *source, const ptrdiff_t *dest_strides,
                     const ptrdiff_t *source_strides, const size_t *counts, int dims, int pe,
                     shmemx_handle_t *handle), {
    STRIDED_NB(false)
    TRANSFER(PUT, true, handle)
    sheaf_transfer_shape(&transfer, dest, source, &given);
})

/* Reads an n-dimensional set of runs from PE pe, where source is symmetric; dest is local and
 * complete on return. Otherwise as shmemx_putmem_strided. */
SHEAF_CTX_EXTENSION(void, getmem_strided,
                    (void *dest, const void *source, const ptrdiff_t *dest_strides,
                     const ptrdiff_t *source_strides, const size_t *counts, int dims, int pe), {
    STRIDED(true)
    TRANSFER(GET, false, NULL)
    sheaf_transfer_shape(&transfer, dest, source, &given);
})

/* The same without waiting: dest is complete once *handle is, or, with a null pointer for handle,
 * after shmem_quiet. */
SHEAF_CTX_EXTENSION(void, getmem_strided_nb,
                    (void *dest, const void *source, const ptrdiff_t *dest_strides,
                     const ptrdiff_t *source_strides, const size_t *counts, int dims, int pe,
                     shmemx_handle_t *handle), {
    STRIDED_NB(true)
    TRANSFER(GET, true, handle)
    sheaf_transfer_shape(&transfer, dest, source, &given);
})

/* Writes lists of pieces to PE pe: of each of the nvectors vectors, for each i below its count, bytes
 * from sources[i], local, to dests[i], symmetric. Pieces of the destination do not overlap.
 * The sources may be reused on return; the target has the data after shmem_quiet. */
SHEAF_CTX_EXTENSION(void, putmem_vector, (const shmemx_vector_t *vectors, size_t nvectors, int pe), {
    TRANSFER(PUT, false, NULL)
    sheaf_transfer_vector(&transfer, vectors, nvectors);
})

/* The same without waiting, as shmemx_putmem_strided_nb. */
SHEAF_CTX_EXTENSION(void, putmem_vector_nb,
                    (const shmemx_vector_t *vectors, size_t nvectors, int pe,
                     shmemx_handle_t *handle), {
    TRANSFER(PUT, true, handle)
    sheaf_transfer_vector(&transfer, vectors, nvectors);
})

/* Reads lists of pieces from PE pe, where the sources are symmetric; the dests are local and complete
 * on return. Otherwise as shmemx_putmem_vector. */
SHEAF_CTX_EXTENSION(void, getmem_vector, (const shmemx_vector_t *vectors, size_t nvectors, int pe), {
    TRANSFER(GET, false, NULL)
    sheaf_transfer_vector(&transfer, vectors, nvectors);
})

/* The same without waiting, as shmemx_getmem_strided_nb. */
SHEAF_CTX_EXTENSION(void, getmem_vector_nb,
                    (const shmemx_vector_t *vectors, size_t nvectors, int pe,
                     shmemx_handle_t *handle), {
    TRANSFER(GET, true, handle)
    sheaf_transfer_vector(&transfer, vectors, nvectors);
})

/* Returns 1 when the call of *handle is complete, and sets *handle to SHMEMX_HANDLE_COMPLETE, otherwise 0.
 * Every handle is to be tested or waited for until it is complete, also after a shmem_quiet; by one
 * thread at a time. */
SHEAF_EXTENSION(int, test, (shmemx_handle_t *handle), {
    sheaf_job_require(call);
    SHEAF_CALL(call);
    return sheaf_transfer_test(handle);
})

/* Waits until the call of *handle is complete, and sets *handle to SHMEMX_HANDLE_COMPLETE. */
SHEAF_EXTENSION(void, wait, (shmemx_handle_t *handle), {
    sheaf_job_require(call);
    SHEAF_CALL(call);
    sheaf_transfer_wait(handle);
})
