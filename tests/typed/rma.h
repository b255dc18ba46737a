/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One row per TYPENAME, size and "mem", plain and with a context: the RMA routines behind
 * wrappers of one signature. Rows in rma_rows.c, checks in rma.c.
 */
#ifndef TEST_RMA_H
#define TEST_RMA_H

#include "types.h"

#include <shmem.h>

typedef void rma_copy(shmem_ctx_t ctx, void *dest, const void *source, size_t count, int pe);
typedef void rma_strided(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst,
                         ptrdiff_t sst, size_t count, int pe);
typedef void rma_blocked(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst,
                         ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
typedef void rma_signalled(shmem_ctx_t ctx, void *dest, const void *source, size_t count,
                           uint64_t *signal, uint64_t value, int operation, int pe);

struct rma_row {
    const char *type;
    bool takes_context;
    rma_copy *put, *get, *put_nbi, *get_nbi;
    rma_signalled *put_signal, *put_signal_nbi;
    rma_strided *iput, *iget;      /* NULL for mem */
    rma_blocked *ibput, *ibget;    /* NULL for mem */
    rma_copy *p, *g;               /* of one element; NULL for sizes and mem */
};

extern const struct rma_row rma_rows[];
extern const size_t rma_row_count;

#endif
