/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Strided copies of elements of any size: by the routine of that size, or as blocks of bytes.
 */
#include "descriptor.h"

#define STRIDED(NAME, BLOCKS)                                                                           \
    void sheaf_by_size_##NAME(const struct sheaf_fortran_call *fortran, shmem_ctx_t ctx, void *dest,    \
                              const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)  \
    {                                                                                                   \
        ptrdiff_t unit = (ptrdiff_t)fortran->unit;                                                      \
        switch (unit) {                                                                                 \
        case 1:                                                                                         \
            return shmem_ctx_##NAME##8(ctx, dest, source, dst, sst, nelems, pe);                        \
        case 2:                                                                                         \
            return shmem_ctx_##NAME##16(ctx, dest, source, dst, sst, nelems, pe);                       \
        case 4:                                                                                         \
            return shmem_ctx_##NAME##32(ctx, dest, source, dst, sst, nelems, pe);                       \
        case 8:                                                                                         \
            return shmem_ctx_##NAME##64(ctx, dest, source, dst, sst, nelems, pe);                       \
        case 16:                                                                                        \
            return shmem_ctx_##NAME##128(ctx, dest, source, dst, sst, nelems, pe);                      \
        default:                                                                                        \
            return shmem_ctx_##BLOCKS##8(ctx, dest, source, dst * unit, sst * unit, fortran->unit,      \
                                         nelems, pe);                                                   \
        }                                                                                               \
    }
STRIDED(iput, ibput)
STRIDED(iget, ibget)

_Static_assert(sizeof(long double) == 16, "the type of C that has 16 bytes");

int sheaf_by_size_alltoalls(const struct sheaf_fortran_call *fortran, shmem_team_t team, void *dest,
                            const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems)
{
    switch (fortran->unit) {
    case 1:
        return shmem_int8_alltoalls(team, dest, source, dst, sst, nelems);
    case 2:
        return shmem_int16_alltoalls(team, dest, source, dst, sst, nelems);
    case 4:
        return shmem_int32_alltoalls(team, dest, source, dst, sst, nelems);
    case 8:
        return shmem_int64_alltoalls(team, dest, source, dst, sst, nelems);
    case 16:
        return shmem_longdouble_alltoalls(team, dest, source, dst, sst, nelems);
    default:
        sheaf_refuse(fortran->name, "elements of %zu bytes: expected 1, 2, 4, 8 or 16", fortran->unit);
        return -1;
    }
}
