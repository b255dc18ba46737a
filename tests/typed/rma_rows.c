/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The wrappers around every RMA and put-with-signal routine of the specification.
 */
#include "rma.h"

#define WITHOUT(...) (__VA_ARGS__)
#define WITH(...)    (ctx, __VA_ARGS__)
#define UNUSED       __attribute__((unused))

#define DEFINE_COPY(ID, ROUTINE, CALL)                                                             \
    static void ID(shmem_ctx_t ctx UNUSED, void *dest, const void *source, size_t count, int pe)   \
    {                                                                                              \
        ROUTINE CALL(dest, source, count, pe);                                                     \
    }
#define DEFINE_STRIDED(ID, ROUTINE, CALL)                                                          \
    static void ID(shmem_ctx_t ctx UNUSED, void *dest, const void *source, ptrdiff_t dst,          \
                   ptrdiff_t sst, size_t count, int pe)                                            \
    {                                                                                              \
        ROUTINE CALL(dest, source, dst, sst, count, pe);                                           \
    }
#define DEFINE_BLOCKED(ID, ROUTINE, CALL)                                                          \
    static void ID(shmem_ctx_t ctx UNUSED, void *dest, const void *source, ptrdiff_t dst,          \
                   ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)                            \
    {                                                                                              \
        ROUTINE CALL(dest, source, dst, sst, bsize, nblocks, pe);                                  \
    }
#define DEFINE_SIGNALLED(ID, ROUTINE, CALL)                                                        \
    static void ID(shmem_ctx_t ctx UNUSED, void *dest, const void *source, size_t count,           \
                   uint64_t *signal, uint64_t value, int operation, int pe)                        \
    {                                                                                              \
        ROUTINE CALL(dest, source, count, signal, value, operation, pe);                           \
    }

#define DEFINE_ELEMENT(SET, PREFIX, CALL, NAME, TYPE)                                              \
    static void SET##_p_##NAME(shmem_ctx_t ctx UNUSED, void *dest, const void *source,             \
                               size_t count UNUSED, int pe)                                        \
    {                                                                                              \
        PREFIX##NAME##_p CALL(dest, *(const TYPE *)source, pe);                                    \
    }                                                                                              \
    static void SET##_g_##NAME(shmem_ctx_t ctx UNUSED, void *dest, const void *source,             \
                               size_t count UNUSED, int pe)                                        \
    {                                                                                              \
        *(TYPE *)dest = PREFIX##NAME##_g CALL(source, pe);                                         \
    }

/* The last part of a sized name follows the size: put8_nbi, put8_signal. */
#define DEFINE_TYPED(SET, PREFIX, CALL, NAME, TYPE)                                                \
    DEFINE_COPY(SET##_put_##NAME, PREFIX##NAME##_put, CALL)                                        \
    DEFINE_COPY(SET##_get_##NAME, PREFIX##NAME##_get, CALL)                                        \
    DEFINE_COPY(SET##_put_nbi_##NAME, PREFIX##NAME##_put_nbi, CALL)                                \
    DEFINE_COPY(SET##_get_nbi_##NAME, PREFIX##NAME##_get_nbi, CALL)                                \
    DEFINE_SIGNALLED(SET##_put_signal_##NAME, PREFIX##NAME##_put_signal, CALL)                     \
    DEFINE_SIGNALLED(SET##_put_signal_nbi_##NAME, PREFIX##NAME##_put_signal_nbi, CALL)             \
    DEFINE_STRIDED(SET##_iput_##NAME, PREFIX##NAME##_iput, CALL)                                   \
    DEFINE_STRIDED(SET##_iget_##NAME, PREFIX##NAME##_iget, CALL)                                   \
    DEFINE_BLOCKED(SET##_ibput_##NAME, PREFIX##NAME##_ibput, CALL)                                 \
    DEFINE_BLOCKED(SET##_ibget_##NAME, PREFIX##NAME##_ibget, CALL)                                 \
    DEFINE_ELEMENT(SET, PREFIX, CALL, NAME, TYPE)

#define DEFINE_UNTYPED(SET, PREFIX, CALL, SIZE)                                                    \
    DEFINE_COPY(SET##_put_##SIZE, PREFIX##put##SIZE, CALL)                                         \
    DEFINE_COPY(SET##_get_##SIZE, PREFIX##get##SIZE, CALL)                                         \
    DEFINE_COPY(SET##_put_nbi_##SIZE, PREFIX##put##SIZE##_nbi, CALL)                               \
    DEFINE_COPY(SET##_get_nbi_##SIZE, PREFIX##get##SIZE##_nbi, CALL)                               \
    DEFINE_SIGNALLED(SET##_put_signal_##SIZE, PREFIX##put##SIZE##_signal, CALL)                    \
    DEFINE_SIGNALLED(SET##_put_signal_nbi_##SIZE, PREFIX##put##SIZE##_signal_nbi, CALL)

#define DEFINE_SIZED(SET, PREFIX, CALL, SIZE)                                                      \
    DEFINE_UNTYPED(SET, PREFIX, CALL, SIZE)                                                        \
    DEFINE_STRIDED(SET##_iput_##SIZE, PREFIX##iput##SIZE, CALL)                                    \
    DEFINE_STRIDED(SET##_iget_##SIZE, PREFIX##iget##SIZE, CALL)                                    \
    DEFINE_BLOCKED(SET##_ibput_##SIZE, PREFIX##ibput##SIZE, CALL)                                  \
    DEFINE_BLOCKED(SET##_ibget_##SIZE, PREFIX##ibget##SIZE, CALL)

#define PLAIN(NAME, TYPE)        DEFINE_TYPED(plain, shmem_, WITHOUT, NAME, TYPE)
#define WITH_CONTEXT(NAME, TYPE) DEFINE_TYPED(ctx, shmem_ctx_, WITH, NAME, TYPE)
TYPES_RMA(PLAIN)
TYPES_RMA(WITH_CONTEXT)

#define SIZES(X) X(8) X(16) X(32) X(64) X(128)
#define PLAIN_SIZED(SIZE)        DEFINE_SIZED(plain, shmem_, WITHOUT, SIZE)
#define SIZED_WITH_CONTEXT(SIZE) DEFINE_SIZED(ctx, shmem_ctx_, WITH, SIZE)
SIZES(PLAIN_SIZED)
SIZES(SIZED_WITH_CONTEXT)

DEFINE_UNTYPED(plain, shmem_, WITHOUT, mem)
DEFINE_UNTYPED(ctx, shmem_ctx_, WITH, mem)

#define CONTIGUOUS(SET, ID)                                                                        \
    .put = SET##_put_##ID, .get = SET##_get_##ID, .put_nbi = SET##_put_nbi_##ID,                   \
    .get_nbi = SET##_get_nbi_##ID, .put_signal = SET##_put_signal_##ID,                            \
    .put_signal_nbi = SET##_put_signal_nbi_##ID
#define NOT_CONTIGUOUS(SET, ID)                                                                    \
    .iput = SET##_iput_##ID, .iget = SET##_iget_##ID, .ibput = SET##_ibput_##ID,                   \
    .ibget = SET##_ibget_##ID

#define TYPED_ROWS(NAME, TYPE)                                                                     \
    {#NAME, false, CONTIGUOUS(plain, NAME), NOT_CONTIGUOUS(plain, NAME), .p = plain_p_##NAME,      \
     .g = plain_g_##NAME},                                                                         \
    {#NAME, true, CONTIGUOUS(ctx, NAME), NOT_CONTIGUOUS(ctx, NAME), .p = ctx_p_##NAME,             \
     .g = ctx_g_##NAME},
#define SIZED_ROWS(SIZE)                                                                           \
    {#SIZE, false, CONTIGUOUS(plain, SIZE), NOT_CONTIGUOUS(plain, SIZE)},                          \
    {#SIZE, true, CONTIGUOUS(ctx, SIZE), NOT_CONTIGUOUS(ctx, SIZE)},

const struct rma_row rma_rows[] = {
    TYPES_RMA(TYPED_ROWS)
    SIZES(SIZED_ROWS)
    {"mem", false, CONTIGUOUS(plain, mem)},
    {"mem", true, CONTIGUOUS(ctx, mem)},
};
const size_t rma_row_count = sizeof rma_rows / sizeof rma_rows[0];
