/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Strided remote memory access: single elements (iput, iget) are blocks of one element.
 */
#include "api/define.h"

#include "api/access/access.h"
#include "core/memory/check.h"

/* Blocks of a strided copy; everything but alignment, which is the elements', in bytes, counts elements.
 * Strides lie between block starts. */
struct blocks {
    ptrdiff_t dest_stride;
    ptrdiff_t source_stride;
    size_t size;
    size_t count;
    size_t alignment;
};

/* Inlined, so that what follows from the type is decided by the compiler. */
static inline __attribute__((always_inline)) void copy_blocks(char *dest, const char *source,
                                                              struct blocks blocks,
                                                              size_t element_bytes)
{
    const ptrdiff_t dest_step = blocks.dest_stride * (ptrdiff_t)element_bytes;
    const ptrdiff_t source_step = blocks.source_stride * (ptrdiff_t)element_bytes;
    switch (blocks.size == 1 ? element_bytes : 0) {
    case 1: sheaf_copy_blocks_1(dest, source, dest_step, source_step, blocks.count); break;
    case 2: sheaf_copy_blocks_2(dest, source, dest_step, source_step, blocks.count); break;
    case 4: sheaf_copy_blocks_4(dest, source, dest_step, source_step, blocks.count); break;
    case 8: sheaf_copy_blocks_8(dest, source, dest_step, source_step, blocks.count); break;
    case 16: sheaf_copy_blocks_16(dest, source, dest_step, source_step, blocks.count); break;
    default:
        sheaf_copy_blocks_of(dest, source, dest_step, source_step, blocks.count,
                             blocks.size * element_bytes);
    }
}

static struct sheaf_blocks in_bytes(struct blocks blocks, size_t element_bytes)
{
    return (struct sheaf_blocks){blocks.dest_stride * (ptrdiff_t)element_bytes,
                                 blocks.source_stride * (ptrdiff_t)element_bytes,
                                 sheaf_bytes_of(blocks.size, element_bytes), blocks.count};
}

static void put_far(shmem_ctx_t ctx, void *dest, const void *source, struct blocks blocks,
                    size_t element_bytes, int pe, const char *call)
{
    struct sheaf_blocks far = in_bytes(blocks, element_bytes);
    sheaf_check_size(far.block_bytes, call);
    sheaf_check_elements(dest, source, blocks.alignment, call);
    sheaf_check_strides(&far, call);
    sheaf_checked_put_blocks(dest, source, &far, pe, ctx, call);
}

static void get_far(shmem_ctx_t ctx, void *dest, const void *source, struct blocks blocks,
                    size_t element_bytes, int pe, const char *call)
{
    struct sheaf_blocks far = in_bytes(blocks, element_bytes);
    sheaf_check_size(far.block_bytes, call);
    sheaf_check_elements(dest, source, blocks.alignment, call);
    sheaf_check_strides(&far, call);
    sheaf_checked_get_blocks(dest, source, &far, pe, ctx, call);
}

/* Of single elements the copy itself ends where memory does. */
static inline __attribute__((always_inline)) void require_near(const struct blocks *blocks,
                                                               size_t element_bytes, const char *call)
{
    if (blocks->size != 1)
        sheaf_check_bytes(blocks->count, sheaf_check_bytes(blocks->size, element_bytes, call), call);
}

static inline __attribute__((always_inline)) void
put_blocks(shmem_ctx_t ctx, void *dest, const void *source, struct blocks blocks,
           size_t element_bytes, int pe, const char *call)
{
    if (!sheaf_route_is_near(pe)) {
        SHEAF_CALL(call);
        put_far(ctx, dest, source, blocks, element_bytes, pe, call);
    } else if (blocks.size != 0) {
        require_near(&blocks, element_bytes, call);
        copy_blocks(sheaf_route_near(dest, pe), source, blocks, element_bytes);
    }
}

static inline __attribute__((always_inline)) void
get_blocks(shmem_ctx_t ctx, void *dest, const void *source, struct blocks blocks,
           size_t element_bytes, int pe, const char *call)
{
    if (!sheaf_route_is_near(pe)) {
        SHEAF_CALL(call);
        get_far(ctx, dest, source, blocks, element_bytes, pe, call);
    } else if (blocks.size != 0) {
        require_near(&blocks, element_bytes, call);
        copy_blocks(dest, sheaf_route_near(source, pe), blocks, element_bytes);
    }
}

SHEAF_CHAPTER("Strided remote memory access")

/* Copies nelems elements, sst apart in source, local, to dest, symmetric, on PE pe, dst apart.
 * Strides count elements and are at least 1. source may be reused on return; the target has
 * the data after shmem_quiet. Specification 1.6: shmem_iput */
#define IPUT(NAME, TYPE)                                                                           \
    SHEAF_CTX_ROUTINE(void, NAME##_iput,                                                           \
                      (TYPE *dest, const TYPE *source, ptrdiff_t dst, ptrdiff_t sst,               \
                       size_t nelems, int pe), {                                                   \
        struct blocks blocks = {dst, sst, 1, nelems, _Alignof(TYPE)};                              \
        put_blocks(ctx, dest, source, blocks, sizeof(TYPE), pe, call);                             \
    })
SHEAF_FAMILY(IPUT, RMA)

/* The same with elements of 8, 16, ... bits.
 * Specification 1.6: shmem_iput */
#define IPUT_SIZE(SIZE, BYTES)                                                                     \
    SHEAF_CTX_ROUTINE(void, iput##SIZE,                                                            \
                      (void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst,               \
                       size_t nelems, int pe), {                                                   \
        struct blocks blocks = {dst, sst, 1, nelems, 1};                                           \
        put_blocks(ctx, dest, source, blocks, BYTES, pe, call);                                    \
    })
SHEAF_SIZES(IPUT_SIZE)

/* Copies nelems elements, sst apart in source, symmetric, on PE pe, to dest, local, dst apart.
 * Strides count elements and are at least 1. dest is complete on return.
 * Specification 1.6: shmem_iget */
#define IGET(NAME, TYPE)                                                                           \
    SHEAF_CTX_ROUTINE(void, NAME##_iget,                                                           \
                      (TYPE *dest, const TYPE *source, ptrdiff_t dst, ptrdiff_t sst,               \
                       size_t nelems, int pe), {                                                   \
        struct blocks blocks = {dst, sst, 1, nelems, _Alignof(TYPE)};                              \
        get_blocks(ctx, dest, source, blocks, sizeof(TYPE), pe, call);                             \
    })
SHEAF_FAMILY(IGET, RMA)

/* The same with elements of 8, 16, ... bits.
 * Specification 1.6: shmem_iget */
#define IGET_SIZE(SIZE, BYTES)                                                                     \
    SHEAF_CTX_ROUTINE(void, iget##SIZE,                                                            \
                      (void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst,               \
                       size_t nelems, int pe), {                                                   \
        struct blocks blocks = {dst, sst, 1, nelems, 1};                                           \
        get_blocks(ctx, dest, source, blocks, BYTES, pe, call);                                    \
    })
SHEAF_SIZES(IGET_SIZE)

/* Copies nblocks blocks of bsize elements. Strides count elements from the start of a block to
 * the start of the next and are at least bsize. Otherwise as shmem_iput.
 * Specification 1.6: shmem_ibput */
#define IBPUT(NAME, TYPE)                                                                          \
    SHEAF_CTX_ROUTINE_1_6(void, NAME##_ibput,                                                      \
                          (TYPE *dest, const TYPE *source, ptrdiff_t dst, ptrdiff_t sst,           \
                           size_t bsize, size_t nblocks, int pe), {                                \
        struct blocks blocks = {dst, sst, bsize, nblocks, _Alignof(TYPE)};                         \
        put_blocks(ctx, dest, source, blocks, sizeof(TYPE), pe, call);                             \
    })
SHEAF_FAMILY(IBPUT, RMA)

/* The same with elements of 8, 16, ... bits.
 * Specification 1.6: shmem_ibput */
#define IBPUT_SIZE(SIZE, BYTES)                                                                    \
    SHEAF_CTX_ROUTINE_1_6(void, ibput##SIZE,                                                       \
                          (void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst,           \
                           size_t bsize, size_t nblocks, int pe), {                                \
        struct blocks blocks = {dst, sst, bsize, nblocks, 1};                                      \
        put_blocks(ctx, dest, source, blocks, BYTES, pe, call);                                    \
    })
SHEAF_SIZES(IBPUT_SIZE)

/* Copies nblocks blocks of bsize elements. Strides count elements from the start of a block to
 * the start of the next and are at least bsize. Otherwise as shmem_iget.
 * Specification 1.6: shmem_ibget */
#define IBGET(NAME, TYPE)                                                                          \
    SHEAF_CTX_ROUTINE_1_6(void, NAME##_ibget,                                                      \
                          (TYPE *dest, const TYPE *source, ptrdiff_t dst, ptrdiff_t sst,           \
                           size_t bsize, size_t nblocks, int pe), {                                \
        struct blocks blocks = {dst, sst, bsize, nblocks, _Alignof(TYPE)};                         \
        get_blocks(ctx, dest, source, blocks, sizeof(TYPE), pe, call);                             \
    })
SHEAF_FAMILY(IBGET, RMA)

/* The same with elements of 8, 16, ... bits.
 * Specification 1.6: shmem_ibget */
#define IBGET_SIZE(SIZE, BYTES)                                                                    \
    SHEAF_CTX_ROUTINE_1_6(void, ibget##SIZE,                                                       \
                          (void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst,           \
                           size_t bsize, size_t nblocks, int pe), {                                \
        struct blocks blocks = {dst, sst, bsize, nblocks, 1};                                      \
        get_blocks(ctx, dest, source, blocks, BYTES, pe, call);                                    \
    })
SHEAF_SIZES(IBGET_SIZE)
