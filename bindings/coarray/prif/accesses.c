/* SPDX-License-Identifier: BSD-3-Clause
 * Reads and writes of other images' memory; see prif.h. The 16 procedures differ in how they name the
 * place and the notify variable, by a handle or an address, and in whether elements are apart.
 */
#include "../sync.h"
#include "../team.h"
#include "prif.h"

#include <string.h>

/* The elements of an access, of size bytes each, in both memories. */
struct move {
    const char *statement;
    int pe;
    struct sheaf_section far, near;
};

/* Where the elements are, relative to their base, without the far base. */
static void shape(struct move *move, char *buffer, size_t size, const struct prif_array *extent,
                  const struct prif_array *far_stride, const struct prif_array *near_stride)
{
    const char *statement = move->statement;
    move->near.base = buffer;
    move->near.element = move->far.element = (struct sheaf_element){size, SHEAF_DERIVED, 0};
    move->near.rank = move->far.rank = 0;
    if (!extent)
        return;
    size_t rank = sheaf_prif_count(statement, extent, sizeof(size_t));
    if (rank > SHEAF_RANK_MOST ||
        sheaf_prif_count(statement, far_stride, sizeof(ptrdiff_t)) != rank ||
        sheaf_prif_count(statement, near_stride, sizeof(ptrdiff_t)) != rank)
        sheaf_outcome_refuse(statement,
                             "%zu extents: expected at most %d, and as many strides of both sides",
                             rank, SHEAF_RANK_MOST);
    move->near.rank = move->far.rank = (int)rank;
    for (size_t i = 0; i < rank; i++) {
        ptrdiff_t count = *(ptrdiff_t *)sheaf_prif_at(extent, i);
        if (count < 0)
            sheaf_outcome_refuse(statement, "extent %zu is %zu, more than memory has", i + 1,
                                 (size_t)count);
        move->far.dimensions[i] = (struct sheaf_dimension){
            .count = count, .step = *(ptrdiff_t *)sheaf_prif_at(far_stride, i)};
        move->near.dimensions[i] = (struct sheaf_dimension){
            .count = count, .step = *(ptrdiff_t *)sheaf_prif_at(near_stride, i)};
    }
}

static void place_by_handle(struct move *move, const int *image, prif_handle *handle,
                            const size_t *offset)
{
    const struct sheaf_coarray *whole = sheaf_prif_coarray(move->statement, *handle)->whole;
    bool is_section = move->far.rank > 0;
    move->pe = sheaf_prif_pe(move->statement, image);
    move->far.base = sheaf_prif_place(move->statement, handle, offset,
                                      is_section ? 0 : move->far.element.length);
    if (is_section && !sheaf_section_is_in(&move->far, whole->memory, whole->bytes))
        sheaf_outcome_refuse(move->statement,
                             "the section from offset %zu on is not inside of the coarray, which has "
                             "%zu bytes",
                             *offset, whole->bytes);
}

static void place_by_address(struct move *move, const int *image, const intptr_t *address)
{
    move->pe = sheaf_prif_pe(move->statement, image);
    move->far.base = sheaf_prif_reach(move->statement, move->pe, address);
}

/* Counts a notify variable of the same image up behind the bytes. */
static void put(const struct sheaf_outcome *outcome, struct move *move, uint64_t *notify)
{
    if (notify && move->far.rank == 0) {
        sheaf_sync_before_put(move->pe);
        shmem_putmem_signal(move->far.base, move->near.base, move->far.element.length, notify, 1,
                            SHMEM_SIGNAL_ADD, move->pe);
    } else {
        sheaf_section_put(move->statement, &move->far, &move->near, move->pe);
    }
    if (notify && move->far.rank > 0) {
        shmem_fence();
        shmem_uint64_atomic_inc(notify, move->pe);
    }
    sheaf_outcome_good(outcome);
}

/* Groups of arguments, and the statements that they are for. */
#define PLACE_HANDLE_PARAMETERS  const int *image, prif_handle *handle, const size_t *offset
#define PLACE_HANDLE             place_by_handle(&move, image, handle, offset)
#define PLACE_ADDRESS_PARAMETERS const int *image, const intptr_t *address
#define PLACE_ADDRESS            place_by_address(&move, image, address)
#define SHAPE_WHOLE_PARAMETERS   char *const *buffer, const size_t *size
#define SHAPE_WHOLE              shape(&move, *buffer, *size, NULL, NULL, NULL)
#define SHAPE_STRIDED_PARAMETERS                                                                   \
    const struct prif_array *far_stride, char *const *buffer,                                      \
        const struct prif_array *near_stride, const size_t *size, const struct prif_array *extent
#define SHAPE_STRIDED            shape(&move, *buffer, *size, extent, far_stride, near_stride)
#define NOTIFY_NONE_PARAMETERS
#define NOTIFY_NONE              NULL
#define NOTIFY_HANDLE_PARAMETERS prif_handle *notify_handle, const size_t *notify_offset,
#define NOTIFY_HANDLE                                                                              \
    sheaf_prif_place(move.statement, notify_handle, notify_offset, sizeof(uint64_t))
#define NOTIFY_ADDRESS_PARAMETERS const intptr_t *notify,
#define NOTIFY_ADDRESS            sheaf_prif_reach(move.statement, move.pe, notify)

/* A statement from its arguments, in a function that has noted the program's place. */
#define WRITE_OF(PLACE, SHAPE, NOTIFY)                                                             \
    PRIF_OUTCOME("write of a coarray");                                                            \
    struct move move;                                                                              \
    move.statement = outcome->statement;                                                           \
    SHAPE_##SHAPE;                                                                                 \
    PLACE_##PLACE;                                                                                 \
    put(outcome, &move, NOTIFY_##NOTIFY)
#define READ_OF(PLACE, SHAPE)                                                                      \
    PRIF_OUTCOME("read of a coarray");                                                             \
    struct move move;                                                                              \
    move.statement = outcome->statement;                                                           \
    SHAPE_##SHAPE;                                                                                 \
    PLACE_##PLACE;                                                                                 \
    sheaf_section_get(move.statement, &move.near, &move.far, move.pe);                             \
    sheaf_outcome_good(outcome)

#define WRITE(NAME, PLACE, SHAPE, NOTIFY)                                                          \
    PRIF(NAME)(PLACE_##PLACE##_PARAMETERS, SHAPE_##SHAPE##_PARAMETERS,                             \
               NOTIFY_##NOTIFY##_PARAMETERS PRIF_REPLY)                                            \
    {                                                                                              \
        SHEAF_ACCESS();                                                                            \
        WRITE_OF(PLACE, SHAPE, NOTIFY);                                                            \
    }
#define READ(NAME, PLACE, SHAPE)                                                                   \
    PRIF(NAME)(PLACE_##PLACE##_PARAMETERS, SHAPE_##SHAPE##_PARAMETERS, PRIF_REPLY)                 \
    {                                                                                              \
        SHEAF_ACCESS();                                                                            \
        READ_OF(PLACE, SHAPE);                                                                     \
    }

/* Whole accesses by a handle, the commonest: where the other image's memory is mapped here they are a copy.
 * All else, mistakes and long copies too, takes the general way. */
#define SHORT_MOST ((size_t)64 << 10)

/* Where an image has the coarray's data, noted for the next access; NULL: out of reach, or no image. */
static __attribute__((noinline)) char *find_near(struct prif_coarray *coarray, int image)
{
    char *near = image < 1 || image > shmem_n_pes() ? NULL : shmem_ptr(coarray->data, image - 1);
    if (near) {
        coarray->near = near;
        coarray->near_image = image;
    }
    return near;
}

static inline char *near_place(const int *image, prif_handle *handle, const size_t *offset, size_t bytes,
                               size_t most)
{
    struct prif_coarray *coarray = *handle;
    if (sheaf_is_observed || bytes > most || !coarray || !coarray->whole)
        return NULL;
    size_t room = coarray->whole->bytes - (size_t)(coarray->data - coarray->whole->memory);
    if (*offset > room || bytes > room - *offset)
        return NULL;
    char *near = coarray->near;
    if (!near || coarray->near_image != *image)
        near = find_near(coarray, *image);
    return near ? near + *offset : NULL;
}

/* A word is stored in one piece. */
static inline void copy_short(char *dest, const char *source, size_t bytes)
{
    if (bytes == sizeof(uint64_t))
        memcpy(dest, source, sizeof(uint64_t));
    else
        memmove(dest, source, bytes);
}

/* NEAR: where the access is in this process's memory, or NULL. The general way is in a function of its own:
 * its frame is large. */
#define NEAR_OR_GENERAL(NAME, PARAMETERS, ARGUMENTS, NEAR, COPY, GENERAL)                          \
    static __attribute__((noinline)) void NAME##_generally(PLACE_HANDLE_PARAMETERS, PARAMETERS,    \
                                                           PRIF_REPLY)                             \
    {                                                                                              \
        GENERAL;                                                                                   \
    }                                                                                              \
    PRIF(NAME)(PLACE_HANDLE_PARAMETERS, PARAMETERS, PRIF_REPLY)                                    \
    {                                                                                              \
        char *near = NEAR;                                                                         \
        if (!near) {                                                                               \
            SHEAF_ACCESS();                                                                        \
            NAME##_generally ARGUMENTS;                                                            \
            return;                                                                                \
        }                                                                                          \
        COPY;                                                                                      \
        if (stat)                                                                                  \
            *stat = 0;                                                                             \
    }

#define SHORT_OR_GENERAL(NAME, TO, FROM, GENERAL)                                                  \
    NEAR_OR_GENERAL(NAME, SHAPE_WHOLE_PARAMETERS,                                                  \
                    (image, handle, offset, buffer, size, stat, errmsg, errmsg_alloc),             \
                    near_place(image, handle, offset, *size, SHORT_MOST),                          \
                    copy_short(TO, FROM, *size), GENERAL)

/* The same for up to 4,096 words, up to 4 KiB apart. An array of one integer tells it. */
static inline bool is_one_integer(const struct prif_array *array)
{
    return array && array->rank == 1 && array->length == sizeof(ptrdiff_t) &&
           array->dimensions[0].count == 1;
}

static inline ptrdiff_t only_integer(const struct prif_array *array)
{
    return *(const ptrdiff_t *)(const void *)array->base;
}

static inline char *near_words(PLACE_HANDLE_PARAMETERS, const size_t *size, const struct prif_array *extent,
                               const struct prif_array *far_stride, const struct prif_array *near_stride)
{
    const ptrdiff_t most = 4096;
    if (*size != sizeof(uint64_t) || !is_one_integer(extent) || !is_one_integer(far_stride) ||
        !is_one_integer(near_stride))
        return NULL;
    ptrdiff_t count = only_integer(extent), step = only_integer(far_stride);
    if (count < 1 || count > most || step < 0 || step > most)
        return NULL;
    return near_place(image, handle, offset, (size_t)((count - 1) * step) + sizeof(uint64_t),
                      SIZE_MAX);
}

static inline void copy_words(char *to, ptrdiff_t to_step, const char *from, ptrdiff_t from_step,
                              ptrdiff_t count)
{
    for (ptrdiff_t i = 0; i < count; i++)
        memcpy(to + i * to_step, from + i * from_step, sizeof(uint64_t));
}

#define WORDS_OR_GENERAL(NAME, TO, TO_STRIDE, FROM, FROM_STRIDE, GENERAL)                           \
    NEAR_OR_GENERAL(NAME, SHAPE_STRIDED_PARAMETERS,                                                \
                    (image, handle, offset, far_stride, buffer, near_stride, size, extent, stat,   \
                     errmsg, errmsg_alloc),                                                        \
                    near_words(image, handle, offset, size, extent, far_stride, near_stride),      \
                    copy_words(TO, only_integer(TO_STRIDE), FROM, only_integer(FROM_STRIDE),       \
                               only_integer(extent)),                                              \
                    GENERAL)

SHORT_OR_GENERAL(get, *buffer, near, READ_OF(HANDLE, WHOLE))
SHORT_OR_GENERAL(put, near, *buffer, WRITE_OF(HANDLE, WHOLE, NONE))
READ(get_indirect, ADDRESS, WHOLE)
WORDS_OR_GENERAL(get_strided, *buffer, near_stride, near, far_stride, READ_OF(HANDLE, STRIDED))
READ(get_strided_indirect, ADDRESS, STRIDED)
WRITE(put_indirect, ADDRESS, WHOLE, NONE)
WRITE(put_with_notify, HANDLE, WHOLE, HANDLE)
WRITE(put_with_notify_indirect, HANDLE, WHOLE, ADDRESS)
WRITE(put_indirect_with_notify, ADDRESS, WHOLE, HANDLE)
WRITE(put_indirect_with_notify_indirect, ADDRESS, WHOLE, ADDRESS)
WORDS_OR_GENERAL(put_strided, near, far_stride, *buffer, near_stride, WRITE_OF(HANDLE, STRIDED, NONE))
WRITE(put_strided_indirect, ADDRESS, STRIDED, NONE)
WRITE(put_strided_with_notify, HANDLE, STRIDED, HANDLE)
WRITE(put_strided_with_notify_indirect, HANDLE, STRIDED, ADDRESS)
WRITE(put_strided_indirect_with_notify, ADDRESS, STRIDED, HANDLE)
WRITE(put_strided_indirect_with_notify_indirect, ADDRESS, STRIDED, ADDRESS)
