/* SPDX-License-Identifier: BSD-3-Clause
 * See descriptor.h.
 */
#include "descriptor.h"

#define ADDRESS_BITS 47

/* Whether one element lies behind the other. An extent of -1 is that of the last dimension of an array
 * whose size nobody knows. */
static bool is_contiguous(const CFI_cdesc_t *array)
{
    size_t next = array->elem_len;
    for (int i = 0; i < array->rank; i++)
        if (array->dim[i].extent == 0)
            return true;
    for (int i = 0; i < array->rank; i++) {
        if (array->dim[i].extent != 1 && (size_t)array->dim[i].sm != next)
            return false;
        next *= (size_t)array->dim[i].extent;
    }
    return true;
}

/* The bytes of an array, or -1. */
static int64_t size_of(const CFI_cdesc_t *array)
{
    int64_t size = (int64_t)array->elem_len;
    for (int i = 0; i < array->rank; i++) {
        if (array->dim[i].extent < 0)
            return -1;
        size *= array->dim[i].extent;
    }
    return size;
}

static void look_at_extent(const struct sheaf_fortran_call *fortran, const char *argument,
                           const CFI_cdesc_t *array, size_t bytes)
{
    int64_t size = size_of(array);
    if (!is_contiguous(array))
        sheaf_refuse(fortran->name,
                     "%s is an array section with gaps (rank %d), where memory without gaps is needed: "
                     "copy it into an array of its own, or use shmem_iput or shmem_iget",
                     argument, array->rank);
    if (size >= 0 && bytes > (size_t)size)
        sheaf_refuse(fortran->name, "%s has %lld bytes (%lld elements), and the call needs %zu", argument,
                     (long long)size, (long long)(array->elem_len ? size / (int64_t)array->elem_len : 0),
                     bytes);
}

void sheaf_look(const struct sheaf_fortran_call *fortran, const char *argument, const CFI_cdesc_t *array,
                size_t bytes, bool is_typed)
{
    if (array->version != CFI_VERSION)
        sheaf_refuse(fortran->name,
                     "%s comes from code of another Fortran compiler than libsheaf-fortran was made for "
                     "(version %d of descriptors, and not %d): compile and link all of it with one oshfort",
                     argument, array->version, CFI_VERSION);
    if (array->type == CFI_type_cptr)
        sheaf_refuse(fortran->name, "%s is a type(c_ptr): expected the array that c_f_pointer makes of it",
                     argument);
    if (!array->base_addr && bytes > 0)
        sheaf_refuse(fortran->name, "%s is not allocated, and the call needs %zu bytes of it", argument,
                     bytes);
    if (is_typed && array->elem_len != fortran->unit)
        sheaf_refuse(fortran->name, "%s has elements of %zu bytes, and the first array of %zu", argument,
                     array->elem_len, fortran->unit);
    if (array->rank > 0)
        look_at_extent(fortran, argument, array, bytes);
}

void sheaf_look_at_count(const struct sheaf_fortran_call *fortran, const char *argument, int64_t count)
{
    if ((uint64_t)count >> ADDRESS_BITS)
        sheaf_refuse(fortran->name, "%s is %lld: expected 0 or more, and what memory can hold", argument,
                     (long long)count);
}

/* A stride that cannot be is C's routine to refuse. */
size_t sheaf_span(const struct sheaf_fortran_call *fortran, int64_t count, int64_t stride, int64_t block)
{
    if (count <= 0 || stride <= 0)
        return 0;
    return (size_t)((count - 1) * stride + block) * fortran->unit;
}

int64_t sheaf_members(const struct sheaf_fortran_call *fortran)
{
    int members = shmem_team_n_pes(fortran->team);
    return members > 0 ? members : 0;
}
