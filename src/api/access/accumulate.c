/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Accumulate: dest += alpha * source, an extension.
 */
#include "api/define.h"

#ifndef SHEAF_PRINT
#include "core/access/accumulate.h"
#include "core/access/transfer.h"

/* The number of a type's name. */
#define NUMBER_int      SHEAF_INT
#define NUMBER_long     SHEAF_LONG
#define NUMBER_float    SHEAF_FLOAT
#define NUMBER_double   SHEAF_DOUBLE
#define NUMBER_complexf SHEAF_COMPLEXF
#define NUMBER_complexd SHEAF_COMPLEXD

/* A routine's call, of ctx, pe, call and alpha of its body. */
#define TRANSFER(NAME, NB, HANDLE)                                                                 \
    struct sheaf_scale scale = {.number = NUMBER_##NAME};                                          \
    memcpy(scale.alpha, &alpha, sizeof alpha);                                                     \
    const struct sheaf_transfer transfer = {                                                       \
        SHEAF_TRANSFER_ACCUMULATE, NB, ctx, pe, call, HANDLE, &scale};                             \
    SHEAF_FAR(SHEAF_CALL(call);)

static __attribute__((noinline)) void add_slowly(const struct sheaf_transfer *transfer, void *dest,
                                                 const void *source, size_t nelems)
{
    size_t bytes = sheaf_number_sizes[transfer->scale->number].bytes;
    if (sheaf_unlikely(nelems > PTRDIFF_MAX / bytes))
        sheaf_fatal("SH105 %s: nelems is %td; expected 0 or more, and what memory can hold",
                    transfer->call, (ptrdiff_t)nelems);
    bytes *= nelems;
    sheaf_transfer_shape(transfer, dest, source, &(struct sheaf_shape_call){NULL, NULL, &bytes, 1});
}

/* Near by, with nothing wrong, there is nothing to be looked at but dest. */
static inline void add_elements(const struct sheaf_transfer *transfer, void *dest,
                                const void *source, size_t nelems)
{
    const struct sheaf_number_size *size = &sheaf_number_sizes[transfer->scale->number];
    if (!sheaf_route_is_near(transfer->pe) || nelems > UINT32_MAX ||
        ((uintptr_t)dest & (size->alignment - 1)) != 0) {
        add_slowly(transfer, dest, source, nelems);
        return;
    }
    sheaf_accumulate(&(struct sheaf_sums){transfer->scale, (ptrdiff_t)sheaf_route_near(NULL, transfer->pe),
                                          transfer->pe},
                     dest, source, nelems * size->bytes);
    if (transfer->handle)
        *transfer->handle = SHMEMX_HANDLE_COMPLETE;
}

/* One double near by. The type is any: the compiler drops this for the others. */
static inline bool add_double(enum sheaf_number number, void *dest, const void *source, const void *alpha,
                              size_t nelems, int pe)
{
    double factor, term;
    if (number != SHEAF_DOUBLE || nelems != 1 || !sheaf_route_is_near(pe) ||
        sheaf_unlikely((uintptr_t)dest % sizeof term != 0))
        return false;
    memcpy(&factor, alpha, sizeof factor);
    memcpy(&term, source, sizeof term);
    return sheaf_accumulate_double(dest, factor * term, pe);
}
#endif

SHEAF_CHAPTER("Accumulate: extensions")

/* Adds alpha times source to dest, for nelems elements: dest, symmetric, on PE pe, source local. The
 * update of an element is atomic with respect to all accumulates of its type; that of an integer also
 * with respect to all atomic operations, that of a float or double to atomic set, swap and fetch of its
 * type. The call as a whole is not atomic. Integers wrap. source may be reused on return; the target has
 * the sums after shmem_quiet. */
#define ACCUMULATE(NAME, TYPE)                                                                     \
    SHEAF_CTX_EXTENSION(void, NAME##_accumulate,                                                   \
                        (TYPE *dest, const TYPE *source, TYPE alpha, size_t nelems, int pe), {     \
        if (add_double(NUMBER_##NAME, dest, source, &alpha, nelems, pe))                           \
            return;                                                                                \
        TRANSFER(NAME, false, NULL)                                                                \
        add_elements(&transfer, dest, source, nelems);                                             \
    })
SHEAF_FAMILY(ACCUMULATE, ACCUMULATE)

/* The same without waiting, as shmemx_putmem_strided_nb. */
#define ACCUMULATE_NB(NAME, TYPE)                                                                  \
    SHEAF_CTX_EXTENSION(void, NAME##_accumulate_nb,                                                \
                        (TYPE *dest, const TYPE *source, TYPE alpha, size_t nelems, int pe,        \
                         shmemx_handle_t *handle), {                                               \
        TRANSFER(NAME, true, handle)                                                               \
        add_elements(&transfer, dest, source, nelems);                                             \
    })
SHEAF_FAMILY(ACCUMULATE_NB, ACCUMULATE)

/* Adds alpha times an n-dimensional set of runs, described as for shmemx_putmem_strided: counts[0] and
 * the strides count bytes; a run is a whole number of elements, strides of dest are multiples of the
 * element's alignment. Runs of dest may overlap as far as strides allow. */
#define ACCUMULATE_STRIDED(NAME, TYPE)                                                             \
    SHEAF_CTX_EXTENSION(void, NAME##_accumulate_strided,                                           \
                        (TYPE *dest, const TYPE *source, TYPE alpha,                               \
                         const ptrdiff_t *dest_strides, const ptrdiff_t *source_strides,           \
                         const size_t *counts, int dims, int pe), {                                \
        TRANSFER(NAME, false, NULL)                                                                \
        sheaf_transfer_shape(&transfer, dest, source,                                              \
                             &(struct sheaf_shape_call){dest_strides, source_strides, counts,      \
                                                        dims});                                    \
    })
SHEAF_FAMILY(ACCUMULATE_STRIDED, ACCUMULATE)

/* The same without waiting, as shmemx_putmem_strided_nb. */
#define ACCUMULATE_STRIDED_NB(NAME, TYPE)                                                          \
    SHEAF_CTX_EXTENSION(void, NAME##_accumulate_strided_nb,                                        \
                        (TYPE *dest, const TYPE *source, TYPE alpha,                               \
                         const ptrdiff_t *dest_strides, const ptrdiff_t *source_strides,           \
                         const size_t *counts, int dims, int pe, shmemx_handle_t *handle), {       \
        TRANSFER(NAME, true, handle)                                                               \
        sheaf_transfer_shape(&transfer, dest, source,                                              \
                             &(struct sheaf_shape_call){dest_strides, source_strides, counts,      \
                                                        dims});                                    \
    })
SHEAF_FAMILY(ACCUMULATE_STRIDED_NB, ACCUMULATE)

/* Adds alpha times lists of pieces, described as for shmemx_putmem_vector: of each of the nvectors vectors,
 * for each i below its count, bytes from sources[i], local, to dests[i], symmetric. bytes is a whole number
 * of elements. Pieces of dest may be the same; they are all added. */
#define ACCUMULATE_VECTOR(NAME, TYPE)                                                              \
    SHEAF_CTX_EXTENSION(void, NAME##_accumulate_vector,                                            \
                        (const shmemx_vector_t *vectors, size_t nvectors, TYPE alpha, int pe), {   \
        TRANSFER(NAME, false, NULL)                                                                \
        sheaf_transfer_vector(&transfer, vectors, nvectors);                                       \
    })
SHEAF_FAMILY(ACCUMULATE_VECTOR, ACCUMULATE)

/* The same without waiting, as shmemx_putmem_strided_nb. */
#define ACCUMULATE_VECTOR_NB(NAME, TYPE)                                                           \
    SHEAF_CTX_EXTENSION(void, NAME##_accumulate_vector_nb,                                         \
                        (const shmemx_vector_t *vectors, size_t nvectors, TYPE alpha, int pe,      \
                         shmemx_handle_t *handle), {                                               \
        TRANSFER(NAME, true, handle)                                                               \
        sheaf_transfer_vector(&transfer, vectors, nvectors);                                       \
    })
SHEAF_FAMILY(ACCUMULATE_VECTOR_NB, ACCUMULATE)
