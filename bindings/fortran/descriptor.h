/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Arrays as Fortran's compilers hand them to C, and what each call asks of them. A library of its own,
 * over the public interface; compiled once for each Fortran compiler, whose descriptors are its own.
 */
#ifndef SHEAF_FORTRAN_DESCRIPTOR_H
#define SHEAF_FORTRAN_DESCRIPTOR_H

#include "refuse.h"

#include <ISO_Fortran_binding.h>

#include <stdbool.h>
#include <stdint.h>

/* A call: its name, the bytes of its elements, the team that its counts are about. */
struct sheaf_fortran_call {
    const char *name;
    size_t unit;
    shmem_team_t team;
};

/* Ends the program where the array cannot be what the call needs: bytes of memory without gaps; with
 * is_typed elements of the call's size too. An array element stands for all that follows it, as
 * Fortran's sequence association has it. */
void sheaf_look(const struct sheaf_fortran_call *fortran, const char *argument, const CFI_cdesc_t *array,
                size_t bytes, bool is_typed);
/* Ends the program where no memory holds so many. */
void sheaf_look_at_count(const struct sheaf_fortran_call *fortran, const char *argument, int64_t count);

/* The bytes from the first to the last of count elements. */
size_t sheaf_span(const struct sheaf_fortran_call *fortran, int64_t count, int64_t stride,
                  int64_t block);
int64_t sheaf_members(const struct sheaf_fortran_call *fortran);

#define COUNT(n)           ((size_t)(n) * fortran.unit)
#define SPAN(n, stride)    sheaf_span(&fortran, n, stride, 1)
#define BLOCKS(n, stride)  sheaf_span(&fortran, n, stride, (int64_t)bsize)
#define ALL(n)             (COUNT(n) * (size_t)sheaf_members(&fortran))
#define ALLSPAN(stride)    sheaf_span(&fortran, (int64_t)nelems * sheaf_members(&fortran), stride, 1)

/* What C has routines for by size alone: strided copies, and combinations of integers and logicals, one of
 * which array is. A size that there is no routine for is refused. */
#define SHEAF_STRIDED(NAME)                                                                             \
    void sheaf_by_size_##NAME(const struct sheaf_fortran_call *fortran, shmem_ctx_t ctx, void *dest,    \
                              const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHEAF_STRIDED(iput)
SHEAF_STRIDED(iget)
#undef SHEAF_STRIDED
int sheaf_by_size_alltoalls(const struct sheaf_fortran_call *fortran, shmem_team_t team, void *dest,
                            const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
#define SHEAF_COMBINE(NAME)                                                                             \
    int sheaf_by_size_##NAME(const struct sheaf_fortran_call *fortran, const CFI_cdesc_t *array,        \
                             shmem_team_t team, void *dest, const void *source, size_t nreduce);
SHEAF_COMBINE(and_reduce)
SHEAF_COMBINE(or_reduce)
SHEAF_COMBINE(xor_reduce)
#undef SHEAF_COMBINE

/* A text that is longer than SHEAF_TEXT bytes is refused. */
#define SHEAF_TEXT 4096
void sheaf_take_text(const struct sheaf_fortran_call *fortran, const char *argument,
                     const CFI_cdesc_t *from, char *to);

#endif
