/* SPDX-License-Identifier: BSD-3-Clause
 *
 * RANDOM_INIT: what gfortran 12 and later call. libgfortran draws a seed for each process; all
 * images are to have the same one, or each its own.
 */
#include "libcaf.h"

#include "../combine.h"
#include "../image.h"
#include "descriptor.h"

#include <string.h>

#define SEED_MOST 64 /* integers; gfortran 12 has 8 */

extern void _gfortran_random_init(int repeatable, int image_distinct, int image)
    __attribute__((weak));
extern void _gfortran_random_seed_i4(int32_t *size, struct gfortran_array *put,
                                     struct gfortran_array *get) __attribute__((weak));

static uint64_t mixed(uint64_t value)
{
    value = (value ^ value >> 31) * UINT64_C(0x7fb5d329728ea185);
    value = (value ^ value >> 27) * UINT64_C(0x81dadef4bc2dd44d);
    return value ^ value >> 33;
}

void _gfortran_caf_random_init(bool repeatable, bool image_distinct)
{
    SHEAF_STATEMENT("RANDOM_INIT");
    int32_t seed[SEED_MOST], size = 0;
    if (!_gfortran_random_init || !_gfortran_random_seed_i4)
        sheaf_outcome_refuse("RANDOM_INIT", "this program has no libgfortran with random_init");
    _gfortran_random_init(repeatable, false, 0);
    _gfortran_random_seed_i4(&size, NULL, NULL);
    if (size < 1 || size > SEED_MOST)
        sheaf_outcome_refuse("RANDOM_INIT", "a seed of %d integers: at most %d are expected", size,
                     SEED_MOST);
    struct gfortran_array array = {.base = (char *)seed,
                                   .dtype = {sizeof *seed, 0, 1, SHEAF_INTEGER, 0}};
    array.span = sizeof *seed;
    array.dimensions[0].stride = 1;
    array.dimensions[0].upper = size - 1;
    _gfortran_random_seed_i4(NULL, NULL, &array);
    if (!repeatable) {
        struct sheaf_section section;
        sheaf_gfortran_section(&array, NULL, sizeof *seed, &section);
        sheaf_combine_broadcast(&(struct sheaf_outcome){.statement = "RANDOM_INIT"}, &section, 1);
    }
    for (int i = 0; image_distinct && i < size; i++)
        seed[i] = (int32_t)mixed((uint64_t)(uint32_t)seed[i] << 32 |
                                 (uint32_t)(sheaf_current->image * SEED_MOST + i));
    _gfortran_random_seed_i4(NULL, &array, NULL);
}
