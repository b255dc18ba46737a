/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Nonblocking remote memory access. On a node the copy is made at once, or
 * by the copier where it is long (SHEAF_COPIER).
 */
#include "api/define.h"

#include "api/access/access.h"

SHEAF_CHAPTER("Nonblocking remote memory access")

/* As shmem_put, but source may be reused only after shmem_quiet.
 * Specification 1.6: shmem_put_nbi */
#define PUT_NBI(NAME, TYPE)                                                                        \
    SHEAF_CTX_ROUTINE(void, NAME##_put_nbi,                                                        \
                      (TYPE *dest, const TYPE *source, size_t nelems, int pe),                     \
                      { SHEAF_PUT_NBI(dest, source, nelems, sizeof(TYPE)) })
SHEAF_FAMILY(PUT_NBI, RMA)

/* The same; nelems counts elements of 8, 16, ... bits, with mem bytes.
 * Specification 1.6: shmem_put_nbi */
#define PUT_SIZE_NBI(SIZE, BYTES)                                                                  \
    SHEAF_CTX_ROUTINE(void, put##SIZE##_nbi,                                                       \
                      (void *dest, const void *source, size_t nelems, int pe),                     \
                      { SHEAF_PUT_NBI(dest, source, nelems, BYTES) })
SHEAF_SIZES_AND_MEM(PUT_SIZE_NBI)

/* As shmem_get, but dest is complete only after shmem_quiet.
 * Specification 1.6: shmem_get_nbi */
#define GET_NBI(NAME, TYPE)                                                                        \
    SHEAF_CTX_ROUTINE(void, NAME##_get_nbi,                                                        \
                      (TYPE *dest, const TYPE *source, size_t nelems, int pe),                     \
                      { SHEAF_GET_NBI(dest, source, nelems, sizeof(TYPE)) })
SHEAF_FAMILY(GET_NBI, RMA)

/* The same; nelems counts elements of 8, 16, ... bits, with mem bytes.
 * Specification 1.6: shmem_get_nbi */
#define GET_SIZE_NBI(SIZE, BYTES)                                                                  \
    SHEAF_CTX_ROUTINE(void, get##SIZE##_nbi,                                                       \
                      (void *dest, const void *source, size_t nelems, int pe),                     \
                      { SHEAF_GET_NBI(dest, source, nelems, BYTES) })
SHEAF_SIZES_AND_MEM(GET_SIZE_NBI)
