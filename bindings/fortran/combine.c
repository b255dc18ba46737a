/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bitwise reductions of integers and logicals of every kind, which are 0 and 1 in memory.
 */
#include "descriptor.h"

static bool has_no_bits(const CFI_cdesc_t *array)
{
    static const int types[] = {
        CFI_type_float,          CFI_type_double,         CFI_type_long_double,
        CFI_type_float_Complex,  CFI_type_double_Complex, CFI_type_long_double_Complex,
        CFI_type_char,           CFI_type_struct,         CFI_type_cptr};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (array->type == types[i])
            return true;
    return false;
}

#define COMBINE(NAME)                                                                                   \
    int sheaf_by_size_##NAME(const struct sheaf_fortran_call *fortran, const CFI_cdesc_t *array,        \
                             shmem_team_t team, void *dest, const void *source, size_t nreduce)         \
    {                                                                                                   \
        switch (has_no_bits(array) ? 0 : fortran->unit) {                                               \
        case 1:                                                                                         \
            return shmem_int8_##NAME(team, dest, source, nreduce);                                      \
        case 2:                                                                                         \
            return shmem_int16_##NAME(team, dest, source, nreduce);                                     \
        case 4:                                                                                         \
            return shmem_int32_##NAME(team, dest, source, nreduce);                                     \
        case 8:                                                                                         \
            return shmem_int64_##NAME(team, dest, source, nreduce);                                     \
        default:                                                                                        \
            sheaf_refuse(fortran->name,                                                                 \
                         "elements of %zu bytes that are neither integers nor logicals of 1, 2, 4 "     \
                         "or 8", fortran->unit);                                                        \
            return -1;                                                                                  \
        }                                                                                               \
    }
COMBINE(and_reduce)
COMBINE(or_reduce)
COMBINE(xor_reduce)
