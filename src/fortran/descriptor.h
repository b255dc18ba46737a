/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Arrays as Fortran's compilers hand them to C, and what each call asks of them. A library of its own,
 * over the public interface; compiled once for each Fortran compiler, whose descriptors are its own.
 */
#ifndef SHEAF_FORTRAN_DESCRIPTOR_H
#define SHEAF_FORTRAN_DESCRIPTOR_H

#include <ISO_Fortran_binding.h>

#include <shmem.h>
#include <stdbool.h>
#include <stdint.h>

/* A call: its name, the bytes of its elements, the team that its counts are about. */
struct sheaf_call_of_fortran {
    const char *name;
    size_t unit;
    shmem_team_t team;
};

/* One line that names PE and call, then the end of the job. Before shmem_init it returns, and the
 * routine itself says what is wrong. */
void sheaf_refuse(const char *call, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Ends the program where the array cannot be what the call needs: bytes of memory without gaps; with
 * is_typed elements of the call's size too. An array element stands for all that follows it, as
 * Fortran's sequence association has it. */
void sheaf_look(const struct sheaf_call_of_fortran *fortran, const char *argument, const CFI_cdesc_t *array,
                size_t bytes, bool is_typed);
void sheaf_not_negative(const struct sheaf_call_of_fortran *fortran, const char *argument, int64_t count);

/* The bytes from the first to the last of count elements. */
size_t sheaf_span(const struct sheaf_call_of_fortran *fortran, int64_t count, int64_t stride,
                  int64_t block);
int64_t sheaf_members(const struct sheaf_call_of_fortran *fortran);

#define COUNT(n)           ((size_t)(n) * fortran.unit)
#define SPAN(n, stride)    sheaf_span(&fortran, n, stride, 1)
#define BLOCKS(n, stride)  sheaf_span(&fortran, n, stride, (int64_t)bsize)
#define ALL(n)             (COUNT(n) * (size_t)sheaf_members(&fortran))
#define ALLSPAN(stride)    sheaf_span(&fortran, (int64_t)nelems * sheaf_members(&fortran), stride, 1)

/* Strided copies and combinations of elements; those of a size that C has no routine for are refused. */
#define SHEAF_STRIDED(NAME)                                                                             \
    void sheaf_copy_##NAME(const struct sheaf_call_of_fortran *fortran, void *dest, const void *source, \
                           ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);                        \
    void sheaf_copy_ctx_##NAME(const struct sheaf_call_of_fortran *fortran, shmem_ctx_t ctx, void *dest,   \
                               const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHEAF_STRIDED(iput)
SHEAF_STRIDED(iget)
#undef SHEAF_STRIDED
#define SHEAF_BLOCKS(NAME)                                                                              \
    void sheaf_copy_##NAME(const struct sheaf_call_of_fortran *fortran, void *dest, const void *source, \
                           ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);         \
    void sheaf_copy_ctx_##NAME(const struct sheaf_call_of_fortran *fortran, shmem_ctx_t ctx, void *dest,   \
                               const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,          \
                               size_t nblocks, int pe);
SHEAF_BLOCKS(ibput)
SHEAF_BLOCKS(ibget)
#undef SHEAF_BLOCKS
int sheaf_copy_alltoalls(const struct sheaf_call_of_fortran *fortran, shmem_team_t team, void *dest,
                         const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
/* Integers and logicals, of which array is one. */
#define SHEAF_COMBINE(NAME)                                                                             \
    int sheaf_combine_##NAME(const struct sheaf_call_of_fortran *fortran, const CFI_cdesc_t *array,     \
                             shmem_team_t team, void *dest, const void *source, size_t nreduce);
SHEAF_COMBINE(and_reduce)
SHEAF_COMBINE(or_reduce)
SHEAF_COMBINE(xor_reduce)
#undef SHEAF_COMBINE

#endif
