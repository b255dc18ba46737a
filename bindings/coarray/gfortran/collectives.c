/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collective subroutines: what gfortran 8 to 14 call.
 */
#include "libcaf.h"

#include "../combine.h"
#include "descriptor.h"

#include <complex.h>
#include <stdlib.h>
#include <string.h>

#define OUTCOME(STATEMENT)                                                                         \
    &(struct sheaf_outcome)                                                                        \
    {                                                                                              \
        STATEMENT, stat, text, length                                                              \
    }

/* How CO_REDUCE's function takes its arguments. */
enum { ARGUMENTS_BY_VALUE = 4, ARGUMENTS_BY_DESCRIPTOR = 8 };

/* The kind that the length of a number stands for, since descriptors have lengths alone. */
static int kind_of(const struct gfortran_array *array)
{
    size_t length = array->dtype.length;
    if (array->dtype.type == SHEAF_CHARACTER)
        return 1;
    if (array->dtype.type == SHEAF_COMPLEX)
        length /= 2;
    return (int)length;
}

void _gfortran_caf_co_broadcast(struct gfortran_array *array, int image, int *stat, char *text,
                                size_t length)
{
    SHEAF_STATEMENT("CO_BROADCAST");
    struct sheaf_section section;
    sheaf_gfortran_section(array, NULL, kind_of(array), &section);
    sheaf_combine_broadcast(OUTCOME("CO_BROADCAST"), &section, image);
}

static void combine(const struct sheaf_outcome *outcome, enum sheaf_combination combination,
                    struct gfortran_array *array, int result_image)
{
    struct sheaf_section section;
    sheaf_gfortran_section(array, NULL, kind_of(array), &section);
    sheaf_combine(outcome, combination, NULL, &section, result_image);
}

void _gfortran_caf_co_sum(struct gfortran_array *array, int result_image, int *stat, char *text,
                          size_t length)
{
    SHEAF_STATEMENT("CO_SUM");
    combine(OUTCOME("CO_SUM"), SHEAF_SUM, array, result_image);
}

void _gfortran_caf_co_min(struct gfortran_array *array, int result_image, int *stat, char *text,
                          int characters, size_t length)
{
    SHEAF_STATEMENT("CO_MIN");
    (void)characters;
    combine(OUTCOME("CO_MIN"), SHEAF_MIN, array, result_image);
}

void _gfortran_caf_co_max(struct gfortran_array *array, int result_image, int *stat, char *text,
                          int characters, size_t length)
{
    SHEAF_STATEMENT("CO_MAX");
    (void)characters;
    combine(OUTCOME("CO_MAX"), SHEAF_MAX, array, result_image);
}

/* One call of the program's function on numbers of a C type. */
#define CALL(TYPE)                                                                                 \
    do {                                                                                           \
        TYPE value;                                                                                \
        if (function->by_value)                                                                    \
            value = ((TYPE(*)(TYPE, TYPE))function->program)(*(TYPE *)(void *)into,                \
                                                             *(TYPE *)(void *)from);               \
        else                                                                                       \
            value = ((TYPE(*)(void *, void *))function->program)(into, from);                      \
        memcpy(into, &value, sizeof value);                                                        \
    } while (0)

/* Functions whose result is written where their first argument points: of characters, with the
 * lengths behind the arguments, and of structures that do not fit in two registers. */
static void call_by_address(const struct sheaf_function *function, char *into, char *from,
                            char *result)
{
    size_t length = function->element.length;
    if (function->element.type == SHEAF_CHARACTER)
        ((void (*)(char *, size_t, char *, char *, size_t, size_t))function->program)(
            result, length, into, from, length, length);
    else
        ((void (*)(char *, char *, char *))function->program)(result, into, from);
    memcpy(into, result, length);
}

static bool call_for_number(const struct sheaf_function *function, char *into, char *from)
{
    size_t length = function->element.length;
    switch (function->element.type) {
    case SHEAF_INTEGER:
    case SHEAF_LOGICAL:
        switch (length) {
        case 1:
            CALL(int8_t);
            return true;
        case 2:
            CALL(int16_t);
            return true;
        case 4:
            CALL(int32_t);
            return true;
        case 8:
            CALL(int64_t);
            return true;
        case 16:
            CALL(__int128);
            return true;
        default:
            return false;
        }
    case SHEAF_REAL:
        switch (length) {
        case 4:
            CALL(float);
            return true;
        case 8:
            CALL(double);
            return true;
        default:
            return false;
        }
    case SHEAF_COMPLEX:
        switch (length) {
        case 8:
            CALL(float complex);
            return true;
        case 16:
            CALL(double complex);
            return true;
        default:
            return false;
        }
    default:
        return false;
    }
}

static bool is_by_address(const struct sheaf_element *element)
{
#ifdef __x86_64__
    return element->type == SHEAF_CHARACTER ||
           (element->type == SHEAF_DERIVED && element->length > 16);
#else
    return element->type == SHEAF_CHARACTER;
#endif
}

static void call_for_each(const struct sheaf_function *function, char *into, char *from,
                          size_t count)
{
    bool by_address = is_by_address(&function->element);
    char *result = by_address ? malloc(function->element.length + 1) : NULL;
    if (by_address && !result)
        sheaf_outcome_refuse("CO_REDUCE", "no memory for a result of %zu bytes", function->element.length);
    for (size_t i = 0; i < count;
         i++, into += function->element.length, from += function->element.length) {
        if (by_address)
            call_by_address(function, into, from, result);
        else if (!call_for_number(function, into, from))
            sheaf_outcome_refuse(
                "CO_REDUCE",
                "a function on type %d of %zu bytes cannot be called: integers and logicals, reals "
                "and complex numbers of kind 4 and 8, characters, and structures of more than 16 "
                "bytes can",
                function->element.type, function->element.length);
    }
    free(result);
}

void _gfortran_caf_co_reduce(struct gfortran_array *array, void (*program)(void), int flags,
                             int result_image, int *stat, char *text, int characters, size_t length)
{
    SHEAF_STATEMENT("CO_REDUCE");
    struct sheaf_section section;
    (void)characters;
    sheaf_gfortran_section(array, NULL, kind_of(array), &section);
    struct sheaf_function function = {call_for_each, program, section.element,
                                      flags & ARGUMENTS_BY_VALUE};
    if (flags & ARGUMENTS_BY_DESCRIPTOR)
        sheaf_outcome_refuse("CO_REDUCE",
                     "a function whose arguments are arrays by descriptor cannot be called");
    sheaf_combine(OUTCOME("CO_REDUCE"), SHEAF_BY_FUNCTION, &function, &section, result_image);
}
